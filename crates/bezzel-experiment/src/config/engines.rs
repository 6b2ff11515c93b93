//! Engines in configs: by id, by a map with their options, or as programs that count:
//! `{counter: "ganak {cnf}"}`.

use bezzel_solve::Options;

use super::arm::{Arm, refuse_equal};
use super::node::Node;
use super::options;
use super::programs::{BackendKeys, ConfigBackend};
use super::source::{ConfigError, Source};
use crate::backend::catalog::Catalog;
use crate::model::job::{BackendKind, Task};

fn known() -> BackendKeys {
    BackendKeys::new(BackendKind::Engine, &["options"], &[])
}

/// Each engine with each of the tasks.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    tasks: &[Task],
    max_solutions: Option<u64>,
    catalog: &Catalog,
) -> Result<Vec<Arm>, ConfigError> {
    let mut arms = Vec::with_capacity(nodes.len() * tasks.len());
    for &task in tasks {
        let max_solutions = max_solutions.filter(|_| task == Task::Enumerate);
        for node in nodes {
            arms.push(Arm { task, max_solutions, ..entry(source, node, catalog)? });
        }
    }
    refuse_equal(source, &arms, "engine")?;
    Ok(arms)
}

fn entry(source: &Source, node: &Node, catalog: &Catalog) -> Result<Arm, ConfigError> {
    let known = known();
    let ConfigBackend { backend: engine, named, given, place, .. } =
        known.read(source, node, catalog)?;
    let id = engine.name();
    let stated = given.map_or(Ok(Options::new()), |node| options::read(source, node))?;
    let refused = |error| options::refused(source, &id, place, given, &error);
    let options = catalog.settings(engine.as_ref(), &stated).map_err(refused)?;
    let default = engine.settings(&Options::new()).unwrap_or_default();
    let mut differing_options = options.clone();
    differing_options.retain(|name, value| default.get(name) != Some(value));
    Ok(Arm {
        backend: Some(engine.clone()),
        options: options.into(),
        differing_options,
        named,
        ..Arm::new(id, Task::default(), engine.reads(), place)
    })
}
