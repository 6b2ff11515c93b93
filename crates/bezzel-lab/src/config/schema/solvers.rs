//! Solvers, as the schema has them.

use serde_json::{Value, json};

use super::{ELIMINATE, PROOFS, REENCODE, one_or_more_switches};
use crate::json_schema::{described, map};
use crate::solver_program;
use crate::workbench::Workbench;

/// One solver: an id, an id with options and switches, or a program.
pub(super) fn solver(workbench: &Workbench) -> Value {
    let linked = workbench.solvers.cards().into_iter().map(|card| card.id);
    let ids: Vec<String> =
        linked.chain(solver_program::PRESETS.iter().map(|preset| preset.id.into())).collect();
    // What begins so is a program in one line.
    let ids = json!({"anyOf": [{"enum": ids}, {"type": "string", "pattern": "^\\s*\\{"}]});
    let line = |description: &str| json!({"description": description, "type": "string", "pattern": "[^ ]"});
    let seed = json!({"type": "integer", "minimum": 0});
    let program = map(
        &["command"],
        &[
            (
                "command",
                line(
                    "The command line of a program that solves, with {cnf} for the formula's file; \
                     it is read from standard input if that is not there.",
                ),
            ),
            ("version", line("The command line that prints its version.")),
            (
                "proof",
                json!({"description": "The format of the proof in {proof}.", "enum": solver_program::PROOFS}),
            ),
            (
                "answer",
                json!({"description": "Where the answer stands.", "enum": solver_program::ANSWERS}),
            ),
            ("options", described("What goes to {seed}.", map(&[], &[("seed", seed)]))),
            ("proofs", one_or_more_switches(PROOFS)),
        ],
    );
    json!({"anyOf": [
        ids,
        program,
        map(&["id"], &[
            ("id", ids.clone()),
            ("options", json!({
                "description": "The solver's own options.",
                "type": "object",
                "additionalProperties": {"type": ["boolean", "number"]}
            })),
            ("reencode", one_or_more_switches(REENCODE)),
            ("eliminate", one_or_more_switches(ELIMINATE)),
            ("proofs", one_or_more_switches(PROOFS)),
        ])
    ]})
}
