//! What solvers and engines have in common in the schema: both are named by ids, or by a command line.

use serde_json::{Value, json};

/// One of these ids, or a program in one line.
pub(super) fn named(ids: impl Iterator<Item = String>) -> Value {
    let ids: Vec<String> = ids.collect();
    // What begins so is a program in one line.
    json!({"anyOf": [{"enum": ids}, {"type": "string", "pattern": "^\\s*\\{"}]})
}

/// A command line.
pub(super) fn line(description: &str) -> Value {
    json!({"description": description, "type": "string", "pattern": "[^ ]"})
}

/// Its own options.
pub(super) fn options(description: &str) -> Value {
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": {"type": ["boolean", "number"]}
    })
}
