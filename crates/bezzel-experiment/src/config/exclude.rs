//! Exclusions from the matrix: the key `exclude`.
//!
//! An exclusion names values of some axes. It removes the cells that have one of these values on each of these axes.
//! An exclusion that removes nothing is refused.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{SettingAxis, Settings};
use bezzel_problem::{Instance, UnknownId};
use bezzel_queens::Board;
use bezzel_solve::Inprocessing;
use serde_json::{Value as Json, json};

use super::arm::Arm;
use super::axes;
use super::encodings;
use super::fields::{Fields, KeySpec};
use super::glob::Glob;
use super::matrix::Matrix;
use super::node::{Node, Value};
use super::numberings::NumberingEntry;
use super::source::{ConfigError, Source, SourceLocation};
use super::switch;
use crate::backend::catalog::Catalog;

/// The largest number of exclusions in a config. Planning compares cells with each of them.
const MAX_EXCLUSIONS: usize = 64;

/// Cells that are removed from the matrix. An axis that is not named has any value.
#[derive(Clone)]
pub struct Exclusion {
    tests: Vec<Predicate>,
    pub(crate) place: SourceLocation,
}

/// One part of a cell of the matrix.
#[derive(Clone, Copy)]
pub(crate) enum CellPart<'a> {
    /// The instance.
    Instance(&'a Instance),
    /// The numbering; none for a job that reads none.
    Numbering(Option<&'a NumberingEntry>),
    /// The encoding, by its id, with its settings; none for a job that reads none.
    Encoding(Option<(&'a str, &'a NamedEncoding, Settings)>),
    /// The solver or engine with its task.
    Arm(&'a Arm),
}

/// A predicate over the parts of a cell: true if the part is meant; none for parts of another kind.
pub(super) type Predicate = Arc<dyn Fn(CellPart<'_>) -> Option<bool> + Send + Sync>;

/// A key of exclusions.
pub(super) struct ExclusionKey {
    pub(super) field: KeySpec,
    /// Reads the values.
    pub(super) read: Box<ReadPredicate>,
}

/// The function that makes a predicate from the values of a key.
type ReadPredicate = dyn Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError>;

/// The context in which the values of a key are read.
pub(super) struct ExclusionContext<'a> {
    key: &'static str,
    source: &'a Source,
    matrix: &'a Matrix,
    catalog: &'a Catalog,
}

impl fmt::Debug for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exclusion").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Exclusion {
    /// True if no test of the exclusion is false for this part of a cell.
    pub(crate) fn names(&self, part: CellPart<'_>) -> bool {
        self.tests.iter().all(|test| test(part) != Some(false))
    }
}

/// The exclusions from a matrix, by these keys.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    keys: &[&ExclusionKey],
    matrix: &Matrix,
    catalog: &Catalog,
) -> Result<Vec<Exclusion>, ConfigError> {
    if let Some(node) = nodes.get(MAX_EXCLUSIONS) {
        let message = format!("`exclude` has more than {MAX_EXCLUSIONS} entries");
        return Err(source.error(node.place, message).hint("an entry may list several values"));
    }
    let known: Vec<KeySpec> = keys.iter().map(|key| key.field).collect();
    let entry = |node: &Node| {
        let fields = Fields::new(source, node, "an exclusion", &known)?;
        if fields.len() == 0 {
            let message = "an exclusion needs a key";
            let example = "as in `{board: 40, encoding: pairwise}`";
            return Err(source.error(node.place, message).hint(example));
        }
        let mut tests = Vec::new();
        for key in keys {
            if let Some(nodes) = fields.list(key.field.name)? {
                let reading = ExclusionContext { key: key.field.name, source, matrix, catalog };
                tests.push((key.read)(&reading, nodes)?);
            }
        }
        Ok(Exclusion { tests, place: node.place })
    };
    nodes.iter().map(entry).collect()
}

/// The predicate that one of the values fits.
fn any<T: Send + Sync + 'static>(
    values: Vec<T>,
    fits: impl Fn(&T, CellPart<'_>) -> Option<bool> + Send + Sync + 'static,
) -> Predicate {
    Arc::new(move |part| {
        let mut fitting = values.iter().map(|value| fits(value, part));
        let first = fitting.next()??;
        Some(first || fitting.any(|fits| fits == Some(true)))
    })
}

/// Returns the predicate that one of the values fits a solver or an engine.
fn any_arm<T: Send + Sync + 'static>(
    values: Vec<T>,
    fits: impl Fn(&T, &Arm) -> bool + Send + Sync + 'static,
) -> Predicate {
    any(values, move |value, part| match part {
        CellPart::Arm(arm) => Some(fits(value, arm)),
        _ => None,
    })
}

/// Boards, by size or by name.
pub(super) fn boards(of: &ExclusionContext<'_>, nodes: &[Node]) -> Result<Predicate, ConfigError> {
    let mut meant = HashSet::new();
    for node in nodes {
        meant.extend(boards_of(of.source, node, of.matrix)?);
    }
    Ok(any_instance(meant))
}

/// The predicate that the instance is one of these.
fn any_instance(meant: HashSet<Instance>) -> Predicate {
    Arc::new(move |part| match part {
        CellPart::Instance(instance) => Some(meant.contains(instance)),
        _ => None,
    })
}

/// Instances, by name or pattern.
pub(super) fn problems(
    of: &ExclusionContext<'_>,
    nodes: &[Node],
) -> Result<Predicate, ConfigError> {
    let instances = || of.matrix.instances.iter().map(|entry| &entry.instance);
    let globs = of.globs(nodes, instances().map(ToString::to_string))?;
    let is_meant = |instance: &&Instance| {
        let name = instance.to_string();
        globs.iter().any(|glob| glob.matches(&name))
    };
    Ok(any_instance(instances().filter(is_meant).cloned().collect()))
}

/// Encodings, by id or pattern.
pub(super) fn encodings(
    of: &ExclusionContext<'_>,
    nodes: &[Node],
) -> Result<Predicate, ConfigError> {
    let ids = of.matrix.encodings.iter().map(|entry| entry.id.clone());
    Ok(any(of.globs(nodes, ids)?, |glob, part| match part {
        CellPart::Encoding(encoding) => Some(encoding.is_some_and(|(id, ..)| glob.matches(id))),
        _ => None,
    }))
}

/// Reads values of a setting. An encoding without the setting has none of its values.
pub(super) fn setting(
    axis: &'static SettingAxis,
) -> impl Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError> {
    move |of, nodes| {
        let values = of.matrix.settings.iter().find(|values| values.axis.key == axis.key);
        let there = values.map(|values| &values.names[..]).unwrap_or_default();
        let names = axes::setting(of.source, nodes, axis)?;
        of.refuse_absent(nodes, &names, there)?;
        Ok(any(names, |name, part| match part {
            CellPart::Encoding(encoding) => Some(encoding.is_some_and(|(_, found, settings)| {
                found.has(axis) && axis.name(&settings).as_ref() == Some(name)
            })),
            _ => None,
        }))
    }
}

/// Numberings, by kind or pattern.
pub(super) fn numberings(
    of: &ExclusionContext<'_>,
    nodes: &[Node],
) -> Result<Predicate, ConfigError> {
    let ids = of.matrix.numberings.iter().map(|entry| entry.numbering(0).id());
    Ok(any(of.globs(nodes, ids)?, |glob, part| match part {
        CellPart::Numbering(entry) => {
            Some(entry.is_some_and(|entry| glob.matches(&entry.numbering(0).id())))
        }
        _ => None,
    }))
}

/// Tasks.
pub(super) fn tasks(of: &ExclusionContext<'_>, nodes: &[Node]) -> Result<Predicate, ConfigError> {
    let there: Vec<_> = of.matrix.arms.iter().map(|arm| arm.task).collect();
    let tasks = axes::tasks(of.source, nodes)?;
    of.refuse_absent(nodes, &tasks, &there)?;
    Ok(any_arm(tasks, |task, arm| *task == arm.task))
}

/// Solvers or engines, by id or pattern.
pub(super) fn arms(
    is_meant: fn(&Arm) -> bool,
) -> impl Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError> {
    move |of, nodes| {
        let arms = of.matrix.arms.iter().filter(|arm| is_meant(arm));
        let globs = of.globs(nodes, arms.map(|arm| arm.id.clone()))?;
        Ok(any_arm(globs, move |glob, arm| is_meant(arm) && glob.matches(&arm.id)))
    }
}

/// Reads the states of a switch of solvers. A solver may lack the switch.
fn switched(
    of: &ExclusionContext<'_>,
    nodes: &[Node],
    state: impl Fn(&Arm) -> Option<bool> + Send + Sync + 'static,
) -> Result<Predicate, ConfigError> {
    let key = of.key;
    let states: Vec<bool> = of.matrix.arms.iter().filter_map(&state).collect();
    let values = switch::axis(of.source, nodes, &format!("`{key}`"))?;
    for (value, place) in &values {
        if !states.contains(value) {
            let message = format!("`{key}` is {} in no solver here", switch::word(*value));
            return Err(of.source.error(*place, message).hint("so this removes nothing"));
        }
    }
    let values = values.into_iter().map(|(value, _)| value).collect();
    Ok(any_arm(values, move |value, arm| state(arm) == Some(*value)))
}

/// Reads the states of the switch of a confounder.
pub(super) fn confounder(
    confounder: Inprocessing,
) -> impl Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError> {
    move |of, nodes| switched(of, nodes, move |arm| arm.state(confounder))
}

/// Reads the states of `proofs`: on for solvers that write proofs.
pub(super) fn proofs(of: &ExclusionContext<'_>, nodes: &[Node]) -> Result<Predicate, ConfigError> {
    switched(of, nodes, |arm| arm.can_prove.then_some(arm.proof.is_some()))
}

impl ExclusionContext<'_> {
    /// Reads names with `*` and `?`. Each must fit one of `names`.
    fn globs(
        &self,
        nodes: &[Node],
        names: impl Iterator<Item = String>,
    ) -> Result<Vec<Glob>, ConfigError> {
        let names: Vec<String> = names.collect();
        let what = format!("`{}`", self.key);
        let globs = nodes.iter().map(|node| named(self.source, node, &what, &names, self.catalog));
        globs.collect()
    }

    /// Refuses values that the matrix does not have.
    fn refuse_absent<T: PartialEq>(
        &self,
        nodes: &[Node],
        wanted: &[T],
        there: &[T],
    ) -> Result<(), ConfigError> {
        for (value, node) in wanted.iter().zip(nodes) {
            if !there.contains(value) {
                let written = self.source.written(node.place);
                let message = format!("{written} removes nothing: it is not in the matrix");
                return Err(self.source.error(node.place, message));
            }
        }
        Ok(())
    }
}

/// Returns the error of a value that the matrix does not have.
fn absent(source: &Source, node: &Node, near: Option<&str>, there: &str) -> ConfigError {
    let written = source.written(node.place);
    let message = format!("{written} removes nothing: it is not in the matrix");
    source.error(node.place, message).near(near, format!("there are {there}"))
}

/// The largest number of names that are shown if none fits.
const SHOWN: usize = 8;

fn shown(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    names[..names.len().min(SHOWN)].join(", ") + more
}

/// The schema of boards, by size or by name.
pub(super) fn board_schema() -> Json {
    json!({"anyOf": [
        {"description": "All of this size.", "type": "integer", "minimum": 1},
        {"description": "ROWSxCOLUMNS, or names as in the plan, with * and ?.", "type": "string"}
    ]})
}

/// The boards of the matrix that a size or a name means.
fn boards_of(source: &Source, node: &Node, matrix: &Matrix) -> Result<Vec<Instance>, ConfigError> {
    let of = |is_meant: &dyn Fn(&Instance) -> bool| -> Vec<Instance> {
        let boards = matrix.instances.iter().map(|entry| &entry.instance);
        boards.filter(|board| is_meant(board)).cloned().collect()
    };
    let of_size = |rows, columns| {
        of(&|instance| {
            Board::of(instance)
                .is_some_and(|board| (board.rows(), board.columns()) == (rows, columns))
        })
    };
    let meant = if let Value::Text(text) = &node.value {
        if let Ok(board) = Board::read_size(text) {
            of_size(board.rows(), board.columns())
        } else {
            let glob = Glob::new(text);
            of(&|board| glob.matches(&board.to_string()))
        }
    } else {
        let size = source.whole(node, "`board`", 1..=u32::MAX.into())? as u32;
        of_size(size, size)
    };
    if !meant.is_empty() {
        return Ok(meant);
    }
    let names: Vec<_> = matrix.instances.iter().map(|entry| entry.instance.to_string()).collect();
    let near = match &node.value {
        Value::Text(text) => UnknownId::new("board", text, &names).near,
        _ => None,
    };
    Err(absent(source, node, near.as_deref(), &shown(&names)))
}

/// Reads a name, or a pattern with `*` and `?`, that fits one of `names`.
fn named(
    source: &Source,
    node: &Node,
    what: &str,
    names: &[String],
    catalog: &Catalog,
) -> Result<Glob, ConfigError> {
    let name = match &node.value {
        // An encoding may be named by an alias or by a map.
        Value::Map(_) if what == "`encoding`" => encodings::one(source, node, catalog)?.id,
        _ => source.text_of(node, what)?.to_owned(),
    };
    // A command line may have signs of a pattern.
    let glob = if names.contains(&name) { Glob::exact(&name) } else { Glob::new(&name) };
    if names.iter().any(|known| glob.matches(known)) {
        return Ok(glob);
    }
    if what == "`encoding`" && !Glob::is_meant(&name) {
        let id = encodings::one(source, node, catalog)?.id;
        if names.contains(&id) {
            return Ok(Glob::exact(&id));
        }
    }
    if catalog.is_for_records {
        return Ok(glob);
    }
    let near = UnknownId::new("name", &name, names).near;
    Err(absent(source, node, near.as_deref(), &shown(names)))
}
