//! Engines, as the schema has them.

use serde_json::{Value, json};

use super::tools;
use crate::engine::counter;
use crate::json_schema::map;
use crate::workbench::Workbench;

/// One engine: an id, an id with options, or a program that counts.
pub(in crate::config) fn engine(workbench: &Workbench) -> Value {
    let ids = workbench.engines.cards().into_iter().map(|card| card.id);
    let ids = tools::named(ids.chain(counter::PRESETS.iter().map(|preset| preset.id.into())));
    let [command, version] = counter::KEYS;
    let program = map(
        &[command],
        &[
            (
                command,
                tools::line(
                    "The command line of a program that counts, with {cnf} for the formula's file.",
                ),
            ),
            (version, tools::line("The command line that prints its version.")),
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
