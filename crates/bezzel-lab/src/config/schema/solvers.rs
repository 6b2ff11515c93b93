//! Solvers, as the schema has them.

use serde_json::{Value, json};

use super::{ELIMINATE, PROOFS, REENCODE, one_or_more_switches, tools};
use crate::backend::command;
use crate::backend::workbench::Workbench;
use crate::model::job::BackendKind;
use crate::model::json_schema::{described, map};

/// One solver: an id, an id with options and switches, or a program.
pub(in crate::config) fn solver(workbench: &Workbench) -> Value {
    let ids = workbench.backends.of(BackendKind::Solver).map(|backend| backend.name());
    let ids = tools::named(ids);
    let seed = json!({"type": "integer", "minimum": 0});
    let program = map(
        &["command"],
        &[
            (
                "command",
                tools::line(
                    "The command line of a program that solves, with {cnf} for the formula's file; \
                     it is read from standard input if that is not there.",
                ),
            ),
            ("version", tools::line("The command line that prints its version.")),
            (
                "proof",
                json!({"description": "The format of the proof in {proof}.", "enum": command::PROOFS}),
            ),
            (
                "answer",
                json!({"description": "Where the answer stands.", "enum": command::ANSWERS}),
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
            ("options", tools::options("The solver's own options.")),
            ("reencode", one_or_more_switches(REENCODE)),
            ("eliminate", one_or_more_switches(ELIMINATE)),
            ("proofs", one_or_more_switches(PROOFS)),
        ])
    ]})
}
