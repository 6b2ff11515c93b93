//! The axes whose values have ids: settings and solvers.

use std::fmt::Display;
use std::hash::Hash;
use std::str::FromStr;

use bezzel_encode::UnknownId;
use bezzel_solve::{OptionError, OptionValue, Options};

use super::fields::Fields;
use super::node::{Node, Value};
use super::source::{ConfigError, Place, Source};
use super::twins::refuse_twins;
use crate::workbench::Workbench;

/// A solver with its options.
#[derive(Clone, Debug)]
pub struct SolverEntry {
    /// Its id, with the preset.
    pub id: String,
    /// The options with which it runs, the preset's included.
    pub options: Options,
    pub(crate) place: Place,
}

/// An id that nothing bears.
fn unknown(source: &Source, place: Place, unknown: &UnknownId, kinds: &str) -> ConfigError {
    source
        .error(place, format!("unknown {} `{}`", unknown.kind, unknown.id))
        .near(unknown.near.as_deref(), format!("`bezzel list` shows the {kinds}"))
}

/// The values of a setting, each of which has a name; `what` describes one of them.
pub(super) fn settings<T>(
    source: &Source,
    nodes: &[Node],
    what: &str,
    ids: &[&str],
) -> Result<Vec<T>, ConfigError>
where
    T: FromStr<Err = UnknownId> + Copy + Eq + Hash + Display,
{
    let mut values = Vec::new();
    for node in nodes {
        values.push((named(source, node, what, ids)?, node.place));
    }
    refuse_twins(source, values.iter().copied(), |value: &T| format!("{what} `{value}`"))?;
    Ok(values.into_iter().map(|(value, _)| value).collect())
}

/// One of a few names; `what` describes it.
pub(super) fn named<T: FromStr<Err = UnknownId>>(
    source: &Source,
    node: &Node,
    what: &str,
    ids: &[&str],
) -> Result<T, ConfigError> {
    let id = source.text_of(node, what)?;
    id.parse().map_err(|error: UnknownId| {
        source
            .error(node.place, format!("unknown {} `{id}`", error.kind))
            .near(error.near.as_deref(), format!("it is one of {}", ids.join(", ")))
    })
}

pub(super) fn solvers(
    source: &Source,
    nodes: &[Node],
    workbench: &Workbench,
) -> Result<Vec<SolverEntry>, ConfigError> {
    let entries = nodes
        .iter()
        .map(|node| solver(source, node, workbench))
        .collect::<Result<Vec<_>, ConfigError>>()?;
    let places = entries.iter().map(|entry| {
        // Numbers with a fraction have no hash; the same text is the same setting.
        let options: Vec<_> =
            entry.options.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        ((entry.id.as_str(), options), entry.place)
    });
    refuse_twins(source, places, |(id, _)| format!("the solver `{id}` with the same options"))?;
    Ok(entries)
}

fn solver(source: &Source, node: &Node, workbench: &Workbench) -> Result<SolverEntry, ConfigError> {
    let (named, options) = match &node.value {
        Value::Map(_) => {
            let fields = Fields::new(source, node, "a solver", &["id", "options"])?;
            (fields.need("id", "id: cadical")?, fields.get("options"))
        }
        _ => (node, None),
    };
    let id = source.text_of(named, "a solver")?;
    let found = workbench.solvers.find(id);
    let found = found.map_err(|error| unknown(source, named.place, &error, "solvers"))?;
    let given = options.map_or(Ok(Options::new()), |node| read_options(source, node))?;
    let options = found.settings(&given).map_err(|error| {
        let (place, near) = option_place(options, &error);
        let place = place.unwrap_or(named.place);
        match near {
            Some(near) => {
                let message = format!("{id} has no such option");
                source.error(place, message).hint(format!("did you mean `{near}`?"))
            }
            None => source.error(place, error.to_string()),
        }
    })?;
    Ok(SolverEntry { id: found.card().id, options, place: named.place })
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

/// Where the faulty option stands, and the name that was probably meant.
fn option_place<'e>(
    options: Option<&Node>,
    error: &'e OptionError,
) -> (Option<Place>, Option<&'e str>) {
    let entry = |name: &str| {
        let Some(Node { value: Value::Map(entries), .. }) = options else { return None };
        entries.iter().find(|(key, _)| matches!(&key.value, Value::Text(text) if text == name))
    };
    match error {
        OptionError::Unknown { option, near, .. } => {
            (entry(option).map(|(key, _)| key.place), near.as_deref())
        }
        OptionError::Value { option, .. } => (entry(option).map(|(_, value)| value.place), None),
        _ => (None, None),
    }
}
