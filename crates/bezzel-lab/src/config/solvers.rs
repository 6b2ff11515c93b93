//! The axis of solvers, with what is switched on and off in them.
//!
//! A switch that a solver has is an axis of its own: `reencode: [off, on]` makes two entries of
//! CaDiCaL, and one of a solver that has nothing of the kind. What a job holds is the solver's own
//! option, and nothing at all where a switch is as the solver comes.

use bezzel_solve::{Confounder, OptionError, OptionValue, Options, ProofFormat, Solver, Switch};

use super::fields::Fields;
use super::node::{Node, Value};
use super::programs;
use super::source::{ConfigError, Place, Source};
use super::switch::{self, word};
use super::twins::refuse_twins;
use crate::workbench::Workbench;

/// The keys that make up the axis.
pub(super) const KEYS: [&str; 4] = ["solvers", "reencode", "eliminate", "proofs"];
/// The keys of one solver.
const ENTRY_KEYS: [&str; 5] = ["id", "options", "reencode", "eliminate", "proofs"];
/// The keys of one that is a program.
const PROGRAM_KEYS: [&str; 6] = ["command", "version", "proof", "answer", "options", "proofs"];

/// A solver with its options.
#[derive(Clone, Debug)]
pub struct SolverEntry {
    /// Its id, with the preset.
    pub id: String,
    /// The options with which it runs, the preset's included.
    pub options: Options,
    /// The format of the proofs that it writes, if it is to write some.
    pub proof: Option<ProofFormat>,
    /// Each of its switches, and whether it is on.
    pub(crate) switches: Vec<(Switch, bool)>,
    /// Whether it could write proofs.
    pub(crate) can_prove: bool,
    pub(crate) place: Place,
}

impl SolverEntry {
    /// Whether what confounds is on in this solver; nothing, if it has no such thing.
    pub(crate) fn state(&self, confounder: Confounder) -> Option<bool> {
        let switch = self.switches.iter().find(|(switch, _)| switch.confounder == confounder);
        switch.map(|&(_, on)| on)
    }

    /// Its id, and in brackets what is switched otherwise than it comes.
    pub(crate) fn label(&self) -> String {
        let moved = self.switches.iter().filter(|(switch, on)| switch.default != *on);
        let moved = moved.map(|(switch, on)| format!("{} {}", switch.confounder, word(*on)));
        let unproved = self.can_prove && self.proof.is_none();
        let words: Vec<_> = moved.chain(unproved.then(|| "proofs off".to_owned())).collect();
        if words.is_empty() {
            self.id.clone()
        } else {
            format!("{} ({})", self.id, words.join(", "))
        }
    }
}

/// The solvers in all their combinations. A key is taken from the first of the maps that has it.
pub(super) fn read(
    source: &Source,
    maps: &[&Fields<'_>],
    workbench: &Workbench,
) -> Result<Vec<SolverEntry>, ConfigError> {
    let mut entries = Vec::new();
    let mut taken = Vec::new();
    for node in found(maps, "solvers")?.unwrap_or_default() {
        Reader { source, maps, workbench, taken: &mut taken }.entry(node, &mut entries)?;
    }
    // What nothing takes does not mean what it seems to mean.
    for key in &KEYS[1..] {
        let Some(nodes @ [first, ..]) = maps[0].list(key)? else { continue };
        // Read even where every solver has its own.
        let values = switch::axis(source, nodes, &format!("`{key}`"))?;
        if !taken.contains(key) && (*key != "proofs" || values.iter().any(|(on, _)| *on)) {
            let message =
                format!("`{key}` switches nothing here: no solver has it, or each says its own");
            return Err(source.error(first.place, message).hint("take it away, or add `cadical`"));
        }
    }
    let places = entries.iter().map(|entry: &SolverEntry| {
        // Numbers with a fraction have no hash; the same text is the same setting.
        let options: Vec<_> =
            entry.options.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        ((entry.id.as_str(), options, entry.proof), entry.place)
    });
    refuse_twins(source, places, |(id, ..)| format!("the solver `{id}` with the same options"))?;
    Ok(entries)
}

fn found<'a>(maps: &[&Fields<'a>], key: &str) -> Result<Option<&'a [Node]>, ConfigError> {
    for map in maps {
        if let Some(nodes) = map.list(key)? {
            return Ok(Some(nodes));
        }
    }
    Ok(None)
}

/// Reads one entry after the other.
struct Reader<'r, 'a> {
    source: &'r Source,
    maps: &'r [&'r Fields<'a>],
    workbench: &'r Workbench,
    /// The keys that some solver takes from where they stand for all.
    taken: &'r mut Vec<&'static str>,
}

impl Reader<'_, '_> {
    fn entry(&mut self, node: &Node, entries: &mut Vec<SolverEntry>) -> Result<(), ConfigError> {
        let source = self.source;
        let is_program = programs::has_key(node, &crate::solver_program::KEYS);
        let own = match &node.value {
            Value::Map(_) if is_program => {
                Some(Fields::new(source, node, "a solver that is a program", &PROGRAM_KEYS)?)
            }
            // What has no id may have been meant for a program.
            Value::Map(_) if !programs::has_key(node, &["id"]) => Some(Fields::new(
                source,
                node,
                "a solver",
                &[&PROGRAM_KEYS[..], &ENTRY_KEYS].concat(),
            )?),
            Value::Map(_) => Some(Fields::new(source, node, "a solver", &ENTRY_KEYS)?),
            _ => None,
        };
        let given = own.as_ref().and_then(|fields| fields.get("options"));
        let (named, solver) = match &own {
            Some(fields) if is_program => (node, programs::read(source, node, fields)?),
            Some(fields) => {
                programs::find(source, fields.need("id", "id: cadical")?, self.workbench)?
            }
            None => programs::find(source, node, self.workbench)?,
        };
        let id = &solver.name();
        let options = given.map_or(Ok(Options::new()), |node| read_options(source, node))?;
        let mut combinations = vec![options];
        for switch in solver.switches() {
            let key = switch.confounder.id();
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
                let place = option_place(given, switch.option).unwrap_or(named.place);
                let message = format!(
                    "the option `{}: {stated}` of `{id}` contradicts `{key}: {}`",
                    switch.option,
                    word(*on)
                );
                return Err(source.error(place, message).hint("take one of the two away"));
            }
        }
        self.refuse_untaken(own.as_ref(), id, solver.as_ref())?;
        let format = solver.proof_format();
        let proofs = match format {
            None => vec![None],
            Some(format) => match self.values(own.as_ref(), "proofs")? {
                None => vec![Some(format)],
                Some(values) => values.iter().map(|(on, _)| on.then_some(format)).collect(),
            },
        };
        for proof in proofs {
            for options in &combinations {
                let options = solver
                    .settings(options)
                    .map_err(|error| refused(source, id, named.place, given, &error))?;
                let switches = solver.switches().into_iter().map(|switch| {
                    let on = options.get(switch.option).map_or(switch.default, |&at| is_on(at));
                    (switch, on)
                });
                let switches = switches.collect();
                let id = id.clone();
                let (can_prove, place) = (format.is_some(), named.place);
                entries.push(SolverEntry { id, options, proof, switches, can_prove, place });
            }
        }
        Ok(())
    }

    /// The values of an axis for a solver that has the switch: its own, or those of all.
    fn values(
        &mut self,
        own: Option<&Fields<'_>>,
        key: &'static str,
    ) -> Result<Option<Vec<(bool, Place)>>, ConfigError> {
        let mut nodes = own.map_or(Ok(None), |fields| fields.list(key))?;
        if nodes.is_none() {
            self.taken.push(key);
            nodes = found(self.maps, key)?;
        }
        nodes.map(|nodes| switch::axis(self.source, nodes, &format!("`{key}`"))).transpose()
    }

    /// Refuses a key of a solver that has no such switch.
    fn refuse_untaken(
        &self,
        own: Option<&Fields<'_>>,
        id: &str,
        solver: &dyn Solver,
    ) -> Result<(), ConfigError> {
        let Some(own) = own else { return Ok(()) };
        for key in &KEYS[1..] {
            let Some(node) = own.get(key) else { continue };
            let has = match *key {
                "proofs" => solver.proof_format().is_some(),
                key => solver.switches().iter().any(|switch| switch.confounder.id() == key),
            };
            if !has {
                let message = format!("`{id}` has nothing that `{key}` switches");
                return Err(self.source.error(node.place, message).hint("take it away"));
            }
        }
        Ok(())
    }
}

/// The options with one switch set, and untouched where it is as the solver comes.
fn switched(options: &Options, switch: &Switch, on: bool) -> Options {
    let mut options = options.clone();
    if on != switch.default {
        options.insert(switch.option.to_owned(), OptionValue::Integer(on.into()));
    }
    options
}

/// Whether the value of a switch's option means on.
fn is_on(value: OptionValue) -> bool {
    !matches!(value, OptionValue::Flag(false) | OptionValue::Integer(0))
}

fn read_options(source: &Source, node: &Node) -> Result<Options, ConfigError> {
    let Value::Map(entries) = &node.value else {
        let message = format!("`options` must be a map, not {}", node.value.kind());
        return Err(source.error(node.place, message).hint("for example {factor: 1}"));
    };
    let mut options = Options::new();
    for (key, node) in entries {
        let name = source.text_of(key, "an option's name")?;
        let value = match node.value {
            Value::Flag(value) => OptionValue::Flag(value),
            Value::Number(_) if source.is_whole_number(node) => {
                // What no 64 bits hold is refused as a number of any kind.
                match source.written(node.place).parse() {
                    Ok(value) => OptionValue::Integer(value),
                    Err(_) => OptionValue::Number(source.decimal(node, "an option's value")?),
                }
            }
            Value::Number(_) => OptionValue::Number(source.decimal(node, "an option's value")?),
            _ => {
                let message = format!(
                    "an option's value must be a number, true or false, not {}",
                    node.value.kind()
                );
                return Err(source.error(node.place, message));
            }
        };
        options.insert(name.to_owned(), value);
    }
    Ok(options)
}

/// Options that a solver does not take, shown where they stand.
fn refused(
    source: &Source,
    id: &str,
    named: Place,
    options: Option<&Node>,
    error: &OptionError,
) -> ConfigError {
    match error {
        OptionError::Unknown { option, near: Some(near), .. } => {
            let place = option_place(options, option).unwrap_or(named);
            let message = format!("{id} has no such option");
            source.error(place, message).hint(format!("did you mean `{near}`?"))
        }
        OptionError::Unknown { option, .. } => {
            source.error(option_place(options, option).unwrap_or(named), error.to_string())
        }
        OptionError::Value { option, .. } => {
            let place = entry_of(options, option).map_or(named, |(_, value)| value.place);
            source.error(place, error.to_string())
        }
        _ => source.error(named, error.to_string()),
    }
}

/// Where the name of an option stands.
fn option_place(options: Option<&Node>, name: &str) -> Option<Place> {
    entry_of(options, name).map(|(key, _)| key.place)
}

fn entry_of<'n>(options: Option<&'n Node>, name: &str) -> Option<&'n (Node, Node)> {
    let Some(Node { value: Value::Map(entries), .. }) = options else { return None };
    entries.iter().find(|(key, _)| matches!(&key.value, Value::Text(text) if text == name))
}
