//! The shape of a line of `rows.jsonl` as a JSON Schema.
//!
//! Every object here is strict: what is not in the schema is not in a row. Names of values come
//! from the types themselves, and a test holds the names of keys against them.

use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
use bezzel_encode::{Geometry, Piece, Settings};
use bezzel_solve::{Answer, ProofFormat};
use serde::Deserialize;
use serde_json::{Value, json};

use super::told::names_of;
use super::{DIALECT, described, map, named};
use crate::model::job::{MeasuredBy, Task};
use crate::model::row::{EvidenceKind, Finding, Isolation, Stop, Verdict};

/// The JSON Schema (draft 2020-12) of a line of `rows.jsonl`, of every format there has been.
pub fn row_schema() -> Value {
    let format = json!({
        "description": "The format of the line; 1 where nothing is said.",
        "type": "integer", "minimum": 1, "maximum": crate::model::row::FORMAT
    });
    let key = json!({
        "description": "The key of the job: BLAKE3 of the job, the encoding's revision and the \
                        solver's version.",
        "type": "string", "pattern": "^[0-9a-f]{32}$"
    });
    let digest = json!({
        "description": "The digest of the clauses that the solver received.",
        "type": ["string", "null"], "pattern": "^[0-9a-f]{32}$"
    });
    let mut schema = map(
        REQUIRED,
        &[
            ("format", format),
            ("key", key),
            ("job", job()),
            ("encoding_revision", count("The revision of the encoding that was measured.")),
            ("solver_version", text("The version of the solver that was run.")),
            ("answer", one_of::<Answer>("What the solver answered.")),
            ("verdict", one_of::<Verdict>("What the judge makes of it.")),
            ("evidence", or_null(&evidence())),
            ("stop", one_of::<Stop>("How the run came to its end.")),
            ("note", or_null(&text("What was out of order, in words."))),
            ("formula", or_null(&formula())),
            ("clause_digest", digest),
            ("generate_cpu_s", or_null(&seconds("CPU time of the first pass, which only counts."))),
            (
                "load_cpu_s",
                or_null(&seconds("CPU time of generating, numbering, digesting and loading.")),
            ),
            ("solve_cpu_s", or_null(&seconds("CPU time of solving."))),
            ("decode_cpu_s", seconds("CPU time of reading the queens off the model.")),
            ("check_cpu_s", seconds("CPU time of holding every clause against the model.")),
            ("cpu_s", seconds("CPU time of the whole process.")),
            ("wall_s", seconds("Time by the clock of the whole process.")),
            ("memory_peak_bytes", or_null(&count("The largest resident memory."))),
            ("effort", effort()),
            ("queens", or_null(&squares("The queens of the answer."))),
            ("all", all()),
            ("circuit", circuit()),
            ("propagation", propagation()),
            ("proof", proof()),
            ("simplified", simplified()),
            ("additions", additions()),
            ("isolation", one_of::<Isolation>("How the limits were enforced.")),
            ("core", count("The core that the job was bound to.")),
            ("started_unix_s", number("Seconds since 1970 at the start.")),
            ("session", count("The entry in environment.json, counted from 0.")),
            (
                "seal",
                json!({
                    "description": "BLAKE3 of the line without it.",
                    "type": "string", "pattern": "^[0-9a-f]{16}$"
                }),
            ),
        ],
    );
    // From format 2 on, lines end in a seal, and none did before.
    schema["anyOf"] = json!([
        {"required": ["format", "seal"]},
        {"properties": {"format": {"enum": [1]}, "seal": false}}
    ]);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A line of Bezzel's evidence".into();
    schema
}

/// What every line has, of whatever format.
const REQUIRED: &[&str] = &[
    "key",
    "job",
    "encoding_revision",
    "solver_version",
    "answer",
    "verdict",
    "evidence",
    "stop",
    "note",
    "formula",
    "clause_digest",
    "generate_cpu_s",
    "load_cpu_s",
    "solve_cpu_s",
    "cpu_s",
    "wall_s",
    "memory_peak_bytes",
    "effort",
    "queens",
    "isolation",
    "started_unix_s",
    "session",
];

fn job() -> Value {
    let solver_options = json!({
        "description": "The options with which the solver runs, in its own words.",
        "type": "object", "additionalProperties": {"type": ["boolean", "number"]}
    });
    let mut required =
        vec!["board", "encoding", "numbering", "solver", "options", "task", "repeat", "limits"];
    let mut keys = vec![
        ("board", board()),
        ("encoding", text("The encoding's id; `none` where an engine reads the board itself.")),
        ("numbering", numbering()),
        (
            "solver",
            text(
                "The solver's id; of engines' tasks the engine's; `none` where nothing is solved.",
            ),
        ),
        ("options", solver_options),
        ("task", one_of::<Task>("What is asked.")),
        ("most", count("So many solutions are enough, where they are enumerated.")),
        ("repeat", count("Which repetition of the same run this is, counted from 1.")),
        ("limits", limits()),
        ("proof", one_of::<ProofFormat>("The format of the proof that the solver writes.")),
        (
            "simplified",
            json!({
                "description": "Whether the formula is measured after preprocessing as well.",
                "type": "boolean"
            }),
        ),
        ("measured_by", one_of::<MeasuredBy>("Who measures it.")),
    ];
    for axis in Settings::AXES {
        let value = described(axis.in_rows, named(&axis.names(), axis.pattern));
        if axis.is_nullable() {
            required.push(axis.key);
        }
        keys.push((axis.key, if axis.is_nullable() { or_null(&value) } else { value }));
    }
    let mut job = map(&required, &keys);
    job["description"] = "The job. What is at its default is left out.".into();
    job
}

fn board() -> Value {
    let side = |description: &str| described(description, json!({"type": "integer", "minimum": 1}));
    map(
        &["size", "geometry", "piece", "queens", "blocked"],
        &[
            ("size", side("The number of rows.")),
            ("columns", side("The number of columns, where it is another one.")),
            ("geometry", one_of::<Geometry>("Whether opposite edges are joined.")),
            ("piece", one_of::<Piece>("What stands on it.")),
            ("queens", squares("Squares that hold a queen.")),
            ("blocked", squares("Squares that hold none.")),
        ],
    )
}

fn squares(description: &str) -> Value {
    json!({
        "description": format!("{description} Rows and columns are counted from 1."),
        "type": "array",
        "items": {
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": {"type": "integer", "minimum": 1}
        }
    })
}

fn numbering() -> Value {
    let seed = |description: &str| count(&format!("The seed by which {description}."));
    map(
        &[],
        &[
            ("squares", one_of::<Squares>("The order of the squares.")),
            ("auxiliaries", one_of::<AuxiliaryPlace>("The place of the auxiliary variables.")),
            ("variables", seed("variables are renamed")),
            ("literals", seed("the literals of each clause are shuffled")),
            ("polarity", seed("half of the variables are negated")),
            ("clauses", seed("clauses are shuffled")),
        ],
    )
}

fn limits() -> Value {
    map(
        &["cpu_s", "wall_s", "memory_bytes"],
        &[
            ("cpu_s", seconds("CPU time.")),
            ("wall_s", seconds("Time by the clock.")),
            ("memory_bytes", count("Memory.")),
            ("nodes", count("Nodes or states that may be kept at a time.")),
        ],
    )
}

fn evidence() -> Value {
    map(
        &["kind", "source"],
        &[
            ("kind", one_of::<EvidenceKind>("What the verdict rests on.")),
            ("source", text("Where it comes from, in words.")),
        ],
    )
}

fn formula() -> Value {
    let lengths = json!({
        "description": "The number of clauses of each length.",
        "type": "object", "additionalProperties": {"type": "integer", "minimum": 0}
    });
    let section = map(
        &["name", "variables", "lengths"],
        &[
            ("name", text("What the encoding calls the section.")),
            ("variables", count("Variables first made in it.")),
            ("lengths", lengths),
        ],
    );
    map(
        &["variables", "primary", "clauses", "literals", "sections"],
        &[
            ("variables", count("Variables, auxiliary ones included.")),
            ("primary", count("Variables that say where the queens are.")),
            ("clauses", count("Clauses.")),
            ("literals", count("Literal occurrences.")),
            ("sections", json!({"type": "array", "items": section})),
        ],
    )
}

fn effort() -> Value {
    let told = |description: &str| or_null(&count(description));
    map(
        &["conflicts", "decisions", "propagations", "restarts", "ticks"],
        &[
            ("conflicts", told("Conflicts.")),
            ("decisions", told("Decisions.")),
            ("propagations", told("Propagated literals.")),
            ("restarts", told("Restarts.")),
            ("ticks", told("Cache lines touched, as CaDiCaL estimates them.")),
        ],
    )
}

fn all() -> Value {
    let digits = json!({
        "description": "How many solutions, or models, there are, or were found: decimal digits.",
        "type": "string", "pattern": "^(0|[1-9][0-9]*)$"
    });
    let digest = json!({
        "description": "The digest of the set of solutions, where they were listed.",
        "type": "string", "pattern": "^[0-9a-f]{32}$"
    });
    let diagram = map(
        &[],
        &[
            ("nodes", count("Nodes of the finished diagram, terminals not counted.")),
            ("peak_nodes", count("The most nodes that were kept at a time.")),
            ("peak_states", count("The most states that were kept at a time.")),
        ],
    );
    map(
        &["count", "whole"],
        &[
            ("count", digits),
            (
                "whole",
                json!({
                    "description": "Whether these are all, or as many as were asked for.",
                    "type": "boolean"
                }),
            ),
            ("digest", digest),
            ("diagram", diagram),
            (
                "auxiliaries",
                json!({
                    "description": "What the encoding promises of its auxiliary variables, where models \
                                    were counted.",
                    "enum": ["none", "defined", "free"]
                }),
            ),
        ],
    )
}

fn circuit() -> Value {
    let section = map(
        &["name", "written", "built", "reachable"],
        &[
            ("name", text("The section, as its source calls it.")),
            ("written", count("Operations that the source writes down.")),
            ("built", count("Gates that were built.")),
            ("reachable", count("Built gates on which some requirement depends.")),
        ],
    );
    json!({
        "description": "The operations of the circuit behind the formula, where its size was asked for.",
        "type": "array", "items": section
    })
}

fn propagation() -> Value {
    let marks = |description: &str| {
        json!({
            "description": format!(
                "{description} Of each square Q, a queen, x, empty, or a dot; a / between rows."
            ),
            "type": "string", "pattern": "^[Qx./]*$"
        })
    };
    let is = |description: &str| json!({"description": description, "type": "boolean"});
    let truth = map(
        &["solvable"],
        &[
            ("solvable", is("Whether the board has a solution.")),
            ("implied", marks("What all solutions agree on.")),
        ],
    );
    map(
        &["conflict", "propagate_cpu_s"],
        &[
            ("conflict", is("Whether it came to a conflict.")),
            ("found", marks("What it knows of the board.")),
            ("truth", truth),
            ("propagate_cpu_s", seconds("CPU time of propagating.")),
        ],
    )
}

fn proof() -> Value {
    map(
        &["format", "finding", "bytes", "steps", "check_cpu_s", "check_memory_peak_bytes", "note"],
        &[
            ("format", one_of::<ProofFormat>("Its format.")),
            ("finding", one_of::<Finding>("What the checker found.")),
            ("bytes", or_null(&count("The size of the proof."))),
            ("steps", or_null(&count("The clauses that it adds, as far as it was read."))),
            ("check_cpu_s", or_null(&seconds("CPU time of the checker's process."))),
            (
                "check_memory_peak_bytes",
                or_null(&count("The largest resident memory of the checker's process.")),
            ),
            ("note", or_null(&text("Why it was not accepted, in words."))),
        ],
    )
}

fn simplified() -> Value {
    map(
        &["variables", "clauses", "literals", "answer"],
        &[
            ("variables", count("Variables that are neither fixed nor eliminated.")),
            ("clauses", count("Irredundant clauses.")),
            ("literals", count("Their literals.")),
            ("answer", one_of::<Answer>("The answer, if preprocessing found it.")),
        ],
    )
}

fn additions() -> Value {
    map(
        &["variables", "across_lines"],
        &[
            ("variables", count("Variables that re-encoding added.")),
            ("across_lines", count("Those of them whose squares are not all on one line.")),
        ],
    )
}

/// One of the variants of an enum, by the names that rows have for them.
fn one_of<T: for<'de> Deserialize<'de>>(description: &str) -> Value {
    json!({"description": description, "enum": names_of::<T>()})
}

fn text(description: &str) -> Value {
    json!({"description": description, "type": "string"})
}

fn number(description: &str) -> Value {
    json!({"description": description, "type": "number"})
}

fn seconds(description: &str) -> Value {
    json!({"description": format!("{description} In seconds."), "type": "number", "minimum": 0})
}

fn count(description: &str) -> Value {
    json!({"description": description, "type": "integer", "minimum": 0})
}

/// This, or nothing.
fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

#[cfg(test)]
mod tests;
