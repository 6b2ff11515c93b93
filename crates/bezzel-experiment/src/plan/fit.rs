//! Refuses jobs that cannot be run, with the place in the config.

use bezzel_encode::registry::{self, Name};
use bezzel_encode::{Size, Unsupported};
use bezzel_problem::{Instance, ProblemFile};

use super::cell::{Cell, EncodingVariant};
use crate::backend::fit;
use crate::backend::shape_check::check_at_shapes;
use crate::config::{Arm, Config, ConfigError, EncodingEntry, InstanceEntry, Matrix};
use crate::file_proof::FileProof;
use crate::model::job::BackendKind;

/// Refuses an encoding that cannot state the rules of an instance.
pub(crate) fn refuse_misfit(
    config: &Config,
    entry: &InstanceEntry,
    cell: &Cell,
) -> Result<(), ConfigError> {
    let aim = entry.instance.file().and_then(ProblemFile::middle_bound);
    if aim.is_some() && cell.stands_in {
        let message = format!("the program `{}` is not asked for bounds of an objective", cell.id);
        let mend = "state the bound in the config, as in `objective: at most 41`, without `task: optimise`";
        return Err(config.source().error(entry.place, message).hint(mend));
    }
    let fits = cell.encoding.fits(&entry.instance.problem());
    fits.and_then(|()| aim.map_or(Ok(()), |aim| cell.encoding.fits(&aim))).map_err(|unsupported| {
        let Unsupported { what, instance, why, mend, .. } = unsupported;
        let message = format!("{what} does not fit {instance}: {why}");
        let error = config.source().error(entry.place, message);
        let (kind, id) = (entry.instance.kind(), &cell.id);
        let kind = entry.instance.file().map_or(kind, ProblemFile::name);
        // Exclusions are by name, and not every kind begins the names of its instances.
        if !entry.instance.to_string().starts_with(kind) {
            return error.hint(mend);
        }
        let exclusion = format!("exclude: {{instance: \"{kind}*\", encoding: {id}}}");
        error.hint(format!("{mend}; or exclude it here, as in `{exclusion}`"))
    })
}

/// Refuses a mixture with a key that names no family of any file.
pub(crate) fn refuse_unmatched(
    config: &Config,
    entry: &EncodingEntry,
    instances: &[&Instance],
) -> Result<(), ConfigError> {
    let Ok(name) = Name::parse(&entry.id) else { return Ok(()) };
    let files = instances.iter().filter(|instance| instance.file().is_some());
    let families = || files.flat_map(|file| file.problem().family_names()).collect();
    registry::refuse_unmatched(&name, families)
        .map_err(|error| config.source().error(entry.place, error))
}

/// Refuses an encoding of which no proof from the file is known, if such proofs are asked for.
pub(crate) fn refuse_underivable(
    config: &Config,
    variant: &EncodingVariant<'_>,
    entry: &InstanceEntry,
    cell: &Cell,
) -> Result<(), ConfigError> {
    let (problem, encoding) = (entry.instance.problem(), cell.encoding.as_ref());
    FileProof::can_derive(&problem, encoding).map_err(|error| {
        if let Err(wrong) = check_at_shapes(encoding, &problem) {
            let message = format!("the clauses of `{}` are wrong: {wrong}", wrong.encoder);
            return config.source().error(variant.entry.place, message);
        }
        let (noun, instance) = (entry.instance.noun(), &entry.instance);
        let message = format!("`proofs: file` on the {noun} {instance}: {error}");
        let mend = format!(
            "or exclude it, as in `exclude: {{encoding: {}}}`; or state `proofs: on`, which checks the answer against \
             the clauses",
            cell.id
        );
        config.source().error(variant.entry.place, message).hint(mend)
    })
}

/// Refuses an encoding that states more than clauses under a solver or an engine that takes clauses only.
pub(crate) fn stated(
    config: &Config,
    variant: &EncodingVariant<'_>,
    arm: &Arm,
) -> Result<(), ConfigError> {
    let refused = |problem: String| config.source().error(variant.entry.place, problem);
    let stated = fit::stated(&variant.info(), arm.backend.as_deref(), arm.task);
    stated.map_err(|error| {
        let EncodingEntry { id, by_pattern, .. } = variant.entry;
        let advice = if *by_pattern {
            let whom = arm.task.backend().map_or("task", BackendKind::id);
            format!("remove it by \"!{id}\", or exclude it for this {whom}")
        } else {
            "take `pairwise`, or write the formula by `bezzel encode --format opb`".to_owned()
        };
        refused(error.to_string()).hint(advice)
    })
}

/// Refuses a formula whose variables cannot be numbered, and a formula that is too large to be loaded into a solver.
pub(crate) fn check(
    config: &Config,
    matrix: &Matrix,
    entry: &InstanceEntry,
    cell: &Cell,
    size: Size,
    is_loaded: bool,
) -> Result<(), ConfigError> {
    let shuffled = matrix.numberings.iter().any(|numbering| {
        numbering.count(entry.shuffles) > 0 && numbering.numbering(0).stores_formula()
    });
    let limit_bytes = config.limits.memory_bytes;
    let fits = if is_loaded {
        fit::solvable(&entry.instance, &cell.label(), size, shuffled, limit_bytes)
    } else {
        fit::numbered(&entry.instance, &cell.label(), size)
    };
    fits.map_err(|too_large| {
        config.source().error(entry.place, too_large.problem).hint(too_large.mend)
    })
}
