//! The axis of solvers, with their switches.
//!
//! A switch of a solver is an axis of its own: `bva: [off, on]` makes two entries of CaDiCaL, and one entry of a
//! solver without this switch. A job contains the solver's own option. It contains no option for a switch in its
//! default state.

use std::sync::Arc;

use bezzel_solve::{OptionValue, Options, ProofFormat, Switch};

use super::arm::{Arm, found, refuse_equal};
use super::axes::{self, Proofs, on_or_off};
use super::fields::Fields;
use super::node::Node;
use super::options;
use super::programs::{BackendKeys, ConfigBackend};
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::catalog::Catalog;
use crate::backend::{Backend, InputKind};
use crate::model::job::{BackendKind, Task};

/// The switches in solvers.
pub(super) const SWITCHES: [&str; 3] = ["bva", "bve", "proofs"];

/// Seeds of a solver; each seed makes an entry of its own.
const SEEDS: &str = "seeds";

fn known() -> BackendKeys {
    let named = ["options", SEEDS, "bva", "bve", "proofs"];
    BackendKeys::new(BackendKind::Solver, &named, &["options", SEEDS, "proofs"])
}

/// Reads the solvers of a list in all their combinations. The values of a switch are taken from the first of the maps
/// that has it.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    maps: &[&Fields<'_>],
    catalog: &Catalog,
) -> Result<Vec<Arm>, ConfigError> {
    let mut entries = Vec::new();
    let mut taken = Vec::new();
    let known = known();
    for node in nodes {
        let entry = known.read(source, node, catalog)?;
        SolverReader { source, maps, catalog, taken: &mut taken }.entry(&entry, &mut entries)?;
    }
    // A switch that no solver takes is refused.
    for key in &SWITCHES {
        let Some(nodes @ [first, ..]) = maps[0].list(key)? else { continue };
        // The values are read even if every solver has its own.
        let has_effect = axes::has_effect(source, nodes, key)?;
        if !catalog.is_for_records && !taken.contains(key) && has_effect {
            let message =
                format!("`{key}` has no effect: no solver has this option, or each sets its own");
            return Err(source.error(first.place, message).hint("remove it, or add `cadical`"));
        }
    }
    refuse_equal(source, &entries, "solver")?;
    Ok(entries)
}

/// The reader of one entry after the other.
struct SolverReader<'r, 'a> {
    source: &'r Source,
    maps: &'r [&'r Fields<'a>],
    catalog: &'r Catalog,
    /// The keys that some solver takes from the values for all solvers.
    taken: &'r mut Vec<&'static str>,
}

impl SolverReader<'_, '_> {
    fn entry(
        &mut self,
        entry: &ConfigBackend<'_>,
        entries: &mut Vec<Arm>,
    ) -> Result<(), ConfigError> {
        let source = self.source;
        let ConfigBackend { own, backend: solver, named, given, place } = entry;
        let (given, place) = (*given, *place);
        let id = &solver.name();
        let options = given.map_or(Ok(Options::new()), |node| options::read(source, node))?;
        let mut combinations = match own {
            Some(own) => self.seeded(own, solver.as_ref(), options)?,
            None => vec![options],
        };
        for switch in solver.switches() {
            let key = switch.technique.id();
            let Some(values) = self.values(own.as_ref(), key)? else { continue };
            let Some(stated) = combinations[0].get(switch.option).copied() else {
                combinations = combinations
                    .iter()
                    .flat_map(|options| {
                        values.iter().map(|&(on, _)| switched(options, &switch, on))
                    })
                    .collect();
                continue;
            };
            if let Some((on, _)) = values.iter().find(|(on, _)| *on != is_on(stated)) {
                let place = options::place_of(given, switch.option).unwrap_or(place);
                let message = format!(
                    "the option `{}: {stated}` of `{id}` contradicts `{key}: {}`",
                    switch.option,
                    on_or_off(*on)
                );
                return Err(source.error(place, message).hint("remove one of the two"));
            }
        }
        self.refuse_untaken(own.as_ref(), id, solver.as_ref())?;
        let format = solver.proof_format();
        for proof in self.proofs(entry, &combinations)? {
            for options in &combinations {
                let options = self
                    .catalog
                    .settings(solver.as_ref(), options)
                    .map_err(|error| options::refused(source, id, place, given, &error))?;
                let switches = solver.switches().into_iter().map(|switch| {
                    let on = options.get(switch.option).map_or(switch.default, |&at| is_on(at));
                    (switch, on)
                });
                entries.push(Arm {
                    backend: Some(Arc::clone(solver)),
                    switches: switches.collect(),
                    options: options.into(),
                    proof,
                    can_prove: format.is_some(),
                    named: named.clone(),
                    ..Arm::new(id.clone(), Task::Solve, InputKind::Clauses, place)
                });
            }
        }
        Ok(())
    }

    /// The formats of the proofs of a solver, one for each value of `proofs`.
    fn proofs(
        &mut self,
        entry: &ConfigBackend<'_>,
        combinations: &[Options],
    ) -> Result<Vec<Option<ProofFormat>>, ConfigError> {
        let ConfigBackend { own, backend: solver, place, .. } = entry;
        let format = solver.proof_format();
        let mut nodes = own.as_ref().map_or(Ok(None), |own| own.list("proofs"))?;
        if nodes.is_none() {
            self.taken.extend(format.map(|_| "proofs"));
            nodes = found(self.maps, "proofs")?;
        }
        let Some(nodes) = nodes else { return Ok(vec![format]) };
        let values = axes::proofs(self.source, nodes)?;
        if values.iter().any(|(value, _)| *value == Proofs::File) && !self.catalog.is_for_records {
            let refused = |message: String| self.source.error(*place, message);
            let id = solver.name();
            if format != Some(ProofFormat::Lrat) || solver.program().is_some() {
                let message = format!(
                    "`proofs: file` needs the solver's steps with their reasons, and `{id}` does not hand them over: \
                     `cadical` does"
                );
                let mend =
                    "state it of that solver alone, as in `solvers: [{id: cadical, proofs: file}]`";
                return Err(refused(message).hint(mend));
            }
            // Its new variables have no definitions as sums.
            if combinations.iter().any(|options| options.get("factor").is_some_and(|&on| is_on(on)))
            {
                let message = format!(
                    "`proofs: file` has no steps for the variables that `bva` adds in `{id}`"
                );
                return Err(refused(message).hint("take `bva: off`, or `proofs: on`"));
            }
        }
        let format_of = |value| match value {
            Proofs::Off => None,
            Proofs::On => format,
            Proofs::File => format.map(|_| ProofFormat::Veripb),
        };
        let mut formats: Vec<_> = values.into_iter().map(|(value, _)| format_of(value)).collect();
        // A solver that writes none is planned once.
        formats.truncate(if format.is_some() { usize::MAX } else { 1 });
        Ok(formats)
    }

    /// The options with each of the seeds that an entry lists.
    fn seeded(
        &self,
        own: &Fields<'_>,
        solver: &dyn Backend,
        options: Options,
    ) -> Result<Vec<Options>, ConfigError> {
        let (Some(node), Some(nodes)) = (own.get(SEEDS), own.list(SEEDS)?) else {
            return Ok(vec![options]);
        };
        let with = |name: &str, seed: i64| {
            let mut options = options.clone();
            options.insert(name.to_owned(), OptionValue::Integer(seed));
            options
        };
        // Other options are checked elsewhere.
        let alone = |name: &str| Options::from([(name.to_owned(), OptionValue::Integer(1))]);
        let takes = |name: &&&str| solver.settings(&alone(name)).is_ok();
        let Some(&name) = bezzel_solve::SEEDS.iter().find(takes) else {
            let message = format!("`{}` takes no seed", solver.name());
            return Err(self.source.error(node.place, message).hint("take `seeds` away"));
        };
        if options.contains_key(name) {
            let message = format!("`seeds` and the option `{name}` both state a seed");
            return Err(self.source.error(node.place, message).hint("remove one of the two"));
        }
        let seeds = self.source.seeds(nodes)?;
        let read = |(seed, place)| {
            i64::try_from(seed)
                .map(|seed| with(name, seed))
                .map_err(|_| self.source.error(place, format!("the seed {seed} is too large")))
        };
        seeds.into_iter().map(read).collect()
    }

    /// Returns the values of an axis for a solver with this switch: its own values, or those for all solvers.
    fn values(
        &mut self,
        own: Option<&Fields<'_>>,
        key: &'static str,
    ) -> Result<Option<Vec<(bool, SourceLocation)>>, ConfigError> {
        let mut nodes = own.map_or(Ok(None), |fields| fields.list(key))?;
        if nodes.is_none() {
            self.taken.push(key);
            nodes = found(self.maps, key)?;
        }
        nodes.map(|nodes| axes::switched(self.source, nodes, &format!("`{key}`"))).transpose()
    }

    /// Refuses a key of a solver that has no such switch.
    fn refuse_untaken(
        &self,
        own: Option<&Fields<'_>>,
        id: &str,
        solver: &dyn Backend,
    ) -> Result<(), ConfigError> {
        let Some(own) = own else { return Ok(()) };
        for key in &SWITCHES {
            let Some(node) = own.get(key) else { continue };
            let has = match *key {
                "proofs" => solver.proof_format().is_some(),
                key => solver.switches().iter().any(|switch| switch.technique.id() == key),
            };
            if !has && !self.catalog.is_for_records {
                let message = format!("`{id}` has no option for `{key}`");
                return Err(self.source.error(node.place, message).hint("remove it"));
            }
        }
        Ok(())
    }
}

/// Returns the options with one switch set; unchanged if the switch is in its default state.
fn switched(options: &Options, switch: &Switch, on: bool) -> Options {
    let mut options = options.clone();
    if on != switch.default {
        options.insert(switch.option.to_owned(), OptionValue::Integer(on.into()));
    }
    options
}

/// Returns true if the value of a switch's option means on.
fn is_on(value: OptionValue) -> bool {
    !matches!(value, OptionValue::Flag(false) | OptionValue::Integer(0))
}
