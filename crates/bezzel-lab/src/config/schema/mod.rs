//! The shapes of the values in a config, as a JSON Schema has them.

use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
use serde_json::{Value, json};

use crate::model::json_schema::{described, map, one_or_more, whole};

mod boards;
mod encodings;
mod engines;
mod solvers;
mod tools;

pub(super) use boards::board;
pub(super) use encodings::{encoding, line, listed};
pub(super) use engines::engine;
pub(super) use solvers::solver;

pub(super) const REENCODE: &str =
    "Re-encoding in solvers, by variables for what clauses have in common.";
pub(super) const ELIMINATE: &str = "Elimination of variables in solvers, by resolution.";
pub(super) const PROOFS: &str = "Proofs are written by the solvers that can write one.";

/// On or off. A reader of an older version of YAML takes both words for true and false.
pub(super) fn switch() -> Value {
    json!({"enum": ["on", "off", true, false]})
}

fn one_or_more_switches(description: &str) -> Value {
    described(description, one_or_more(&switch()))
}

/// Boards in an exclusion.
pub(super) fn board_pattern() -> Value {
    json!({"anyOf": [
        {"description": "All of this size.", "type": "integer", "minimum": 1},
        {"description": "ROWSxCOLUMNS, or names as in the plan, with * and ?.", "type": "string"}
    ]})
}

pub(super) fn order() -> Value {
    json!({
        "anyOf": [
            {"enum": ["as-listed"]},
            map(&["seed"], &[("seed", json!({"type": "integer", "minimum": 0}))])
        ]
    })
}

pub(super) fn calibration() -> Value {
    let every = time("The time from one measurement to the next, at least.");
    json!({
        "anyOf": [switch(), map(&["every"], &[("every", every)])]
    })
}

/// A numbering: as generated, in an order, at random, and how often it is shuffled.
pub(super) fn numbering() -> Value {
    let order = [
        (
            "squares",
            json!({
                "description": "The order of the board's squares.",
                "enum": Squares::ALL.map(Squares::id)
            }),
        ),
        (
            "auxiliaries",
            json!({
                "description": "Where the auxiliary variables stand.",
                "enum": AuxiliaryPlace::ALL.map(AuxiliaryPlace::id)
            }),
        ),
        ("variables", json!({"description": "An order renames none at random.", "enum": [false]})),
    ];
    let ordered = map(&[], &[&order[..], &shuffling()].concat());
    let renamed = ("variables", switch_of("Rename the variables; so by default."));
    let random = map(&[], &[&[renamed][..], &shuffling()].concat());
    json!({"anyOf": [
        {"enum": ["as-generated", "random"]},
        ordered,
        map(&["random"], &[("random", json!({"anyOf": [random, {"type": "null"}]}))])
    ]})
}

/// What says how a numbering is shuffled.
fn shuffling() -> [(&'static str, Value); 5] {
    [
        ("shuffles", whole("How many shuffles; 10 by default.", 1, 1_000_000)),
        (
            "seed",
            json!({"description": "The first seed; 1 by default.", "type": "integer", "minimum": 0}),
        ),
        ("literals", switch_of("Shuffle the literals of each clause; so by default.")),
        ("polarity", switch_of("Negate half of the variables; not so by default.")),
        ("clauses", switch_of("Shuffle the clauses; not so by default.")),
    ]
}

fn switch_of(description: &str) -> Value {
    json!({"description": description, "type": "boolean"})
}

fn quantity(description: &str, units: &str) -> Value {
    json!({
        "description": description,
        "type": "string",
        "pattern": format!("^[0-9]+([.][0-9]+)?\\s*({units})$")
    })
}

fn time(description: &str) -> Value {
    let text = quantity("With its unit.", "ms|s|min|h");
    json!({"description": description, "anyOf": [{"type": "number", "minimum": 0.01}, text]})
}

pub(super) fn limits() -> Value {
    let bytes = |description: &str| quantity(description, "bytes|kB|KiB|MB|MiB|GB|GiB|TiB");
    map(
        &[],
        &[
            ("cpu", time("CPU time, in seconds without a unit; 60 s by default.")),
            ("wall", time("Time by the clock; ten times the CPU time by default.")),
            ("memory", bytes("Memory; 4 GiB by default.")),
            (
                "nodes",
                json!({
                    "description": "Nodes of a diagram, or states, that an engine may keep; as many \
                                    as the memory holds by default.",
                    "type": "integer", "minimum": 1
                }),
            ),
            ("proof", bytes("The largest proof that is checked; 4 GiB by default.")),
        ],
    )
}
