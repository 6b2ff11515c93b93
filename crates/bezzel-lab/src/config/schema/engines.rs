//! Engines, as the schema has them.

use serde_json::{Value, json};

use crate::engine::counter;
use crate::json_schema::map;
use crate::workbench::Workbench;

/// One engine: an id, an id with options, or a program that counts.
pub(super) fn engine(workbench: &Workbench) -> Value {
    let ids = workbench.engines.cards().into_iter().map(|card| card.id);
    let ids: Vec<String> =
        ids.chain(counter::PRESETS.iter().map(|preset| preset.id.into())).collect();
    // What begins so is a program in one line.
    let ids = json!({"anyOf": [{"enum": ids}, {"type": "string", "pattern": "^\\s*\\{"}]});
    let line = |description: &str| json!({"description": description, "type": "string", "pattern": "[^ ]"});
    let [command, version] = counter::KEYS;
    let program = map(
        &[command],
        &[
            (
                command,
                line(
                    "The command line of a program that counts, with {cnf} for the formula's file.",
                ),
            ),
            (version, line("The command line that prints its version.")),
        ],
    );
    json!({"anyOf": [
        ids,
        program,
        map(&["id"], &[
            ("id", ids.clone()),
            ("options", json!({
                "description": "The engine's own options.",
                "type": "object",
                "additionalProperties": {"type": ["boolean", "number"]}
            })),
        ])
    ]})
}
