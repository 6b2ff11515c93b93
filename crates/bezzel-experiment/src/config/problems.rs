//! The instances of an experiment: the key `problems`.
//!
//! An entry names one kind, with a value that this kind reads. `shuffles` and `family` stand beside it, and for files
//! the use of their objective. Instances are generated when the config is read, so jobs and rows contain the instances
//! themselves.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use bezzel_problem::{Goal, Instance, Kind as _, ProblemFile, kinds};
use serde_json::Value as Json;

use super::entry_kind::EntryKind;
use super::fields::Fields;
use super::instances::{InstanceEntry, OF_ENTRIES, of_entry};
use super::node::{self, Node};
use super::read_entry::{KindKey, ReadEntry};
use super::source::{ConfigError, Source, SourceLocation};
use crate::config::Value;
use crate::results::store::Attached;

/// The readers that plug-ins added.
static ADDED: RwLock<Vec<Arc<dyn ReadEntry>>> = RwLock::new(Vec::new());

/// Adds the reader of the entries of a kind to those of this process. A reader with the name of an added one takes its
/// place.
pub fn add_reader(reader: impl ReadEntry + 'static) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.retain(|known| known.name() != reader.name());
    added.push(Arc::new(reader));
}

/// The readers of all kinds: those of plug-ins, then those of kinds with lists of keys.
fn readers() -> Vec<Arc<dyn ReadEntry>> {
    let mut readers = ADDED.read().unwrap_or_else(PoisonError::into_inner).clone();
    for (name, keys, make) in kinds().with_entries() {
        readers.push(Arc::new(EntryKind { name, keys, make }));
    }
    readers
}

/// The key beside `file` that states the use of an objective.
const OBJECTIVE: &str = "objective";

/// Reads the instances, and adds the files from which some of them were read.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    files: &mut Vec<Attached>,
) -> Result<Vec<InstanceEntry>, ConfigError> {
    let mut instances = Vec::new();
    for node in nodes {
        instances.extend(entry(source, node, files)?);
    }
    Ok(instances)
}

/// Reads an entry that an argument of a command gives: its data, and its instances. The files that it names are
/// relative to `folder`.
///
/// # Errors
///
/// As for an entry of a config; the place is in the argument.
pub fn given(
    argument: &str,
    text: &str,
    folder: &Path,
) -> Result<(Json, Vec<Instance>), ConfigError> {
    let source = Source::of_argument(argument, text, folder);
    let node = node::parse(&source, 0)?;
    let entries = read(&source, std::slice::from_ref(&node), &mut Vec::new())?;
    let data = node.data().ok_or_else(|| source.fault("a key of an entry is a word"))?;
    Ok((data, entries.into_iter().map(|entry| entry.instance).collect()))
}

fn entry(
    source: &Source,
    node: &Node,
    files: &mut Vec<Attached>,
) -> Result<Vec<InstanceEntry>, ConfigError> {
    let readers = readers();
    let kinds = readers.iter().map(|kind| kind.name());
    let known: Vec<&str> = kinds.chain([OBJECTIVE]).chain(OF_ENTRIES).collect();
    if let Value::Text(path) = &node.value
        && path.contains(['.', '/'])
    {
        let message =
            format!("a problem must be a map, not text: write `{{file: {path}}}` for a file");
        return Err(source.error(node.place, message));
    }
    let fields = Fields::new(source, node, "a problem", &known)?;
    let stated: Vec<_> =
        readers.iter().filter_map(|kind| Some((kind, fields.get(kind.name())?))).collect();
    let [(kind, value)] = stated[..] else {
        let message = match stated[..] {
            [(one, _), (other, _), ..] => {
                format!("a problem has one kind, not `{}` and `{}`", one.name(), other.name())
            }
            _ => "a problem must name its kind".to_owned(),
        };
        let example = "as in `{latin-square: {order: 10, holes: 42 %, seeds: 1..10}}`";
        return Err(source.error(node.place, message).hint(example));
    };
    let (shuffles, family) = of_entry(source, &fields)?;
    let objectives = match fields.list(OBJECTIVE)? {
        Some([node, ..]) if kind.name() != ProblemFile::ID => {
            let message = format!("`objective` is for files, and `{}` is none", kind.name());
            return Err(source.error(node.place, message).hint("remove it"));
        }
        Some(nodes) => Some(objectives(source, nodes)?),
        None => None,
    };
    let mut instances = kind.read(source, value, files)?;
    if let Some(objectives) = objectives {
        instances = under_objectives(source, &instances, &objectives)?;
    }
    for entry in &mut instances {
        entry.shuffles = shuffles;
        entry.family.clone_from(&family);
    }
    Ok(instances)
}

/// Reads the uses of an objective.
fn objectives(source: &Source, nodes: &[Node]) -> Result<Vec<(Goal, SourceLocation)>, ConfigError> {
    let read = |node: &Node| {
        let goal = source.text_of(node, "`objective`")?.parse();
        goal.map(|goal| (goal, node.place)).map_err(|error: String| source.error(node.place, error))
    };
    nodes.iter().map(read).collect()
}

/// Returns each file under each use of its objective.
fn under_objectives(
    source: &Source,
    entries: &[InstanceEntry],
    objectives: &[(Goal, SourceLocation)],
) -> Result<Vec<InstanceEntry>, ConfigError> {
    let (mut instances, mut faults) = (Vec::new(), Vec::new());
    for file in entries.iter().filter_map(|entry| entry.instance.file()) {
        for (goal, place) in objectives {
            match file.with_goal(goal.clone()) {
                Ok(file) => instances.push(InstanceEntry::new(file.into(), *place)),
                Err(error) => {
                    faults.push(source.error(*place, format!("{}: {error}", file.name())));
                }
            }
        }
    }
    ConfigError::joined(faults).map_or(Ok(instances), Err)
}

/// The table of kinds with their keys in `docs/problems.md`.
pub(super) fn markdown() -> String {
    let head = "| kind | key | values | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    let row = |kind: &str, key: &KindKey| {
        let need = if key.required { " (required)" } else { "" };
        let values =
            key.form.map_or_else(|| "[boards.md](boards.md)".to_owned(), |form| form.to_string());
        let about = key.about.trim_end_matches('.');
        format!("| `{kind}` | `{}`{need} | {values} | {about} |\n", key.name)
    };
    let readers = readers();
    let rows =
        readers.iter().flat_map(|kind| kind.keys().into_iter().map(|key| row(kind.name(), &key)));
    std::iter::once(head).chain(rows).collect()
}
