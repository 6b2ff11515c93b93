//! The shape of a config as a JSON Schema, so that editors can complete and check it.
//!
//! A schema cannot say everything: that queens do not attack each other, or that nothing is listed
//! twice. Whatever is read without a fault fits the schema; what fits it may still be refused.

use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
use bezzel_encode::{Blocked, Constraints, Symmetry};
use serde_json::{Value, json};

use super::session::MOST_WARM_UP;
use crate::job::Task;
use crate::json_schema::{DIALECT, described, map, one_or_more, whole};
use crate::workbench::Workbench;

mod boards;
mod encodings;
mod engines;
mod solvers;
mod tools;

use boards::board;
use encodings::{encoding, line, listed};
use engines::engine;
use solvers::solver;

/// The JSON Schema (draft 2020-12) of a config for what is on this workbench.
pub fn schema(workbench: &Workbench) -> Value {
    let axes = axes(workbench);
    let included: Vec<(&str, Value)> = axes.clone();
    let own = [
        (
            "name",
            json!({
                "description": "Names the folders of the evidence and of the report.",
                "type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 100
            }),
        ),
        (
            "question",
            json!({
                "description": "What the experiment is to find out.",
                "type": "string", "maxLength": super::LONGEST_QUESTION
            }),
        ),
        (
            "extends",
            json!({
                "description": "A config beside this one whose keys are taken over, but for those \
                                that stand here.",
                "type": "string"
            }),
        ),
        (
            "simplified",
            described(
                "Whether formulas are measured after the solver's preprocessing as well; off by \
                 default.",
                switch(),
            ),
        ),
        (
            "exclude",
            described("What is taken out of the matrix.", one_or_more(&exclusion(workbench))),
        ),
        (
            "include",
            described(
                "What is run beside the matrix; what is not said here is as in the matrix.",
                one_or_more(&map(&[], &included)),
            ),
        ),
        ("limits", described("What each job may use.", limits())),
        ("repeats", whole("How often each job is run; once by default.", 1, 1_000_000)),
        ("order", order()),
        (
            "warm_up",
            whole(
                "So many first jobs are run once before, and thrown away; 1 by default.",
                0,
                MOST_WARM_UP,
            ),
        ),
        ("calibration", calibration()),
        ("parallel", whole("How many jobs run at the same time; one by default.", 1, 4096)),
    ];
    let properties: Vec<(&str, Value)> = axes.into_iter().chain(own).collect();
    let mut schema = map(&["name"], &properties);
    // A config that extends another may leave the rest to it.
    schema["anyOf"] = json!([
        {"required": ["boards", "encodings", "solvers"]},
        {"required": ["boards", "task", "engines"]},
        {"required": ["extends"]}
    ]);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A question for Bezzel".into();
    schema["$defs"] = json!({"line": line(workbench)});
    schema
}

/// The axes of a matrix.
fn axes(workbench: &Workbench) -> Vec<(&'static str, Value)> {
    let numberings = one_or_more(&json!({"anyOf": [
        {"enum": ["as-generated", "random"]},
        map(&[], &[
            ("squares", json!({
                "description": "The order of the board's squares.",
                "enum": Squares::ALL.map(Squares::id)
            })),
            ("auxiliaries", json!({
                "description": "Where the auxiliary variables stand.",
                "enum": AuxiliaryPlace::ALL.map(AuxiliaryPlace::id)
            })),
        ]),
        map(&["random"], &[("random", json!({"anyOf": [random(), {"type": "null"}]}))])
    ]}));
    let solvers = one_or_more(&solver(workbench));
    vec![
        ("boards", described("The boards.", one_or_more(&board()))),
        ("encodings", described("The encodings, by id.", one_or_more(&listed(workbench)))),
        (
            "constraints",
            described(
                "Which of the redundant constraints at-most-one encodings state; full by default.",
                one_or_more(&constraints()),
            ),
        ),
        (
            "blocked",
            described(
                "Whether blocked squares are left to the solver (units, by default) or left out of \
                 their lines.",
                one_or_more(&blocked()),
            ),
        ),
        (
            "symmetry",
            described(
                "How many of the placements that are images of each other are left; all of them by \
                 default.",
                one_or_more(&symmetry()),
            ),
        ),
        (
            "numberings",
            described(
                "How variables and literals are numbered; as-generated by default.",
                numberings,
            ),
        ),
        (
            "task",
            described(
                "What is asked: first, one solution, is that of solvers and the default; all others \
                 are those of engines.",
                one_or_more(&tasks()),
            ),
        ),
        (
            "most",
            json!({
                "description": "So many solutions are enough, where they are enumerated; all of them \
                                by default.",
                "type": "integer", "minimum": 1
            }),
        ),
        ("solvers", described("The solvers, by id.", solvers)),
        ("reencode", one_or_more_switches(REENCODE)),
        ("eliminate", one_or_more_switches(ELIMINATE)),
        ("proofs", one_or_more_switches(PROOFS)),
        (
            "engines",
            described(
                "What finds all solutions, or their number, by id.",
                one_or_more(&engine(workbench)),
            ),
        ),
    ]
}

const REENCODE: &str =
    "Whether solvers add variables for what clauses have in common; as they come by default.";
const ELIMINATE: &str = "Whether solvers resolve variables away; as they come by default.";
const PROOFS: &str = "Whether solvers that can write a proof write one; on by default.";

fn constraints() -> Value {
    json!({"enum": Constraints::ALL.map(Constraints::id)})
}

fn blocked() -> Value {
    json!({"enum": Blocked::ALL.map(Blocked::id)})
}

fn tasks() -> Value {
    json!({"enum": Task::ALL.map(Task::id)})
}

fn symmetry() -> Value {
    json!({"enum": Symmetry::ALL.map(Symmetry::id)})
}

/// On or off. Who reads YAML by an older version takes both words for true and false.
fn switch() -> Value {
    json!({"enum": ["on", "off", true, false]})
}

fn one_or_more_switches(description: &str) -> Value {
    described(description, one_or_more(&switch()))
}

/// Cells that are taken out.
fn exclusion(workbench: &Workbench) -> Value {
    let name = json!({"type": "string"});
    let board = json!({"anyOf": [
        {"description": "All of this size.", "type": "integer", "minimum": 1},
        {"description": "ROWSxCOLUMNS, or names as in the plan, with * and ?.", "type": "string"}
    ]});
    let encoding = json!({"anyOf": [encoding(workbench), name]});
    let named = |description: &str, value: &Value| described(description, one_or_more(value));
    map(
        &[],
        &[
            ("board", named("Boards.", &board)),
            ("encoding", named("Encodings, by id or by a pattern with * and ?.", &encoding)),
            ("constraints", named("Sets of constraints.", &constraints())),
            ("blocked", named("Treatments of blocked squares.", &blocked())),
            ("symmetry", named("Rules of symmetry.", &symmetry())),
            ("numbering", named("Kinds of numberings, as in the plan, with * and ?.", &name)),
            ("task", named("Tasks.", &tasks())),
            ("solver", named("Solvers, by id or by a pattern with * and ?.", &name)),
            ("reencode", one_or_more_switches("Solvers in which this is so.")),
            ("eliminate", one_or_more_switches("Solvers in which this is so.")),
            ("proofs", one_or_more_switches("Solvers of which this is so.")),
            ("engine", named("Engines, by id or by a pattern with * and ?.", &name)),
        ],
    )
}

fn order() -> Value {
    json!({
        "description": "How the cells of a round are ordered; shuffled by the seed 1 by default.",
        "anyOf": [
            {"enum": ["as-listed"]},
            map(&["seed"], &[("seed", json!({"type": "integer", "minimum": 0}))])
        ]
    })
}

fn calibration() -> Value {
    let every = time("The time from one measurement to the next, at least.");
    json!({
        "description": "A fixed formula that is solved between jobs, to see how steady the machine \
                        is; every 30 s by default.",
        "anyOf": [switch(), map(&["every"], &[("every", every)])]
    })
}

fn random() -> Value {
    let switch = |description: &str| json!({"description": description, "type": "boolean"});
    map(
        &[],
        &[
            ("shuffles", whole("How many shuffles; 10 by default.", 1, 1_000_000)),
            (
                "seed",
                json!({"description": "The first seed; 1 by default.", "type": "integer", "minimum": 0}),
            ),
            ("variables", switch("Rename the variables; so by default.")),
            ("literals", switch("Shuffle the literals of each clause; so by default.")),
            ("polarity", switch("Negate half of the variables; not so by default.")),
            ("clauses", switch("Shuffle the clauses; not so by default.")),
        ],
    )
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

fn limits() -> Value {
    let bytes = |description: &str| quantity(description, "bytes|kB|KiB|MB|MiB|GB|GiB|TiB");
    map(
        &[],
        &[
            ("cpu", time("CPU time, in seconds without a unit; 60 s by default.")),
            ("wall", time("Time by the clock; three times the CPU time by default.")),
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
