//! Engines, as the schema has them.

use serde_json::{Value, json};

use super::tools;
use crate::backend::workbench::Workbench;
use crate::model::job::BackendKind;
use crate::model::json_schema::map;

/// One engine: an id, an id with options, or a program that counts.
pub(in crate::config) fn engine(workbench: &Workbench) -> Value {
    let ids = workbench.backends.of(BackendKind::Engine).map(|backend| backend.name());
    let ids = tools::named(ids);
    let program = map(
        &["counter"],
        &[
            (
                "counter",
                tools::line(
                    "The command line of a program that counts, with {cnf} for the formula's file.",
                ),
            ),
            ("version", tools::line("The command line that prints its version.")),
        ],
    );
    json!({"anyOf": [
        ids,
        program,
        map(&["id"], &[
            ("id", ids.clone()),
            ("options", tools::options("The engine's own options.")),
        ])
    ]})
}
