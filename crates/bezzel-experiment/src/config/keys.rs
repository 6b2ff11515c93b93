//! The keys of configs, in one table. The reader's list of keys, those of `include`, and the table in `docs/configs.md`
//! follow from it.

use bezzel_encode::Settings;

use super::fields::{KeyRow, names};
use super::report;

/// The keys before the axes.
const NAMES: [KeyRow; 3] = [
    ("name", "The name of the folders of evidence and report.", "must be there"),
    ("question", "The question that the experiment is to answer.", ""),
    (
        "extends",
        "Another config, in the folder of this one or below it. Its keys hold unless this config has them.",
        "",
    ),
];

/// The axes before the settings of encodings.
const AXES: [KeyRow; 2] = [
    (
        "problems",
        "The instances (docs/problems.md): a map with the kind, such as `queens`, and its keys, or with `file`.",
        "must be there",
    ),
    (
        "encodings",
        "The encodings: ids, patterns over ids, mixtures (an encoding for each family of lines), cut-offs (one encoding \
         for short lines, one for long ones), programs.",
        "must be there if a formula is read",
    ),
];

/// The axes after the settings of encodings.
const FURTHER_AXES: [KeyRow; 8] = [
    (
        "numberings",
        "The numberings of the formula (variable orders and scramblings), with shuffles (docs/numberings.md).",
        "`as-generated`",
    ),
    (
        "task",
        "The task: `solve`, one solution, and `optimise`, the best value of an objective, for solvers; `enumerate`, \
         `count` and `models` for engines; `size` and `propagate`, which measure the formula alone.",
        "`solve`",
    ),
    ("max_solutions", "The number of solutions after which an enumeration ends.", "all of them"),
    (
        "solvers",
        "The solvers with their options, for the tasks `solve` and `optimise`.",
        "must be there for them",
    ),
    (
        "bva",
        "Bounded variable addition (BVA) in solvers: new variables for common parts of clauses.",
        "the default of the solver",
    ),
    (
        "bve",
        "Bounded variable elimination (BVE) in solvers, by resolution.",
        "the default of the solver",
    ),
    (
        "proofs",
        "Proofs are written by the solvers that can write one: on, off, or `file` for one from the constraints of the \
         file to the answer, which VeriPB checks.",
        "`on`",
    ),
    (
        "engines",
        "The engines with their options, for the tasks about all solutions.",
        "must be there for them",
    ),
];

/// The keys after those of the report.
const RUN: [KeyRow; 8] = [
    ("simplified", "Formulas are measured after the solver's preprocessing as well.", "`off`"),
    (
        "exclude",
        "Cells that are removed from the matrix, by patterns over the names in the plan.",
        "",
    ),
    (
        "include",
        "Cells in addition to the matrix. An entry takes missing keys from the matrix.",
        "",
    ),
    (
        "limits",
        "The limits of each job: `cpu`, `wall`, `memory`, and `nodes` (of the diagram of an engine).",
        "`cpu` 60 s, `wall` 10 · `cpu`, `memory` 4 GiB, `nodes` as many as memory holds",
    ),
    ("repeats", "The number of times that each job is run.", "1"),
    ("warm_up", "The number of first jobs that run once before the measurement, as warm-up.", "1"),
    (
        "calibration",
        "A fixed formula that is solved between jobs to measure the noise of the machine.",
        "`on`, every 30 s",
    ),
    ("parallel", "The number of jobs that run at the same time.", "1"),
];

/// The axes of a matrix, which are the keys of an entry of `include`.
pub(super) fn axes() -> Vec<&'static str> {
    let settings = Settings::AXES.iter().map(|axis| axis.key);
    names(&AXES).chain(settings).chain(names(&FURTHER_AXES)).collect()
}

/// The names of all keys, in the order in which they are listed.
pub(super) fn all() -> Vec<&'static str> {
    names(&NAMES).chain(axes()).chain(report::keys()).chain(names(&RUN)).collect()
}

/// The table of keys in `docs/configs.md`.
pub(super) fn markdown() -> String {
    let row = |name: &str, about: &str, default: &str| {
        let default = if default.is_empty() { "–" } else { default };
        format!("| `{name}` | {} | {default} |\n", about.trim_end_matches('.'))
    };
    let rows = |rows: &'static [KeyRow]| {
        rows.iter().map(move |(name, about, default)| row(name, about, default))
    };
    let settings = Settings::AXES.iter();
    let settings = settings.map(|axis| row(axis.key, axis.about, &format!("`{}`", axis.default())));
    let head = "| key | meaning | if it is absent |\n| --- | --- | --- |\n".to_owned();
    let axes = rows(&AXES).chain(settings).chain(rows(&FURTHER_AXES));
    let all = std::iter::once(head).chain(rows(&NAMES)).chain(axes);
    all.chain(rows(&report::FIELDS)).chain(rows(&RUN)).collect()
}
