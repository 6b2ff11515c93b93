//! Solvers and engines in configs: by a name, or as programs, as in
//! `{command: "kissat --seed={seed} {cnf}"}` and `{counter: "ganak {cnf}"}`.

use std::sync::Arc;

use super::axes::unknown;
use super::fields::Fields;
use super::node::{Node, Value};
use super::source::{ConfigError, Source};
use crate::backend::command::{Command, Invocation, Malformed, keys};
use crate::backend::workbench::Workbench;
use crate::backend::{Backend, FindBackendError};
use crate::model::job::BackendKind;

/// True for a map with one of these keys.
pub(super) fn has_key(node: &Node, keys: &[&str]) -> bool {
    let Value::Map(entries) = &node.value else { return false };
    let is_one =
        |key: &Node| matches!(&key.value, Value::Text(key) if keys.contains(&key.as_str()));
    entries.iter().any(|(key, _)| is_one(key))
}

/// The backend of a name.
pub(super) fn find(
    source: &Source,
    node: &Node,
    kind: BackendKind,
    workbench: &Workbench,
) -> Result<Arc<dyn Backend>, ConfigError> {
    let (what, list, other) = match kind {
        BackendKind::Solver => ("a solver", "solvers", BackendKind::Engine),
        BackendKind::Engine => ("an engine", "engines", BackendKind::Solver),
    };
    let name = source.text_of(node, what)?;
    workbench.backends.find(kind, name).map_err(|error| {
        let FindBackendError::Unknown(error) = error else {
            return source.error(node.place, error.to_string());
        };
        let unknown = unknown(source, node.place, &error, list);
        if workbench.backends.find(other, name).is_err() {
            return unknown;
        }
        unknown.hint(match kind {
            BackendKind::Solver => format!(
                "`{name}` is an engine: give it under `engines`, with a task, as in `task: count`"
            ),
            BackendKind::Engine => format!("`{name}` is a solver, and finds one solution"),
        })
    })
}

/// The program of a map.
pub(super) fn read(
    source: &Source,
    node: &Node,
    fields: &Fields<'_>,
    kind: BackendKind,
) -> Result<Arc<dyn Backend>, ConfigError> {
    let mut parts = Vec::new();
    for &key in keys(kind) {
        if let Some(value) = fields.get(key) {
            parts.push((key.to_owned(), source.text_of(value, &format!("`{key}`"))?.to_owned()));
        }
    }
    let call = Invocation::of(kind, &parts).map_err(|Malformed { key, what, near }| {
        let value = key.and_then(|key| fields.get(&key));
        let error = source.error(value.map_or(node.place, |value| value.place), what);
        match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    })?;
    Ok(Arc::new(Command::from(call)))
}
