//! The axes with named values: the task, and the settings of an encoding.

use std::fmt::Display;
use std::hash::Hash;
use std::str::FromStr;

use bezzel_encode::{SettingAxis, Settings};
use bezzel_problem::UnknownId;

use super::duplicates::refuse_duplicates;
use super::node::Node;
use super::source::{ConfigError, Source, SourceLocation};
use crate::model::job::Task;

/// The listed values of a setting.
#[derive(Clone, Debug)]
pub struct SettingValues {
    /// The setting.
    pub axis: &'static SettingAxis,
    /// The names of the values on boards that state none of their own.
    pub stated: Vec<String>,
    /// The names of all values.
    pub names: Vec<String>,
}

impl SettingValues {
    /// Returns the same values on every board.
    fn new(axis: &'static SettingAxis, names: Vec<String>) -> Self {
        Self { axis, stated: names.clone(), names }
    }

    /// Takes the default alone.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.axis, vec![self.axis.default().into()]);
    }

    /// The default of each setting.
    pub(super) fn defaults() -> Vec<Self> {
        let default = |axis: &'static SettingAxis| Self::new(axis, vec![axis.default().into()]);
        Settings::AXES.iter().map(default).collect()
    }

    /// A listed value that is not the default, if there is one.
    pub(crate) fn other_than_default(&self) -> Option<&str> {
        self.names.iter().map(String::as_str).find(|name| *name != self.axis.default())
    }
}

/// Returns the error of an unknown id.
pub(super) fn unknown(
    source: &Source,
    place: SourceLocation,
    unknown: &UnknownId,
    kinds: &str,
) -> ConfigError {
    source.error(place, format!("unknown {} `{}`", unknown.kind, unknown.id)).near(
        unknown.near.as_deref(),
        unknown.listed().unwrap_or_else(|| format!("`bezzel list` shows the {kinds}")),
    )
}

/// The tasks.
pub(super) fn tasks(source: &Source, nodes: &[Node]) -> Result<Vec<Task>, ConfigError> {
    values(source, nodes, "the task", str::parse)
}

/// Values of a setting, by name.
///
/// # Errors
///
/// When the config is not of this form there; the error has the place.
pub fn setting(
    source: &Source,
    nodes: &[Node],
    axis: &SettingAxis,
) -> Result<Vec<String>, ConfigError> {
    let read = |name: &str| axis.with(Settings::default(), name).map(|_| name.to_owned());
    values(source, nodes, axis.value, read)
}

/// Reads the named values of an axis; `what` describes one of them.
fn values<T: Clone + Eq + Hash + Display>(
    source: &Source,
    nodes: &[Node],
    what: &str,
    read: impl Fn(&str) -> Result<T, UnknownId>,
) -> Result<Vec<T>, ConfigError> {
    let mut values = Vec::new();
    for node in nodes {
        values.push((value(source, node, what, &read)?, node.place));
    }
    refuse_duplicates(source, values.iter().cloned(), |value, _| {
        format!("{what} `{value}` is listed twice")
    })?;
    Ok(values.into_iter().map(|(value, _)| value).collect())
}

/// One of a few names; `what` describes it.
///
/// # Errors
///
/// When the config is not of this form there; the error has the place.
pub fn named<T: FromStr<Err = UnknownId>>(
    source: &Source,
    node: &Node,
    what: &str,
) -> Result<T, ConfigError> {
    value(source, node, what, str::parse)
}

fn value<T>(
    source: &Source,
    node: &Node,
    what: &str,
    read: impl Fn(&str) -> Result<T, UnknownId>,
) -> Result<T, ConfigError> {
    let id = source.text_of(node, what)?;
    read(id).map_err(|error| {
        source
            .error(node.place, format!("unknown {} `{id}`", error.kind))
            .near(error.near.as_deref(), format!("it is one of {}", error.known.join(", ")))
    })
}

/// Reads the states of a switch, at most two.
pub(super) fn switched(
    source: &Source,
    nodes: &[Node],
    what: &str,
) -> Result<Vec<(bool, SourceLocation)>, ConfigError> {
    let values = nodes.iter().map(|node| Ok((source.switch(node, what)?, node.place)));
    let values = values.collect::<Result<Vec<_>, ConfigError>>()?;
    refuse_duplicates(source, values.iter().copied(), |&on, _| {
        format!("{what}: {} is listed twice", on_or_off(on))
    })?;
    Ok(values)
}

/// The proofs that a solver writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Proofs {
    /// None.
    Off,
    /// In its own format.
    On,
    /// One from the constraints of the file.
    File,
}

impl Proofs {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        if self == Self::File { "file" } else { on_or_off(self == Self::On) }
    }
}

/// Reads the values of `proofs`, at most three.
pub(super) fn proofs(
    source: &Source,
    nodes: &[Node],
) -> Result<Vec<(Proofs, SourceLocation)>, ConfigError> {
    let read = |node: &Node| {
        if node.is("file") {
            return Ok((Proofs::File, node.place));
        }
        let switch = source.switch(node, "`proofs`");
        let on = switch.map_err(|error| error.hint("write on, off or file"))?;
        Ok((if on { Proofs::On } else { Proofs::Off }, node.place))
    };
    let values = nodes.iter().map(read).collect::<Result<Vec<_>, ConfigError>>()?;
    refuse_duplicates(source, values.iter().copied(), |value, _| {
        format!("`proofs`: {} is listed twice", value.word())
    })?;
    Ok(values)
}

/// Reads the values of a key of solvers, `proofs` or a switch. True if one of them has an effect.
pub(super) fn has_effect(source: &Source, nodes: &[Node], key: &str) -> Result<bool, ConfigError> {
    if key == "proofs" {
        return Ok(proofs(source, nodes)?.iter().any(|(value, _)| *value != Proofs::Off));
    }
    switched(source, nodes, &format!("`{key}`")).map(|_| true)
}

/// The word for a state of a switch.
pub(super) fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
