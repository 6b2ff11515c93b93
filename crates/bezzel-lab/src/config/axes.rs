//! The axes whose values have ids: what is set beside an encoding.

use std::fmt::Display;
use std::hash::Hash;
use std::str::FromStr;

use bezzel_encode::{Blocked, Constraints, Symmetry, UnknownId};

use super::node::Node;
use super::source::{ConfigError, Place, Source};
use super::twins::refuse_twins;
use crate::job::Task;

/// An id that nothing bears.
pub(super) fn unknown(
    source: &Source,
    place: Place,
    unknown: &UnknownId,
    kinds: &str,
) -> ConfigError {
    source
        .error(place, format!("unknown {} `{}`", unknown.kind, unknown.id))
        .near(unknown.near.as_deref(), format!("`bezzel list` shows the {kinds}"))
}

/// Sets of constraints.
pub(super) fn constraints(
    source: &Source,
    nodes: &[Node],
) -> Result<Vec<Constraints>, ConfigError> {
    let ids = Constraints::ALL.map(Constraints::id);
    settings(source, nodes, "the set of constraints", &ids)
}

/// Ways to treat blocked squares.
pub(super) fn blocked(source: &Source, nodes: &[Node]) -> Result<Vec<Blocked>, ConfigError> {
    settings(source, nodes, "the treatment of blocked squares", &Blocked::ALL.map(Blocked::id))
}

/// Rules of symmetry.
pub(super) fn symmetry(source: &Source, nodes: &[Node]) -> Result<Vec<Symmetry>, ConfigError> {
    settings(source, nodes, "the rule of symmetry", &Symmetry::ALL.map(Symmetry::id))
}

/// What is asked.
pub(super) fn tasks(source: &Source, nodes: &[Node]) -> Result<Vec<Task>, ConfigError> {
    settings(source, nodes, "the task", &Task::ALL.map(Task::id))
}

/// The values of a setting, each of which has a name; `what` describes one of them.
fn settings<T>(
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
