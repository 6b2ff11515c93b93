//! What is taken out of the matrix: the key `exclude`.
//!
//! An exclusion names values of some axes, and takes out the cells that have one of them on each of
//! these axes. One that takes nothing out is a mistake, and refused.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::registry::Found;
use bezzel_encode::{SettingAxis, Settings};
use bezzel_problem::{Board, Instance, UnknownId};
use bezzel_solve::Confounder;
use serde_json::{Value as Json, json};

use super::arm::Arm;
use super::axes;
use super::encodings;
use super::fields::{Field, Fields};
use super::glob::Glob;
use super::matrix::Matrix;
use super::node::{Node, Value};
use super::numberings::NumberingEntry;
use super::source::{ConfigError, Place, Source};
use super::switch;
use crate::backend::workbench::Workbench;

/// The most exclusions in a config: planning compares cells with each of them.
const MOST: usize = 64;

/// Cells that are taken out of the matrix. An axis that is not named has any value.
#[derive(Clone)]
pub struct Exclusion {
    tests: Vec<Test>,
    pub(crate) place: Place,
}

/// One part of a cell of the matrix.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    /// The instance.
    Instance(&'a Instance),
    /// The numbering; none for a job that reads none.
    Numbering(Option<&'a NumberingEntry>),
    /// The encoding, by its id, with its settings; none for a job that reads none.
    Encoding(Option<(&'a str, &'a Found, Settings)>),
    /// The solver or engine with its task.
    Arm(&'a Arm),
}

/// A predicate over the parts of a cell: true if the part is meant; none for a part that it is not about.
pub(super) type Test = Arc<dyn Fn(Part<'_>) -> Option<bool> + Send + Sync>;

/// A key of exclusions.
pub(super) struct Excluded {
    pub(super) field: Field,
    /// Reads the values.
    pub(super) read: Box<Read>,
}

/// Makes a predicate of the values of a key.
type Read = dyn Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError>;

/// Where the values of a key are read.
pub(super) struct Reading<'a> {
    key: &'static str,
    source: &'a Source,
    matrix: &'a Matrix,
    workbench: &'a Workbench,
}

impl fmt::Debug for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exclusion").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Exclusion {
    /// True if this part of a cell is among those that are meant.
    pub(crate) fn names(&self, part: Part<'_>) -> bool {
        self.tests.iter().all(|test| test(part) != Some(false))
    }
}

/// The exclusions from a matrix, by these keys.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    keys: &[&Excluded],
    matrix: &Matrix,
    workbench: &Workbench,
) -> Result<Vec<Exclusion>, ConfigError> {
    if let Some(node) = nodes.get(MOST) {
        let message = format!("`exclude` has more than {MOST} entries");
        return Err(source.error(node.place, message).hint("an entry may list several values"));
    }
    let known: Vec<Field> = keys.iter().map(|key| key.field).collect();
    let entry = |node: &Node| {
        let fields = Fields::new(source, node, "an exclusion", &known)?;
        if fields.len() == 0 {
            let message = "an exclusion must say what is taken out";
            let example = "as in `{board: 40, encoding: pairwise}`";
            return Err(source.error(node.place, message).hint(example));
        }
        let mut tests = Vec::new();
        for key in keys {
            if let Some(nodes) = fields.list(key.field.name)? {
                let reading = Reading { key: key.field.name, source, matrix, workbench };
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
    fits: impl Fn(&T, Part<'_>) -> Option<bool> + Send + Sync + 'static,
) -> Test {
    Arc::new(move |part| {
        let mut fitting = values.iter().map(|value| fits(value, part));
        let first = fitting.next()??;
        Some(first || fitting.any(|fits| fits == Some(true)))
    })
}

/// The same about solvers and engines.
fn any_arm<T: Send + Sync + 'static>(
    values: Vec<T>,
    fits: impl Fn(&T, &Arm) -> bool + Send + Sync + 'static,
) -> Test {
    any(values, move |value, part| match part {
        Part::Arm(arm) => Some(fits(value, arm)),
        _ => None,
    })
}

/// Boards, by size or by name.
pub(super) fn boards(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    let mut meant = HashSet::new();
    for node in nodes {
        meant.extend(boards_of(of.source, node, of.matrix)?);
    }
    Ok(any_instance(meant))
}

/// The predicate that the instance is one of these.
fn any_instance(meant: HashSet<Instance>) -> Test {
    Arc::new(move |part| match part {
        Part::Instance(instance) => Some(meant.contains(instance)),
        _ => None,
    })
}

/// Instances, by name or pattern.
pub(super) fn problems(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    let instances = || of.matrix.instances.iter().map(|entry| &entry.instance);
    let globs = of.globs(nodes, instances().map(ToString::to_string))?;
    let is_meant = |instance: &&Instance| {
        let name = instance.to_string();
        globs.iter().any(|glob| glob.matches(&name))
    };
    Ok(any_instance(instances().filter(is_meant).cloned().collect()))
}

/// Encodings, by id or pattern.
pub(super) fn encodings(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    let ids = of.matrix.encodings.iter().map(|entry| entry.id.clone());
    Ok(any(of.globs(nodes, ids)?, |glob, part| match part {
        Part::Encoding(encoding) => Some(encoding.is_some_and(|(id, ..)| glob.matches(id))),
        _ => None,
    }))
}

/// Values of a setting. An encoding that does not have the setting has none of its values.
pub(super) fn setting(
    axis: &'static SettingAxis,
) -> impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> {
    move |of, nodes| {
        let values = of.matrix.settings.iter().find(|values| values.axis.key == axis.key);
        let there = values.map(|values| &values.names[..]).unwrap_or_default();
        let names = axes::setting(of.source, nodes, axis)?;
        of.refuse_absent(nodes, &names, there)?;
        Ok(any(names, |name, part| match part {
            Part::Encoding(encoding) => Some(encoding.is_some_and(|(_, found, settings)| {
                found.has(axis) && axis.name(&settings).as_ref() == Some(name)
            })),
            _ => None,
        }))
    }
}

/// Numberings, by kind or pattern.
pub(super) fn numberings(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    let ids = of.matrix.numberings.iter().map(|entry| entry.numbering(0).id());
    Ok(any(of.globs(nodes, ids)?, |glob, part| match part {
        Part::Numbering(entry) => {
            Some(entry.is_some_and(|entry| glob.matches(&entry.numbering(0).id())))
        }
        _ => None,
    }))
}

/// Tasks.
pub(super) fn tasks(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    let there: Vec<_> = of.matrix.arms.iter().map(|arm| arm.task).collect();
    let tasks = axes::tasks(of.source, nodes)?;
    of.refuse_absent(nodes, &tasks, &there)?;
    Ok(any_arm(tasks, |task, arm| *task == arm.task))
}

/// Solvers or engines, by id or pattern.
pub(super) fn arms(
    is_meant: fn(&Arm) -> bool,
) -> impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> {
    move |of, nodes| {
        let arms = of.matrix.arms.iter().filter(|arm| is_meant(arm));
        let globs = of.globs(nodes, arms.map(|arm| arm.id.clone()))?;
        Ok(any_arm(globs, move |glob, arm| is_meant(arm) && glob.matches(&arm.id)))
    }
}

/// Solvers by the state of a switch, which not every one has.
fn switched(
    of: &Reading<'_>,
    nodes: &[Node],
    state: impl Fn(&Arm) -> Option<bool> + Send + Sync + 'static,
) -> Result<Test, ConfigError> {
    let key = of.key;
    let states: Vec<bool> = of.matrix.arms.iter().filter_map(&state).collect();
    let values = switch::axis(of.source, nodes, &format!("`{key}`"))?;
    for (value, place) in &values {
        if !states.contains(value) {
            let message = format!("`{key}` is {} in no solver here", switch::word(*value));
            return Err(of.source.error(*place, message).hint("so this takes nothing out"));
        }
    }
    let values = values.into_iter().map(|(value, _)| value).collect();
    Ok(any_arm(values, move |value, arm| state(arm) == Some(*value)))
}

/// Solvers by a confounder.
pub(super) fn confounder(
    confounder: Confounder,
) -> impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> {
    move |of, nodes| switched(of, nodes, move |arm| arm.state(confounder))
}

/// Solvers by whether they write proofs.
pub(super) fn proofs(of: &Reading<'_>, nodes: &[Node]) -> Result<Test, ConfigError> {
    switched(of, nodes, |arm| arm.can_prove.then_some(arm.proof.is_some()))
}

impl Reading<'_> {
    /// Names with `*` and `?`, each of which fits one of these.
    fn globs(
        &self,
        nodes: &[Node],
        names: impl Iterator<Item = String>,
    ) -> Result<Vec<Glob>, ConfigError> {
        let names: Vec<String> = names.collect();
        let what = format!("`{}`", self.key);
        let globs =
            nodes.iter().map(|node| named(self.source, node, &what, &names, self.workbench));
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
                let message = format!("{written} takes nothing out: it is not in the matrix");
                return Err(self.source.error(node.place, message));
            }
        }
        Ok(())
    }
}

/// What is not there to be taken out.
fn absent(source: &Source, node: &Node, near: Option<&str>, there: &str) -> ConfigError {
    let written = source.written(node.place);
    let message = format!("{written} takes nothing out: it is not in the matrix");
    source.error(node.place, message).near(near, format!("there are {there}"))
}

/// The most names that are shown when none fits.
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
            instance.board().is_some_and(|board| (board.rows(), board.columns()) == (rows, columns))
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

/// Names with `*` and `?`, or a name; one that the matrix has.
fn named(
    source: &Source,
    node: &Node,
    what: &str,
    names: &[String],
    workbench: &Workbench,
) -> Result<Glob, ConfigError> {
    let name = match &node.value {
        // An encoding may be called otherwise, or be put together.
        Value::Map(_) if what == "`encoding`" => encodings::one(source, node, workbench)?.id,
        _ => source.text_of(node, what)?.to_owned(),
    };
    let glob = Glob::new(&name);
    if names.iter().any(|known| glob.matches(known)) {
        return Ok(glob);
    }
    if what == "`encoding`" && !Glob::is_meant(&name) {
        let id = encodings::one(source, node, workbench)?.id;
        if names.contains(&id) {
            return Ok(Glob::new(&id));
        }
    }
    let near = UnknownId::new("name", &name, names).near;
    Err(absent(source, node, near.as_deref(), &shown(names)))
}
