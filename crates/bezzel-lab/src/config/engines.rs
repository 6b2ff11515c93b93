//! Engines in configs: by id, by a map with their options, or as programs that count:
//! `{counter: "ganak {cnf}"}`.

use std::sync::Arc;

use bezzel_solve::Options;

use super::arm::{Arm, refuse_equal};
use super::axes::unknown;
use super::fields::Fields;
use super::node::{Node, Value};
use super::options;
use super::programs;
use super::source::{ConfigError, Source};
use crate::engine::{Engine, FindEngineError, counter};
use crate::job::Task;
use crate::solver_program::{self, Malformed};
use crate::workbench::Workbench;

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
    let is_program = programs::has_key(node, &counter::KEYS);
    let own = match &node.value {
        Value::Map(_) if is_program => {
            Some(Fields::new(source, node, "an engine that is a program", &counter::KEYS)?)
        }
        // What has no id may have been meant for a program.
        Value::Map(_) if !programs::has_key(node, &["id"]) => {
            let keys = [&counter::KEYS[..], &ENTRY_KEYS].concat();
            Some(Fields::new(source, node, "an engine", &keys)?)
        }
        Value::Map(_) => Some(Fields::new(source, node, "an engine", &ENTRY_KEYS)?),
        _ => None,
    };
    let (named, engine) = match &own {
        Some(fields) if is_program => (node, program(source, node, fields, workbench)?),
        Some(fields) => {
            let named = fields.need("id", "id: backtrack")?;
            (named, find(source, named, workbench)?)
        }
        None => (node, find(source, node, workbench)?),
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

/// The program of a map.
fn program(
    source: &Source,
    node: &Node,
    fields: &Fields<'_>,
    workbench: &Workbench,
) -> Result<Arc<dyn Engine>, ConfigError> {
    let mut parts = Vec::new();
    for key in counter::KEYS {
        if let Some(value) = fields.get(key) {
            let line = source.text_of(value, &format!("`{key}`"))?;
            parts.push(format!("{key}: {}", solver_program::spelled(line)));
        }
    }
    let name = format!("{{{}}}", parts.join(", "));
    workbench.engine(&name).map_err(|error| {
        let FindEngineError::Malformed(Malformed { key, what, .. }) = error else {
            return source.error(node.place, error.to_string());
        };
        let value = key.and_then(|key| fields.get(&key));
        source.error(value.map_or(node.place, |value| value.place), what)
    })
}

/// The engine of a name.
fn find(
    source: &Source,
    node: &Node,
    workbench: &Workbench,
) -> Result<Arc<dyn Engine>, ConfigError> {
    let name = source.text_of(node, "an engine")?;
    match workbench.engine(name) {
        Ok(engine) => Ok(engine),
        Err(FindEngineError::Unknown(error)) => {
            let unknown = unknown(source, node.place, &error, "engines");
            if workbench.solver(name).is_ok() {
                return Err(unknown.hint(format!("`{name}` is a solver, and finds one solution")));
            }
            Err(unknown)
        }
        Err(error) => Err(source.error(node.place, error.to_string())),
    }
}
