//! The keys of configs, in one table. The reader's list of keys, those of `include`, the JSON Schema and the table in
//! `docs/configs.md` follow from it.

use bezzel_encode::Settings;
use serde_json::{Value, json};

use super::fields::{KeySpec, ValueForm, map_of};
use super::solvers::{self, BVA, BVE, PROOFS};
use super::{encodings, engines, exclude, limits, numberings, problems, report};
use crate::backend::catalog::Catalog;
use crate::model::job::Task;
use crate::model::json_schema::DIALECT;

/// The largest number of warm-up jobs.
const MAX_WARM_UP: u64 = 1_000;

/// The keys before the axes.
const NAMES: [KeySpec; 3] = [
    KeySpec::new(
        "name",
        "The name of the folders of evidence and report.",
        ValueForm::Of(
            |_| json!({"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 100}),
        ),
    )
    .required()
    .absent("must be there"),
    KeySpec::new(
        "question",
        "The question that the experiment is to answer.",
        ValueForm::Of(|_| json!({"type": "string", "maxLength": super::LONGEST_QUESTION})),
    ),
    KeySpec::new(
        "extends",
        "Another config, in the folder of this one or below it. Its keys hold unless this config has them.",
        ValueForm::Text,
    ),
];

/// The axes before the settings of encodings.
const AXES: [KeySpec; 2] = [
    KeySpec::new(
        "problems",
        "The instances: a map with the kind, such as `queens`, and its keys.",
        ValueForm::Of(problems::schema),
    )
    .listed()
    .absent("must be there"),
    KeySpec::new(
        "encodings",
        "The encodings: ids, patterns over ids, mixtures (an encoding for each family of lines), cut-offs (one encoding \
         for short lines, one for long ones), programs.",
        ValueForm::Of(encodings::listed_schema),
    )
    .listed()
    .absent("must be there if a formula is read"),
];

/// The axes after the settings of encodings.
const FURTHER_AXES: [KeySpec; 8] = [
    KeySpec::new(
        "numberings",
        "The numberings of the formula (variable orders and scramblings), with shuffles.",
        ValueForm::Of(numberings::schema),
    )
    .listed()
    .absent("`as-generated`"),
    KeySpec::new(
        "task",
        "The task: `solve`, one solution, and `optimise`, the best value of an objective, for solvers; `enumerate`, \
         `count` and `models` for engines; `size` and `propagate`, which measure the formula alone.",
        ValueForm::Name(|| {
            Task::ALL.into_iter().map(Task::id).collect()
        }),
    )
    .listed()
    .absent("`solve`"),
    KeySpec::new(
        "max_solutions",
        "The number of solutions after which an enumeration ends.",
        ValueForm::Whole(1, u64::MAX),
    )
    .absent("all of them"),
    KeySpec::new(
        "solvers",
        "The solvers with their options, for the tasks `solve` and `optimise`.",
        ValueForm::Of(solvers::schema),
    )
    .listed()
    .absent("must be there for them"),
    BVA,
    BVE,
    PROOFS,
    KeySpec::new(
        "engines",
        "The engines with their options, for the tasks about all solutions.",
        ValueForm::Of(engines::schema),
    )
    .listed()
    .absent("must be there for them"),
];

/// The keys after those of the report.
const RUN: [KeySpec; 8] = [
    KeySpec::new(
        "simplified",
        "Formulas are measured after the solver's preprocessing as well.",
        ValueForm::Switch,
    )
    .absent("`off`"),
    KeySpec::new(
        "exclude",
        "Cells that are removed from the matrix, by patterns over the names in the plan.",
        ValueForm::Of(|catalog| map_of(&exclude::keys(), catalog)),
    )
    .listed(),
    KeySpec::new(
        "include",
        "Cells in addition to the matrix. An entry takes missing keys from the matrix.",
        ValueForm::Of(|catalog| map_of(&axes(), catalog)),
    )
    .listed(),
    KeySpec::new(
        "limits",
        "The limits of each job: `cpu`, `wall`, `memory`, and `nodes` (of the diagram of an engine).",
        ValueForm::Of(limits::schema),
    )
    .absent("`cpu` 60 s, `wall` 10 · `cpu`, `memory` 4 GiB, `nodes` as many as memory holds"),
    KeySpec::new(
        "repeats",
        "The number of times that each job is run.",
        ValueForm::Whole(1, 1_000_000),
    )
    .absent("1"),
    KeySpec::new(
        "warm_up",
        "The number of first jobs that run once before the measurement, as warm-up.",
        ValueForm::Whole(0, MAX_WARM_UP),
    )
    .absent("1"),
    KeySpec::new(
        "calibration",
        "A fixed formula that is solved between jobs to measure the noise of the machine.",
        ValueForm::Switch,
    )
    .absent("`on`, every 30 s"),
    KeySpec::new(
        "parallel",
        "The number of jobs that run at the same time.",
        ValueForm::Whole(1, 4096),
    )
    .absent("1"),
];

/// The axes of a matrix, which are the keys of an entry of `include`.
pub(super) fn axes() -> Vec<KeySpec> {
    let settings = Settings::AXES.iter();
    let settings =
        settings.map(|axis| KeySpec::new(axis.key, axis.about, ValueForm::Setting(axis)).listed());
    AXES.into_iter().chain(settings).chain(FURTHER_AXES).collect()
}

/// All keys, in the order in which they are listed.
pub(super) fn all() -> Vec<KeySpec> {
    NAMES.into_iter().chain(axes()).chain(report::FIELDS).chain(RUN).collect()
}

/// Returns the JSON Schema (draft 2020-12) of a config for the encodings and backends of this catalog.
///
/// A schema cannot state every rule: it cannot state that queens do not attack each other, or that a list has no
/// equal entries. Each config that is read without a fault fits the schema. A config that fits the schema may still
/// be refused.
pub fn schema(catalog: &Catalog) -> Value {
    let mut schema = map_of(&all(), catalog);
    // A config that extends another one may leave out the other keys.
    let of = [["encodings", "solvers"], ["task", "engines"], ["encodings", "task"]]
        .map(|[one, other]| json!({"required": ["problems", one, other]}));
    schema["anyOf"] = of.into_iter().chain([json!({"required": ["extends"]})]).collect();
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A question for Bezzel".into();
    schema["$defs"] = json!({"line": encodings::line_schema(catalog)});
    schema
}

/// The table of keys in `docs/configs.md`.
pub(super) fn markdown() -> String {
    let row = |key: KeySpec| {
        let absent = Some(key.default()).filter(|absent| !absent.is_empty());
        let absent = absent.unwrap_or_else(|| "–".to_owned());
        format!("| `{}` | {} | {absent} |\n", key.name, key.about.trim_end_matches('.'))
    };
    let head = "| key | meaning | if it is absent |\n| --- | --- | --- |\n".to_owned();
    std::iter::once(head).chain(all().into_iter().map(row)).collect()
}
