//! The keys of configs: one table, from which the reader's lists of keys, those of `include` and `exclude`,
//! the JSON Schema and the table in `docs/configs.md` follow.

use bezzel_encode::{SettingAxis, Settings};
use bezzel_solve::Confounder;
use serde_json::{Value, json};

use super::arm::Arm;
use super::exclude::{self, Excluded, Reading, Test};
use super::node::Node;
use super::schema::{self, ELIMINATE, PROOFS, REENCODE, line, switch};
use super::session::MOST_WARM_UP;
use super::source::ConfigError;
use crate::backend::workbench::Workbench;
use crate::model::job::Task;
use crate::model::json_schema::{DIALECT, described, map, named, one_or_more, whole};

/// A key of configs.
pub(super) struct Key {
    name: &'static str,
    /// The description in the schema and in the documentation.
    about: &'static str,
    /// What holds if the key is absent, in Markdown; empty if nothing does.
    absent: String,
    /// The schema of the key's value.
    schema: Box<dyn Fn(&Workbench) -> Value>,
    /// True for an axis, which an entry of `include` may have as well.
    is_axis: bool,
    /// The key of exclusions that names values of this axis.
    excluded: Option<Excluded>,
}

/// A key that is no axis.
fn key(
    name: &'static str,
    about: &'static str,
    absent: &str,
    schema: impl Fn(&Workbench) -> Value + 'static,
) -> Key {
    let (absent, schema) = (absent.to_owned(), Box::new(schema));
    Key { name, about, absent, schema, is_axis: false, excluded: None }
}

impl Key {
    /// An axis.
    fn axis(self) -> Self {
        Self { is_axis: true, ..self }
    }

    /// An axis whose values an exclusion names by a key of its own.
    fn excluded(
        self,
        name: &'static str,
        about: &'static str,
        schema: impl Fn(&Workbench) -> Value + 'static,
        read: impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> + 'static,
    ) -> Self {
        let excluded = Excluded { name, about, schema: Box::new(schema), read: Box::new(read) };
        Self { excluded: Some(excluded), ..self.axis() }
    }

    /// One value or a list of values.
    fn listed(self) -> Self {
        let Self { schema, .. } = self;
        Self { schema: Box::new(move |workbench| one_or_more(&schema(workbench))), ..self }
    }
}

/// What is set beside an encoding.
fn setting(axis: &'static SettingAxis) -> Key {
    let schema = |_: &Workbench| named(&axis.names(), axis.pattern);
    key(axis.key, axis.about, &format!("`{}`", axis.default()), schema).listed().excluded(
        axis.key,
        axis.values,
        schema,
        exclude::setting(axis),
    )
}

/// What is switched in solvers.
fn switched(
    name: &'static str,
    (about, absent): (&'static str, &str),
    read: impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> + 'static,
) -> Key {
    let of_solvers = "Solvers in which this is so.";
    key(name, about, absent, |_| switch()).listed().excluded(name, of_solvers, |_| switch(), read)
}

/// The axes of a matrix.
fn axes() -> Vec<Key> {
    let name = |_: &Workbench| json!({"type": "string"});
    let task = |_: &Workbench| named(&Task::ALL.map(Task::id), None);
    let mut all = vec![
        key(
            "boards",
            "The boards: sizes, geometries, given squares, generated instances, files.",
            "must be there",
            |_| schema::board(),
        )
        .listed()
        .excluded("board", "Boards.", |_| schema::board_pattern(), exclude::boards),
        key(
            "encodings",
            "The encodings: ids, patterns over ids, mixtures, cut-offs, programs.",
            "must be there if read",
            schema::listed,
        )
        .listed()
        .excluded(
            "encoding",
            "Encodings, by id or by a pattern with * and ?.",
            move |workbench| json!({"anyOf": [schema::encoding(workbench), name(workbench)]}),
            exclude::encodings,
        ),
    ];
    all.extend(Settings::AXES.iter().map(setting));
    all.extend([
        key(
            "numberings",
            "The numberings of variables and literals, with shuffles.",
            "`as-generated`",
            |_| schema::numbering(),
        )
        .listed()
        .excluded(
            "numbering",
            "Kinds of numberings, as in the plan, with * and ?.",
            name,
            exclude::numberings,
        ),
        key(
            "task",
            "The task: `first`, one solution, for solvers; `enumerate`, `count`, `fundamental` and \
             `models` for engines; `size` and `propagate`, which measure the formula alone.",
            "`first`",
            task,
        )
        .listed()
        .excluded("task", "Tasks.", task, exclude::tasks),
        key(
            "most",
            "The number of solutions that is enough where solutions are enumerated.",
            "all of them",
            |_| json!({"type": "integer", "minimum": 1}),
        )
        .axis(),
        key(
            "solvers",
            "The solvers with their options, for the task `first`.",
            "must be there for it",
            schema::solver,
        )
        .listed()
        .excluded(
            "solver",
            "Solvers, by id or by a pattern with * and ?.",
            name,
            exclude::arms(Arm::is_solver),
        ),
        switched(
            "reencode",
            (REENCODE, "as the solver comes"),
            exclude::confounder(Confounder::Reencode),
        ),
        switched(
            "eliminate",
            (ELIMINATE, "as the solver comes"),
            exclude::confounder(Confounder::Eliminate),
        ),
        switched("proofs", (PROOFS, "`on`"), exclude::proofs),
        key(
            "engines",
            "The engines with their options, for the tasks about all solutions.",
            "must be there for them",
            schema::engine,
        )
        .listed()
        .excluded(
            "engine",
            "Engines, by id or by a pattern with * and ?.",
            name,
            exclude::arms(Arm::is_engine),
        ),
    ]);
    all
}

/// All keys, in the order in which they are listed.
pub(super) fn all() -> Vec<Key> {
    let mut all = vec![
        key(
            "name",
            "The name of the folders of evidence and report.",
            "must be there",
            |_| json!({"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 100}),
        ),
        key(
            "question",
            "The question that the experiment is to answer.",
            "",
            |_| json!({"type": "string", "maxLength": super::LONGEST_QUESTION}),
        ),
        key(
            "extends",
            "A config beside this one whose keys are taken over, but for those that stand here.",
            "",
            |_| json!({"type": "string"}),
        ),
    ];
    all.extend(axes());
    all.extend([
        key(
            "simplified",
            "Formulas are measured after the solver's preprocessing as well.",
            "`off`",
            |_| switch(),
        ),
        key("exclude", "Cells that are taken out of the matrix.", "", |workbench| {
            let axes = axes();
            let keys: Vec<_> = excluded(&axes)
                .iter()
                .map(|key| {
                    (key.name, described(key.about, one_or_more(&(key.schema)(workbench))))
                })
                .collect();
            map(&[], &keys)
        })
        .listed(),
        key(
            "include",
            "Cells beside the matrix; what an entry does not have is as in the matrix.",
            "",
            |workbench| map(&[], &properties(&axes(), workbench)),
        )
        .listed(),
        key(
            "limits",
            "The limits of each job: `cpu`, `wall`, `memory` and `nodes`; `proof` is the size of the \
             largest proof that is checked.",
            "60 s, 10 · `cpu`, 4 GiB, as many as memory holds, 4 GiB",
            |_| schema::limits(),
        ),
        key("repeats", "The number of times that each job is run.", "1", |_| whole("", 1, 1_000_000)),
        key("order", "The order of the cells in a round.", "`{seed: 1}`", |_| schema::order()),
        key(
            "warm_up",
            "The number of first jobs that are run once before, and thrown away.",
            "1",
            |_| whole("", 0, MOST_WARM_UP),
        ),
        key(
            "calibration",
            "A fixed formula that is solved between jobs to measure the noise of the machine.",
            "`{every: 30 s}`",
            |_| schema::calibration(),
        ),
        key("parallel", "The number of jobs that run at the same time.", "1", |_| whole("", 1, 4096)),
    ]);
    all
}

/// The names of all keys.
pub(super) fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}

/// The names of the axes among the keys.
pub(super) fn axis_names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().filter(|key| key.is_axis).map(|key| key.name).collect()
}

/// The keys of exclusions.
pub(super) fn excluded(keys: &[Key]) -> Vec<&Excluded> {
    keys.iter().filter_map(|key| key.excluded.as_ref()).collect()
}

/// The schema of each key, with its description.
fn properties(keys: &[Key], workbench: &Workbench) -> Vec<(&'static str, Value)> {
    let property = |key: &Key| {
        let default = if key.absent.is_empty() {
            String::new()
        } else {
            format!(" Without it: {}.", key.absent)
        };
        let about = format!("{}{default}", key.about);
        (key.name, described(&about, (key.schema)(workbench)))
    };
    keys.iter().map(property).collect()
}

/// The JSON Schema (draft 2020-12) of a config for what is on this workbench.
///
/// A schema cannot say everything: that queens do not attack each other, or that nothing is listed
/// twice. Whatever is read without a fault fits the schema; what fits it may still be refused.
pub fn schema(workbench: &Workbench) -> Value {
    let mut schema = map(&["name"], &properties(&all(), workbench));
    // A config that extends another may leave the rest to it.
    schema["anyOf"] = json!([
        {"required": ["boards", "encodings", "solvers"]},
        {"required": ["boards", "task", "engines"]},
        {"required": ["boards", "encodings", "task"]},
        {"required": ["extends"]}
    ]);
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A question for Bezzel".into();
    schema["$defs"] = json!({"line": line(workbench)});
    schema
}

/// The table of keys in `docs/configs.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let row = |Key { name, about, absent, .. }: Key| {
        let absent = if absent.is_empty() { "–" } else { &absent };
        format!("| `{name}` | {} | {absent} |\n", about.trim_end_matches('.'))
    };
    let head = "| key | meaning | if it is absent |\n| --- | --- | --- |\n".to_owned();
    std::iter::once(head).chain(all().into_iter().map(row)).collect()
}
