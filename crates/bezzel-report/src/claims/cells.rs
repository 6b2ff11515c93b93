//! From the names in a claim to the arms and the cells that it compares.

use std::collections::BTreeSet;

use bezzel_experiment::{Claim, ClaimCells, ClaimMeasure, ClaimRelation, Primary};
use bezzel_problem::UnknownId;
use bezzel_solve::Answer;

use super::names::{
    ALL, axis_of_value, bases, encoding, families, listed, one_solver, only_setting, others,
    setting_choices, solvers, some_of, with_settings,
};
use crate::analysis::Analysis;
use crate::comparison::ANSWERS;
use crate::number::distinct;
use crate::row_statistics::Cell;

/// The factor of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Factor {
    /// The encoding with its settings.
    Encoding,
    /// A setting of one encoding: the place in [`bezzel_encode::Settings::AXES`].
    Setting(usize),
    Numbering,
    Solver,
}

/// A cell in which arms are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellOfClaim {
    /// The families; none for all with this answer.
    pub(super) family: Option<String>,
    pub(super) answer: Answer,
    /// The solver; none if solvers are compared, or nothing is solved.
    pub(super) solver: Option<usize>,
    /// The numbering; none if numberings are compared, or nothing is solved.
    pub(super) numbering: Option<usize>,
    /// The settings of both arms, each an axis with its value.
    pub(super) settings: Vec<(usize, String)>,
    /// The size of the instances, if a claim compares sizes.
    pub(super) size: Option<u32>,
}

impl CellOfClaim {
    /// True for a cell of the record on an instance of these families with this answer. [`Answer::Unknown`] stands for
    /// all answers.
    pub(super) fn has(&self, analysis: &Analysis<'_>, cell: &Cell<'_>) -> bool {
        (self.answer == Answer::Unknown || analysis.answer(cell.instance) == Some(self.answer))
            && self.family.as_ref().is_none_or(|family| *family == analysis.family(cell.instance))
            && self.size.is_none_or(|size| size == cell.instance.size())
    }

    /// The same with instances of all sizes.
    pub(super) fn of_all_sizes(&self) -> Self {
        Self { size: None, ..self.clone() }
    }
}

/// Two arms to compare in a cell.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) factor: Factor,
    /// The name of the first arm in the claim.
    pub(super) arm: String,
    /// The numbers of both levels: of encodings, numberings or solvers.
    pub(super) levels: (usize, usize),
    /// The encodings, if another factor is compared; each with itself.
    pub(super) encodings: Vec<usize>,
    /// The labels of these encodings, if the claim names them.
    pub(super) held: Vec<String>,
    /// True if the baseline is that of the primary comparison.
    pub(super) is_primary: bool,
    pub(super) cell: CellOfClaim,
}

/// The number of different cells over which a level is joint. Of cells that differ in the size alone, those after the
/// first count: each is a step.
pub(super) fn count<'c>(compared: impl Iterator<Item = &'c Compared>) -> usize {
    let cells: BTreeSet<&CellOfClaim> = compared.map(|of| &of.cell).collect();
    let sized = cells.iter().filter(|of| of.size.is_some());
    let first: BTreeSet<CellOfClaim> = sized.map(|of| of.of_all_sizes()).collect();
    cells.len() - first.len()
}

/// The comparisons of a claim. Two of one pair of arms that differ in the cells of `between` are neighbours.
///
/// # Errors
///
/// The first name that the record does not have, with the nearest one.
pub(super) fn resolve(
    claim: &Claim,
    primary: &Primary,
    analysis: &Analysis<'_>,
) -> Result<Vec<Compared>, String> {
    if matches!(claim.relation, ClaimRelation::Below | ClaimRelation::Equal) {
        return Ok(Vec::new());
    }
    let measure = measure(claim, primary, analysis);
    let mut sides = Vec::new();
    match &claim.between {
        None => sides.push(claim.cells.clone()),
        Some(between) => {
            for value in &between.values {
                let one = ClaimCells { key: between.key, values: vec![value.clone()] };
                let others = claim.cells.iter().filter(|of| of.key != between.key).cloned();
                sides.push(others.chain([one]).collect());
            }
        }
    }
    let of_sides = sides.iter().map(|cells| of_cells(claim, cells, measure, primary, analysis));
    let of_sides = of_sides.collect::<Result<Vec<_>, _>>()?;
    if of_sides.iter().any(|of| of.len() != of_sides[0].len()) {
        return Err("the two cells do not have the same comparisons".into());
    }
    if claim.relation == ClaimRelation::Grows {
        return of_each_size(&of_sides[0], is_counted(measure), analysis);
    }
    let groups = (0..of_sides[0].len())
        .map(|place| -> Vec<Compared> { of_sides.iter().map(|of| of[place].clone()).collect() });
    // A cell without runs is left out, unless all are.
    let is_counted = is_counted(measure);
    let (some, none): (Vec<_>, Vec<_>) =
        groups.partition(|group| group.iter().all(|of| has_runs(of, is_counted, analysis)));
    Ok(if some.is_empty() { none } else { some }.concat())
}

/// True for a number of formulas.
fn is_counted(measure: ClaimMeasure) -> bool {
    matches!(measure, ClaimMeasure::Clauses | ClaimMeasure::Variables)
}

/// The measure of a claim: its own, that of the primary comparison, or the default of its factor.
pub(super) fn measure(claim: &Claim, primary: &Primary, analysis: &Analysis<'_>) -> ClaimMeasure {
    let is_between = |names: &[String]| names.iter().any(|name| *name == *claim.baseline);
    let is_order = claim.between.as_ref().is_some_and(|of| of.key == "numbering");
    let default = if is_order || is_between(&analysis.numberings) {
        ClaimMeasure::Conflicts
    } else {
        ClaimMeasure::Time
    };
    claim.measure.or(primary.measure).unwrap_or(default)
}

fn of_cells(
    claim: &Claim,
    cells: &[ClaimCells],
    measure: ClaimMeasure,
    primary: &Primary,
    analysis: &Analysis<'_>,
) -> Result<Vec<Compared>, String> {
    let values = |key: &str| cells.iter().find(|of| of.key == key).map(|of| &of.values[..]);
    let is_counted = is_counted(measure);
    let mut settings = setting_choices(cells);
    let has_none = |of: &&Vec<_>| !of.is_empty() && with_settings(analysis, of).is_empty();
    if let Some(none) = settings.iter().find(has_none) {
        return Err(format!("no encoding has {}", listed(none)));
    }
    let Some(factor) = factor(claim, &settings[0], analysis) else {
        let names = [&analysis.encodings, &analysis.numberings, &analysis.solvers];
        let all = names.into_iter().flatten().map(String::as_str);
        return Err(UnknownId::new("arm", &claim.baseline, all).to_string());
    };
    let solvers = if is_counted || factor == Factor::Solver {
        vec![None]
    } else {
        some_of(values("solver"), &analysis.solvers, |name| solvers(analysis, name), "solver")?
    };
    let of_name = |names: &[String], name: &str| -> Vec<usize> {
        names.iter().position(|own| own == name).into_iter().collect()
    };
    let numberings = if is_counted || factor == Factor::Numbering {
        vec![None]
    } else {
        let known = &analysis.numberings;
        some_of(values("numbering"), known, |name| of_name(known, name), "numbering")?
    };
    let axis = match factor {
        Factor::Setting(axis) => Some(axis),
        _ => None,
    };
    // Values of the compared setting are in no cell.
    for of in &mut settings {
        of.retain(|(own, _)| Some(*own) != axis);
    }
    let settings = distinct(settings);
    let named = values("encoding").map(|names| names.iter().map(ToString::to_string).collect());
    let named: Option<Vec<String>> = named;
    let held = named.clone().filter(|_| axis.is_none()).unwrap_or_default();
    // A formula has a size, whether its instance was solved or not.
    let answers: Vec<Answer> = match values("status") {
        None if is_counted => vec![Answer::Unknown],
        Some(ids) => {
            ANSWERS.into_iter().filter(|of| ids.iter().any(|id| **id == *of.id())).collect()
        }
        None => ANSWERS.into(),
    };
    let known = if is_counted { analysis.measured_families() } else { analysis.known_families() };
    let families = families(&known, values("family"), &answers)?;
    let mut found = Vec::new();
    for settings in &settings {
        let pairs = match axis {
            Some(axis) => pairs_of_values(claim, axis, named.as_deref(), settings, analysis)?,
            None => pairs(claim, factor, settings, primary, analysis)?,
        };
        let encodings = match &named {
            Some(names) if axis.is_none() => {
                let level = |name: &String| encoding(analysis, name, settings);
                names.iter().map(level).collect::<Result<Vec<_>, _>>()?
            }
            _ => with_settings(analysis, settings),
        };
        for (family, answer) in &families {
            for (solver, numbering) in
                solvers.iter().flat_map(|of| numberings.iter().map(move |to| (*of, *to)))
            {
                let cell = CellOfClaim {
                    family: family.clone(),
                    answer: *answer,
                    solver,
                    numbering,
                    settings: settings.clone(),
                    size: None,
                };
                found.extend(pairs.iter().map(|(factor, arm, levels, is_primary)| Compared {
                    factor: *factor,
                    arm: arm.clone(),
                    levels: *levels,
                    encodings: encodings.clone(),
                    held: held.clone(),
                    is_primary: *is_primary,
                    cell: cell.clone(),
                }));
            }
        }
    }
    Ok(found)
}

/// Two arms: their factor, the name of the first, their numbers, and true if the baseline is that of the primary comparison.
type Pair = (Factor, String, (usize, usize), bool);

fn pairs(
    claim: &Claim,
    factor: Factor,
    settings: &[(usize, String)],
    primary: &Primary,
    analysis: &Analysis<'_>,
) -> Result<Vec<Pair>, String> {
    let level = |name: &str| -> Result<usize, String> {
        match factor {
            Factor::Numbering => {
                let known = &analysis.numberings;
                let found = known.iter().position(|own| own == name);
                found.ok_or_else(|| UnknownId::new("numbering", name, known).to_string())
            }
            Factor::Solver => one_solver(analysis, name),
            Factor::Encoding | Factor::Setting(_) => encoding(analysis, name, settings),
        }
    };
    let base = level(&claim.baseline)?;
    let first = || analysis.encodings.first().map_or("", String::as_str);
    let is_primary = primary.baseline.as_deref().unwrap_or_else(first) == &*claim.baseline
        && factor == Factor::Encoding;
    let mut names: Vec<String> = Vec::new();
    for arm in &claim.arms {
        if &**arm == ALL && factor == Factor::Encoding {
            names.extend(others(analysis, base, settings));
        } else {
            names.push(arm.to_string());
        }
    }
    let pair = |name: &String| -> Result<Pair, String> {
        let arm = level(name)?;
        let setting = (factor == Factor::Encoding).then(|| only_setting(analysis, arm, base));
        let factor = setting.flatten().map_or(factor, Factor::Setting);
        Ok((factor, name.clone(), (arm, base), is_primary))
    };
    names.iter().map(pair).collect()
}

/// Two values of a setting, of each of these encodings with these values of other settings; without names, of each
/// encoding that has both.
fn pairs_of_values(
    claim: &Claim,
    axis: usize,
    names: Option<&[String]>,
    settings: &[(usize, String)],
    analysis: &Analysis<'_>,
) -> Result<Vec<Pair>, String> {
    let level = |base: &String, value: &str| {
        encoding(analysis, base, &[settings, &[(axis, value.to_owned())]].concat())
    };
    // Encodings with one of the values alone are in no comparison.
    let has = |base: &String, value: &str| level(base, value).is_ok();
    let is_compared =
        |base: &String| has(base, &claim.baseline) && claim.arms.iter().all(|arm| has(base, arm));
    let all = || bases(analysis, axis, settings).into_iter().filter(is_compared).collect();
    let of = names.map_or_else(all, <[String]>::to_vec);
    let mut pairs = Vec::new();
    for value in &claim.arms {
        for base in &of {
            let levels = (level(base, value)?, level(base, &claim.baseline)?);
            pairs.push((Factor::Setting(axis), base.clone(), levels, false));
        }
    }
    Ok(pairs)
}

/// The factor that a claim compares, by its baseline. None if the record has no such arm.
fn factor(claim: &Claim, settings: &[(usize, String)], analysis: &Analysis<'_>) -> Option<Factor> {
    let baseline = &claim.baseline;
    if encoding(analysis, baseline, settings).is_ok() {
        Some(Factor::Encoding)
    } else if analysis.numberings.iter().any(|name| *name == **baseline) {
        Some(Factor::Numbering)
    } else if !solvers(analysis, baseline).is_empty() {
        Some(Factor::Solver)
    } else {
        axis_of_value(analysis, baseline).map(Factor::Setting)
    }
}

/// The axis of which the claim compares values.
pub(super) fn axis_of(claim: &Claim, analysis: &Analysis<'_>) -> Option<usize> {
    match factor(claim, &setting_choices(&claim.cells)[0], analysis) {
        Some(Factor::Setting(axis)) => Some(axis),
        _ => None,
    }
}

/// The comparisons on the instances of each size on which both arms have runs, in the order of the sizes.
///
/// # Errors
///
/// Instances of several kinds, whose sizes are not comparable, and instances of one size.
fn of_each_size(
    compared: &[Compared],
    is_counted: bool,
    analysis: &Analysis<'_>,
) -> Result<Vec<Compared>, String> {
    let mut found = Vec::new();
    for of in compared {
        let cells = || analysis.with_formula().filter(|cell| of.cell.has(analysis, cell));
        let kinds = distinct(cells().map(|cell| analysis.instance_kind(cell.index.instance)));
        if kinds.len() > 1 {
            let kinds = kinds.join(", ");
            return Err(format!(
                "sizes of several kinds are not compared ({kinds}): name a family"
            ));
        }
        let mut sizes = distinct(cells().map(|cell| cell.instance.size()));
        sizes.sort_unstable();
        let sized = sizes.into_iter().map(|size| {
            let mut of = of.clone();
            of.cell.size = Some(size);
            of
        });
        let sized: Vec<Compared> = sized.filter(|of| has_runs(of, is_counted, analysis)).collect();
        if sized.len() > 1 {
            found.extend(sized);
        }
    }
    if found.is_empty() {
        return Err("no two sizes are measured".into());
    }
    Ok(found)
}

/// True if both arms have runs in the cell.
fn has_runs(of: &Compared, is_counted: bool, analysis: &Analysis<'_>) -> bool {
    let CellOfClaim { solver, numbering, .. } = &of.cell;
    let is_of_cell = |cell: &Cell<'_>| of.cell.has(analysis, cell);
    let index = |cell: &Cell<'_>| cell.index;
    let has = |level: usize| match of.factor {
        _ if is_counted => {
            let label = &analysis.encodings[level];
            analysis.with_formula().any(|cell| cell.encoding == *label && is_of_cell(cell))
        }
        Factor::Encoding | Factor::Setting(_) => {
            let (solver, numbering) = (solver.unwrap_or_default(), numbering.unwrap_or_default());
            analysis.cells_of(level, solver, numbering).any(is_of_cell)
        }
        Factor::Numbering => analysis.cells.iter().any(|cell| {
            index(cell).numbering == level
                && Some(index(cell).solver) == *solver
                && is_of_cell(cell)
        }),
        Factor::Solver => analysis.cells.iter().any(|cell| {
            index(cell).solver == level
                && Some(index(cell).numbering) == *numbering
                && is_of_cell(cell)
        }),
    };
    has(of.levels.0) && has(of.levels.1)
}
