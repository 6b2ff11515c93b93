//! Engines in configs: by id, by a map with their options, or as programs that count:
//! `{counter: "ganak {cnf}"}`.

use bezzel_solve::Options;

use super::arm::{Arm, refuse_equal};
use super::fields::Fields;
use super::node::{Node, Value};
use super::options;
use super::programs;
use super::source::{ConfigError, Source};
use crate::backend::command::keys;
use crate::backend::workbench::Workbench;
use crate::model::job::{BackendKind, Task};

/// The keys of one engine.
const ENTRY_KEYS: [&str; 2] = ["id", "options"];

/// Each engine with each of the tasks.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    tasks: &[Task],
    most: Option<u64>,
    workbench: &Workbench,
) -> Result<Vec<Arm>, ConfigError> {
    let mut arms = Vec::with_capacity(nodes.len() * tasks.len());
    for &task in tasks {
        let most = most.filter(|_| task == Task::Enumerate);
        for node in nodes {
            arms.push(Arm { task, most, ..entry(source, node, workbench)? });
        }
    }
    refuse_equal(source, &arms, "engine")?;
    Ok(arms)
}

fn entry(source: &Source, node: &Node, workbench: &Workbench) -> Result<Arm, ConfigError> {
    let program_keys = keys(BackendKind::Engine);
    let is_program = programs::has_key(node, program_keys);
    let own = match &node.value {
        Value::Map(_) if is_program => {
            Some(Fields::new(source, node, "an engine that is a program", program_keys)?)
        }
        // What has no id may have been meant for a program.
        Value::Map(_) if !programs::has_key(node, &["id"]) => {
            let keys = [program_keys, &ENTRY_KEYS].concat();
            Some(Fields::new(source, node, "an engine", &keys)?)
        }
        Value::Map(_) => Some(Fields::new(source, node, "an engine", &ENTRY_KEYS)?),
        _ => None,
    };
    let (named, engine) = match &own {
        Some(fields) if is_program => {
            (node, programs::read(source, node, fields, BackendKind::Engine)?)
        }
        Some(fields) => {
            let named = fields.need("id", "id: backtrack")?;
            (named, programs::find(source, named, BackendKind::Engine, workbench)?)
        }
        None => (node, programs::find(source, node, BackendKind::Engine, workbench)?),
    };
    let id = engine.name();
    let given = own.as_ref().and_then(|fields| fields.get("options"));
    let stated = given.map_or(Ok(Options::new()), |node| options::read(source, node))?;
    let refused = |error| options::refused(source, &id, named.place, given, &error);
    let options = engine.settings(&stated).map_err(refused)?;
    let default = engine.settings(&Options::new()).unwrap_or_default();
    let mut told = options.clone();
    told.retain(|name, value| default.get(name) != Some(value));
    Ok(Arm {
        backend: Some(engine.clone()),
        options: options.into(),
        task: Task::default(),
        most: None,
        reads: engine.reads(),
        proof: None,
        switches: Vec::new(),
        can_prove: false,
        told,
        place: named.place,
        id,
    })
}
