//! Solvers that are programs, in configs: `{command: "kissat --seed={seed} {cnf}"}`.

use std::sync::Arc;

use bezzel_solve::Solver;

use super::axes::unknown;
use super::fields::Fields;
use super::node::{Node, Value};
use super::source::{ConfigError, Source};
use crate::solver_program::{self, FindSolverError, Invocation, KEYS, Malformed};
use crate::workbench::Workbench;

/// Whether a node is a map with one of these keys.
pub(super) fn has_key(node: &Node, keys: &[&str]) -> bool {
    let Value::Map(entries) = &node.value else { return false };
    let is_one =
        |key: &Node| matches!(&key.value, Value::Text(key) if keys.contains(&key.as_str()));
    entries.iter().any(|(key, _)| is_one(key))
}

/// The solver of a name.
pub(super) fn find<'n>(
    source: &Source,
    node: &'n Node,
    workbench: &Workbench,
) -> Result<(&'n Node, Arc<dyn Solver>), ConfigError> {
    let name = source.text_of(node, "a solver")?;
    match workbench.solver(name) {
        Ok(solver) => Ok((node, solver)),
        Err(FindSolverError::Unknown(error)) => {
            let unknown = unknown(source, node.place, &error, "solvers");
            if workbench.engine(name).is_ok() {
                let mend = "give it under `engines`, with a task, as in `task: count`";
                return Err(unknown.hint(format!("`{name}` is an engine: {mend}")));
            }
            Err(unknown)
        }
        Err(error) => Err(source.error(node.place, error.to_string())),
    }
}

/// The program of a map.
pub(super) fn read(
    source: &Source,
    node: &Node,
    fields: &Fields<'_>,
) -> Result<Arc<dyn Solver>, ConfigError> {
    let mut parts = Vec::new();
    for key in KEYS {
        if let Some(value) = fields.get(key) {
            parts.push((key.to_owned(), source.text_of(value, &format!("`{key}`"))?.to_owned()));
        }
    }
    let call = Invocation::of(&parts).map_err(|Malformed { key, what, near }| {
        let value = key.and_then(|key| fields.get(&key));
        let error = source.error(value.map_or(node.place, |value| value.place), what);
        match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    })?;
    Ok(solver_program::of_call(call))
}
