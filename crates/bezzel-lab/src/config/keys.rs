//! The keys of configs: one table, from which the reader's lists of keys, those of `include` and `exclude`,
//! the JSON Schema and the table in `docs/configs.md` follow.

use bezzel_encode::{SettingAxis, Settings};
use bezzel_solve::Confounder;
use serde_json::{Value, json};

use super::arm::Arm;
use super::exclude::{self, Excluded, Reading, Test};
use super::fields::{Field, Form, map_of};
use super::node::Node;
use super::session::{self, MOST_WARM_UP};
use super::solvers::{self, ELIMINATE, PROOFS, REENCODE};
use super::source::ConfigError;
use super::{boards, encodings, engines, limits, numberings, problems, report};
use crate::backend::workbench::Workbench;
use crate::model::job::Task;
use crate::model::json_schema::{DIALECT, described, map};

/// A key of configs.
pub(super) struct Key {
    field: Field,
    /// The value that an absent key stands for, in Markdown; empty if there is none.
    absent: String,
    /// True for an axis, which an entry of `include` may have as well.
    is_axis: bool,
    /// The key of exclusions that names values of this axis.
    excluded: Option<Excluded>,
}

impl Key {
    /// A key that is no axis.
    fn new(field: Field, absent: &str) -> Self {
        Self { field, absent: absent.to_owned(), is_axis: false, excluded: None }
    }

    /// An axis.
    fn axis(field: Field, absent: &str) -> Self {
        Self { is_axis: true, ..Self::new(field, absent) }
    }

    /// The axis with a key of exclusions.
    fn excluded(
        self,
        field: Field,
        read: impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> + 'static,
    ) -> Self {
        Self { excluded: Some(Excluded { field: field.listed(), read: Box::new(read) }), ..self }
    }

    /// The description with the value that an absent key stands for.
    fn about(&self) -> String {
        match &self.absent[..] {
            "" => self.field.about.to_owned(),
            absent => format!("{} Without it: {absent}.", self.field.about),
        }
    }
}

/// A setting of encodings.
fn setting(axis: &'static SettingAxis) -> Key {
    let field = |about| Field::new(axis.key, about, Form::Setting(axis)).listed();
    Key::axis(field(axis.about), &format!("`{}`", axis.default()))
        .excluded(field(axis.values), exclude::setting(axis))
}

/// A switch of solvers.
fn switched(
    field: Field,
    absent: &str,
    read: impl Fn(&Reading<'_>, &[Node]) -> Result<Test, ConfigError> + 'static,
) -> Key {
    let of_solvers = Field { about: "Solvers in which this is so.", ..field };
    Key::axis(field, absent).excluded(of_solvers, read)
}

/// The axes of a matrix.
fn axes() -> Vec<Key> {
    let tasks = Form::Name(|| Task::ALL.map(Task::id).to_vec());
    let boards = "The boards: sizes, geometries, given squares, generated instances, files.";
    let of_boards = Field::new("board", "Boards.", Form::Of(|_| exclude::board_schema()));
    let problems = "The instances of other kinds: a map with the kind and its keys.";
    let encodings = "The encodings: ids, patterns over ids, mixtures, cut-offs, programs.";
    let mut all = vec![
        Key::axis(
            Field::new("boards", boards, Form::Of(boards::schema)).listed(),
            "`problems` must be there",
        )
        .excluded(of_boards, exclude::boards),
        Key::axis(
            Field::new("problems", problems, Form::Of(problems::schema)).listed(),
            "the boards alone",
        )
        .excluded(
            Field::new("problem", "Instances, by their names in the plan, with * and ?.", Form::Text),
            exclude::problems,
        ),
        Key::axis(
            Field::new("encodings", encodings, Form::Of(encodings::listed_schema)).listed(),
            "must be there if read",
        )
        .excluded(
            Field::new(
                "encoding",
                "Encodings, by id or by a pattern with * and ?.",
                Form::Of(|workbench| {
                    json!({"anyOf": [encodings::schema(workbench), {"type": "string"}]})
                }),
            ),
            exclude::encodings,
        ),
    ];
    all.extend(Settings::AXES.iter().map(setting));
    let numberings = "The numberings of variables and literals, with shuffles.";
    all.extend([
        Key::axis(
            Field::new("numberings", numberings, Form::Of(numberings::schema)).listed(),
            "`as-generated`",
        )
        .excluded(
            Field::new(
                "numbering",
                "Kinds of numberings, as in the plan, with * and ?.",
                Form::Text,
            ),
            exclude::numberings,
        ),
        Key::axis(
            Field::new(
                "task",
                "The task: `first`, one solution, for solvers; `enumerate`, `count`, `fundamental` \
                 and `models` for engines; `size` and `propagate`, which measure the formula alone.",
                tasks,
            )
            .listed(),
            "`first`",
        )
        .excluded(Field::new("task", "Tasks.", tasks), exclude::tasks),
        Key::axis(
            Field::new(
                "most",
                "The number of solutions that is enough where solutions are enumerated.",
                Form::Whole(1, u64::MAX),
            ),
            "all of them",
        ),
        Key::axis(
            Field::new(
                "solvers",
                "The solvers with their options, for the task `first`.",
                Form::Of(solvers::schema),
            )
            .listed(),
            "must be there for it",
        )
        .excluded(
            Field::new("solver", "Solvers, by id or by a pattern with * and ?.", Form::Text),
            exclude::arms(Arm::is_solver),
        ),
        switched(REENCODE, "as the solver comes", exclude::confounder(Confounder::Reencode)),
        switched(ELIMINATE, "as the solver comes", exclude::confounder(Confounder::Eliminate)),
        switched(PROOFS, "`on`", exclude::proofs),
        Key::axis(
            Field::new(
                "engines",
                "The engines with their options, for the tasks about all solutions.",
                Form::Of(engines::schema),
            )
            .listed(),
            "must be there for them",
        )
        .excluded(
            Field::new("engine", "Engines, by id or by a pattern with * and ?.", Form::Text),
            exclude::arms(Arm::is_engine),
        ),
    ]);
    all
}

/// All keys, in the order in which they are listed.
pub(super) fn all() -> Vec<Key> {
    let key = |name, about, form, absent: &str| Key::new(Field::new(name, about, form), absent);
    let listed = |name, about, form| Key::new(Field::new(name, about, form).listed(), "");
    let mut all = vec![
        key(
            "name",
            "The name of the folders of evidence and report.",
            Form::Of(
                |_| json!({"type": "string", "pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 100}),
            ),
            "must be there",
        ),
        key(
            "question",
            "The question that the experiment is to answer.",
            Form::Of(|_| json!({"type": "string", "maxLength": super::LONGEST_QUESTION})),
            "",
        ),
        key(
            "extends",
            "A config beside this one whose keys are taken over, but for those that stand here.",
            Form::Text,
            "",
        ),
    ];
    all.extend(axes());
    all.extend(report::FIELDS.map(|field| Key::new(field, "")));
    all.extend([
        key(
            "simplified",
            "Formulas are measured after the solver's preprocessing as well.",
            Form::Switch,
            "`off`",
        ),
        listed(
            "exclude",
            "Cells that are taken out of the matrix.",
            Form::Of(|workbench| {
                let axes = axes();
                let keys: Vec<_> = excluded(&axes).iter().map(|key| key.field).collect();
                map_of(&keys, workbench)
            }),
        ),
        listed(
            "include",
            "Cells beside the matrix; what an entry does not have is as in the matrix.",
            Form::Of(|workbench| map(&[], &properties(&axes(), workbench))),
        ),
        key(
            "limits",
            "The limits of each job: `cpu`, `wall`, `memory` and `nodes`; `proof` is the size of the \
             largest proof that is checked.",
            Form::Of(limits::schema),
            "60 s, 10 · `cpu`, 4 GiB, as many as memory holds, 4 GiB",
        ),
        key("repeats", "The number of times that each job is run.", Form::Whole(1, 1_000_000), "1"),
        key(
            "order",
            "The order of the cells in a round.",
            Form::Of(session::order_schema),
            "`{seed: 1}`",
        ),
        key(
            "warm_up",
            "The number of first jobs that are run once before, and thrown away.",
            Form::Whole(0, MOST_WARM_UP),
            "1",
        ),
        key(
            "calibration",
            "A fixed formula that is solved between jobs to measure the noise of the machine.",
            Form::Of(session::calibration_schema),
            "`{every: 30 s}`",
        ),
        key(
            "parallel",
            "The number of jobs that run at the same time.",
            Form::Whole(1, 4096),
            "1",
        ),
    ]);
    all
}

/// The keys as those of a map.
pub(super) fn fields(keys: &[Key]) -> Vec<Field> {
    keys.iter().map(|key| key.field).collect()
}

/// The axes among the keys as the keys of a map.
pub(super) fn axis_fields(keys: &[Key]) -> Vec<Field> {
    keys.iter().filter(|key| key.is_axis).map(|key| key.field).collect()
}

/// The keys of exclusions.
pub(super) fn excluded(keys: &[Key]) -> Vec<&Excluded> {
    keys.iter().filter_map(|key| key.excluded.as_ref()).collect()
}

/// The schema of each key, with its description.
fn properties(keys: &[Key], workbench: &Workbench) -> Vec<(&'static str, Value)> {
    let property =
        |key: &Key| (key.field.name, described(&key.about(), key.field.schema(workbench)));
    keys.iter().map(property).collect()
}

/// The JSON Schema (draft 2020-12) of a config for what is on this workbench.
///
/// A schema cannot say everything: that queens do not attack each other, or that nothing is listed
/// twice. Whatever is read without a fault fits the schema; what fits it may still be refused.
pub fn schema(workbench: &Workbench) -> Value {
    let mut schema = map(&["name"], &properties(&all(), workbench));
    // A config that extends another may leave the rest to it.
    let of = ["boards", "problems"].into_iter().flat_map(|instances| {
        [["encodings", "solvers"], ["task", "engines"], ["encodings", "task"]]
            .map(|[one, other]| json!({"required": [instances, one, other]}))
    });
    schema["anyOf"] = of.chain([json!({"required": ["extends"]})]).collect();
    schema["$schema"] = DIALECT.into();
    schema["title"] = "A question for Bezzel".into();
    schema["$defs"] = json!({"line": encodings::line_schema(workbench)});
    schema
}

/// The table of keys in `docs/configs.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let row = |Key { field, absent, .. }: Key| {
        let absent = if absent.is_empty() { "–" } else { &absent };
        format!("| `{}` | {} | {absent} |\n", field.name, field.about.trim_end_matches('.'))
    };
    let head = "| key | meaning | if it is absent |\n| --- | --- | --- |\n".to_owned();
    std::iter::once(head).chain(all().into_iter().map(row)).collect()
}
