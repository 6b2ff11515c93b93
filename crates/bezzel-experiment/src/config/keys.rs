//! The keys of configs, in one table. The reader's lists of keys, those of `include` and `exclude`, the JSON Schema
//! and the table in `docs/configs.md` follow from it.

use bezzel_encode::{SettingAxis, Settings};
use bezzel_solve::Inprocessing;
use serde_json::{Value, json};

use super::arm::Arm;
use super::exclude::{self, ExclusionContext, ExclusionKey, Predicate};
use super::fields::{KeySpec, ValueForm, former_keys, map_of};
use super::former;
use super::node::Node;
use super::session::{self, MAX_WARM_UP};
use super::solvers::{self, BVA, BVE, PROOFS};
use super::source::ConfigError;
use super::{boards, encodings, engines, limits, numberings, problems, report};
use crate::backend::catalog::Catalog;
use crate::model::job::Task;
use crate::model::json_schema::{DIALECT, described, map};

/// A key of configs.
pub(super) struct ConfigKey {
    field: KeySpec,
    /// The value that replaces an absent key, in Markdown; empty if there is none.
    absent: String,
    /// True for an axis, which an entry of `include` may have as well.
    is_axis: bool,
    /// The key of exclusions that names values of this axis.
    excluded: Option<ExclusionKey>,
}

impl ConfigKey {
    /// A key that is no axis.
    fn new(field: KeySpec, absent: &str) -> Self {
        Self { field, absent: absent.to_owned(), is_axis: false, excluded: None }
    }

    /// An axis.
    fn axis(field: KeySpec, absent: &str) -> Self {
        Self { is_axis: true, ..Self::new(field, absent) }
    }

    /// The axis with a key of exclusions.
    fn excluded(
        self,
        field: KeySpec,
        read: impl Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError> + 'static,
    ) -> Self {
        Self {
            excluded: Some(ExclusionKey { field: field.listed(), read: Box::new(read) }),
            ..self
        }
    }

    /// Returns the description with the value that replaces an absent key.
    fn about(&self) -> String {
        match &self.absent[..] {
            "" => self.field.about.to_owned(),
            absent => format!("{} Without it: {absent}.", self.field.about),
        }
    }
}

/// Returns the key of a setting of encodings.
fn setting(axis: &'static SettingAxis) -> ConfigKey {
    let field = |about| KeySpec::new(axis.key, about, ValueForm::Setting(axis)).listed();
    ConfigKey::axis(field(axis.about), &format!("`{}`", axis.default()))
        .excluded(field(axis.values), exclude::setting(axis))
}

/// Returns the key of a switch of solvers.
fn switched(
    field: KeySpec,
    absent: &str,
    read: impl Fn(&ExclusionContext<'_>, &[Node]) -> Result<Predicate, ConfigError> + 'static,
) -> ConfigKey {
    let of_solvers = KeySpec { about: "Solvers in which this is so.", ..field };
    ConfigKey::axis(field, absent).excluded(of_solvers, read)
}

/// The axes of a matrix.
#[expect(clippy::too_many_lines, reason = "it is a list")]
fn axes() -> Vec<ConfigKey> {
    let tasks = ValueForm::Name(|| {
        let former = former::TASKS.iter().map(|(former, _)| *former);
        Task::ALL.into_iter().map(Task::id).chain(former).collect()
    });
    let boards = "The boards: sizes, geometries, given squares, generated instances, files.";
    let of_boards = KeySpec::new("board", "Boards.", ValueForm::Of(|_| exclude::board_schema()));
    let problems = "The instances of other kinds: a map with the kind and its keys.";
    let encodings = "The encodings: ids, patterns over ids, mixtures (an encoding for each family of lines), \
                     cut-offs (one encoding for short lines, one for long ones), programs.";
    let mut all = vec![
        ConfigKey::axis(
            KeySpec::new("boards", boards, ValueForm::Of(boards::schema)).listed(),
            "`problems` must be there",
        )
        .excluded(of_boards, exclude::boards),
        ConfigKey::axis(
            KeySpec::new("problems", problems, ValueForm::Of(problems::schema)).listed(),
            "the boards alone",
        )
        .excluded(
            KeySpec::new(
                "problem",
                "Instances, by their names in the plan, with * and ?.",
                ValueForm::Text,
            ),
            exclude::problems,
        ),
        ConfigKey::axis(
            KeySpec::new("encodings", encodings, ValueForm::Of(encodings::listed_schema)).listed(),
            "must be there if a formula is read",
        )
        .excluded(
            KeySpec::new(
                "encoding",
                "Encodings, by id or by a pattern with * and ?.",
                ValueForm::Of(
                    |catalog| json!({"anyOf": [encodings::schema(catalog), {"type": "string"}]}),
                ),
            ),
            exclude::encodings,
        ),
    ];
    all.extend(Settings::AXES.iter().map(setting));
    let numberings =
        "The numberings of the formula (variable orders and scramblings), with shuffles.";
    all.extend([
        ConfigKey::axis(
            KeySpec::new("numberings", numberings, ValueForm::Of(numberings::schema)).listed(),
            "`as-generated`",
        )
        .excluded(
            KeySpec::new(
                "numbering",
                "Kinds of numberings, as in the plan, with * and ?.",
                ValueForm::Text,
            ),
            exclude::numberings,
        ),
        ConfigKey::axis(
            KeySpec::new(
                "task",
                "The task: `solve`, one solution, and `optimise`, the best value of an objective, for solvers; \
                 `enumerate`, `count` and `models` \
                 for engines; `size` and `propagate`, which measure the formula alone.",
                tasks,
            )
            .listed(),
            "`solve`",
        )
        .excluded(KeySpec::new("task", "Tasks.", tasks), exclude::tasks),
        ConfigKey::axis(
            KeySpec::new(
                "max_solutions",
                "The number of solutions after which an enumeration ends.",
                ValueForm::Whole(1, u64::MAX),
            ),
            "all of them",
        ),
        ConfigKey::axis(
            KeySpec::new(
                "solvers",
                "The solvers with their options, for the tasks `solve` and `optimise`.",
                ValueForm::Of(solvers::schema),
            )
            .listed(),
            "must be there for them",
        )
        .excluded(
            KeySpec::new("solver", "Solvers, by id or by a pattern with * and ?.", ValueForm::Text),
            exclude::arms(Arm::is_solver),
        ),
        switched(BVA, "the default of the solver", exclude::confounder(Inprocessing::Bva)),
        switched(BVE, "the default of the solver", exclude::confounder(Inprocessing::Bve)),
        switched(PROOFS, "`on`", exclude::proofs),
        ConfigKey::axis(
            KeySpec::new(
                "engines",
                "The engines with their options, for the tasks about all solutions.",
                ValueForm::Of(engines::schema),
            )
            .listed(),
            "must be there for them",
        )
        .excluded(
            KeySpec::new("engine", "Engines, by id or by a pattern with * and ?.", ValueForm::Text),
            exclude::arms(Arm::is_engine),
        ),
    ]);
    all
}

/// All keys, in the order in which they are listed.
pub(super) fn all() -> Vec<ConfigKey> {
    let key =
        |name, about, form, absent: &str| ConfigKey::new(KeySpec::new(name, about, form), absent);
    let listed = |name, about, form| ConfigKey::new(KeySpec::new(name, about, form).listed(), "");
    let mut all = vec![
        key(
            "name",
            "The name of the folders of evidence and report.",
            ValueForm::Of(
                |_| json!({"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 100}),
            ),
            "must be there",
        ),
        key(
            "question",
            "The question that the experiment is to answer.",
            ValueForm::Of(|_| json!({"type": "string", "maxLength": super::LONGEST_QUESTION})),
            "",
        ),
        key(
            "extends",
            "Another config, in the folder of this one or below it. Its keys hold unless this config has them.",
            ValueForm::Text,
            "",
        ),
    ];
    all.extend(axes());
    all.extend(report::FIELDS.map(|field| ConfigKey::new(field, "")));
    all.extend([
        key(
            "simplified",
            "Formulas are measured after the solver's preprocessing as well.",
            ValueForm::Switch,
            "`off`",
        ),
        listed(
            "exclude",
            "Cells that are removed from the matrix.",
            ValueForm::Of(|catalog| {
                let axes = axes();
                let keys: Vec<_> = excluded(&axes).iter().map(|key| key.field).collect();
                map_of(&keys, catalog)
            }),
        ),
        listed(
            "include",
            "Cells in addition to the matrix. An entry takes missing keys from the matrix.",
            ValueForm::Of(|catalog| map(&[], &properties(&axes(), catalog))),
        ),
        key(
            "limits",
            "The limits of each job: `cpu`, `wall`, `memory`, and `nodes` (of the diagram of an engine); \
             `proof` is the size of the largest proof that is checked.",
            ValueForm::Of(limits::schema),
            "`cpu` 60 s, `wall` 10 · `cpu`, `memory` 4 GiB, `nodes` as many as memory holds, `proof` 4 GiB",
        ),
        key("repeats", "The number of times that each job is run.", ValueForm::Whole(1, 1_000_000), "1"),
        key(
            "order",
            "The order of the cells in each round (METHODOLOGY.md): `as-listed`, or shuffled by a seed.",
            ValueForm::Of(session::order_schema),
            "`{seed: 1}`",
        ),
        key(
            "warm_up",
            "The number of first jobs that run once before the measurement, as warm-up.",
            ValueForm::Whole(0, MAX_WARM_UP),
            "1",
        ),
        key(
            "calibration",
            "A fixed formula that is solved between jobs to measure the noise of the machine.",
            ValueForm::Of(session::calibration_schema),
            "`{every: 30 s}`",
        ),
        key(
            "parallel",
            "The number of jobs that run at the same time.",
            ValueForm::Whole(1, 4096),
            "1",
        ),
    ]);
    all
}

/// The keys as those of a map.
pub(super) fn fields(keys: &[ConfigKey]) -> Vec<KeySpec> {
    keys.iter().map(|key| key.field).collect()
}

/// The axes among the keys as the keys of a map.
pub(super) fn axis_fields(keys: &[ConfigKey]) -> Vec<KeySpec> {
    keys.iter().filter(|key| key.is_axis).map(|key| key.field).collect()
}

/// The keys of exclusions.
pub(super) fn excluded(keys: &[ConfigKey]) -> Vec<&ExclusionKey> {
    keys.iter().filter_map(|key| key.excluded.as_ref()).collect()
}

/// The schema of each key, with its description.
fn properties(keys: &[ConfigKey], catalog: &Catalog) -> Vec<(&'static str, Value)> {
    let property =
        |key: &ConfigKey| (key.field.name, described(&key.about(), key.field.schema(catalog)));
    let mut properties: Vec<_> = keys.iter().map(property).collect();
    properties.extend(former_keys(&fields(keys), catalog));
    properties
}

/// Returns the JSON Schema (draft 2020-12) of a config for the encodings and backends of this catalog.
///
/// A schema cannot state every rule: it cannot state that queens do not attack each other, or that a list has no
/// equal entries. Each config that is read without a fault fits the schema. A config that fits the schema may still
/// be refused.
pub fn schema(catalog: &Catalog) -> Value {
    let mut schema = map(&["name"], &properties(&all(), catalog));
    // A config that extends another one may leave out the other keys.
    let of = ["boards", "problems"].into_iter().flat_map(|instances| {
        [["encodings", "solvers"], ["task", "engines"], ["encodings", "task"]]
            .map(|[one, other]| json!({"required": [instances, one, other]}))
    });
    schema["anyOf"] = of.chain([json!({"required": ["extends"]})]).collect();
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A question for Bezzel".into();
    schema["$defs"] = json!({"line": encodings::line_schema(catalog)});
    schema
}

/// The table of keys in `docs/configs.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let row = |ConfigKey { field, absent, .. }: ConfigKey| {
        let absent = if absent.is_empty() { "–" } else { &absent };
        format!("| `{}` | {} | {absent} |\n", field.name, field.about.trim_end_matches('.'))
    };
    let head = "| key | meaning | if it is absent |\n| --- | --- | --- |\n".to_owned();
    std::iter::once(head).chain(all().into_iter().map(row)).collect()
}
