//! A job: one cell of an experiment, and the key under which its row is found.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::{Numbering, Settings, Size};
use bezzel_problem::{Instance, named};
use bezzel_solve::{Options, ProofFormat};
use serde::{Deserialize, Serialize};

use super::fields::{FieldsWithin, NUMBERING, always, default, map, maybe, recorded, with};

recorded! {
    /// One cell of an experiment: everything that determines a run, and nothing else.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Job {
        /// The instance of a problem, under the name of its kind.
        pub instance as "problem": Instance = with("instance", FieldsWithin::Instance),
        /// The encoding's id; `none` if an engine reads the instance itself.
        pub encoding: String = always("encoding"),
        /// The settings beside the encoding, each under its own key.
        #[serde(flatten)]
        pub settings: Settings = with("", FieldsWithin::Settings),
        /// The numbering of variables, clauses and literals.
        pub numbering: Numbering = with("numbering", FieldsWithin::Map(NUMBERING)),
        /// The solver's id, preset included; for tasks of engines the engine's id; `none` if the formula is only
        /// measured.
        pub solver: String = always("solver"),
        /// The options with which the solver or engine runs, the preset's included.
        // Shared, since thousands of jobs have the same options.
        pub options: Arc<Options> = always(""),
        /// The task.
        pub task: Task = always("task"),
        /// The number of solutions after which an enumeration ends. Without it, all are enumerated.
        #[serde(default, skip_serializing_if = "is_default")]
        pub max_solutions: Option<u64> = maybe("max_solutions"),
        /// The number of the repetition of the same run, counted from 1.
        pub repeat: u32 = always("repeat"),
        /// The limits of the whole process.
        pub limits: Limits = map(Limits::FIELDS),
        /// The format in which the solver writes a proof during solving. Writing takes part of the solving time.
        #[serde(default, skip_serializing_if = "is_default")]
        pub proof: Option<ProofFormat> = maybe("proof_asked"),
        /// True if the formula is measured again after the solver's preprocessing, in a separate session after the
        /// answer.
        #[serde(default, skip_serializing_if = "is_default")]
        pub simplified: bool = default("simplified_asked", "false"),
    }
}

/// Returns true for a value at its default, which a job's JSON omits. Rows from before a field existed keep their keys.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The encoding id of a job whose engine reads the instance itself, without a formula.
pub const NO_ENCODING: &str = "none";

/// The solver id of a job that measures a formula and solves nothing.
pub const NO_SOLVER: &str = "none";

named! {
    /// The task of a job. A solver solves, an engine finds all solutions, and the worker itself measures a formula.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Task: "task" {
        /// Finds one solution, or shows that there is none.
        #[default]
        Solve = "solve",
        /// Finds the best value of a file's objective, by better and better solutions.
        Optimise = "optimise",
        /// Lists all solutions, but at most `max_solutions` of them.
        Enumerate = "enumerate",
        /// Counts the solutions.
        Count = "count",
        /// Counts the models of the formula, auxiliary variables included. If auxiliary variables are free, there are
        /// more models than solutions.
        Models = "models",
        /// Measures the size of the formula and of its circuit. Nothing is solved.
        Size = "size",
        /// Applies unit propagation to the formula with the given candidates. Nothing is solved.
        Propagate = "propagate",
    }
}

named! {
    /// The two kinds of backends, which have axes of their own in configs.
    pub enum BackendKind {
        /// A solver, which finds one solution.
        Solver = "solver",
        /// An engine, which finds all solutions, or their number.
        Engine = "engine",
    }
}

impl Task {
    /// Returns the kind of backend that runs the task; none if the worker alone measures the formula.
    pub fn backend(self) -> Option<BackendKind> {
        match self {
            Self::Solve | Self::Optimise => Some(BackendKind::Solver),
            Self::Enumerate | Self::Count | Self::Models => Some(BackendKind::Engine),
            Self::Size | Self::Propagate => None,
        }
    }
}

recorded! {
    /// The limits of a job, for its whole process.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Limits {
        /// CPU time, in seconds.
        pub cpu_s: f64 = always("cpu_limit_s"),
        /// Wall time, in seconds.
        pub wall_s: f64 = always("wall_limit_s"),
        /// Memory, in bytes.
        pub memory_bytes: u64 = always("memory_limit_bytes"),
        /// The largest number of nodes of a decision diagram, or of states, kept at one time. Without it, memory is the
        /// only limit.
        #[serde(default, skip_serializing_if = "is_default")]
        pub nodes: Option<u64> = maybe("node_limit"),
    }
}

/// The time limit of a warm-up run, whose row is discarded, in seconds.
pub(crate) const WARM_UP_S: f64 = 1.0;

impl Limits {
    /// Returns the limits of checking the proof of a job with these limits. A check takes a fraction of the solving
    /// time, a converter of DRAT about the solving time, and a proof from the file several times as much. The checker
    /// generates and keeps the formula once more.
    pub(crate) fn of_check(self, format: ProofFormat) -> Self {
        const SPARE_S: f64 = 10.0;
        let factor = if format == ProofFormat::Veripb { 20.0 } else { 4.0 };
        Self {
            cpu_s: factor * self.cpu_s + SPARE_S,
            wall_s: factor * self.wall_s + SPARE_S,
            memory_bytes: self.memory_bytes.max(1 << 30),
            nodes: None,
        }
    }
}

impl Limits {
    /// The largest time limit, in seconds: a year, which timers can represent.
    pub const LONGEST_S: f64 = 31_536_000.0;

    /// The largest memory limit, in bytes.
    pub const MAX_BYTES: u64 = 1 << 50;

    /// Checks that a config can have set these limits. A row may contain any numbers.
    pub fn are_possible(&self) -> bool {
        let Self { cpu_s, wall_s, memory_bytes, .. } = *self;
        let is_time = |seconds: f64| seconds > 0.0 && seconds <= Self::LONGEST_S;
        is_time(cpu_s) && is_time(wall_s) && memory_bytes <= Self::MAX_BYTES
    }
}

/// The key of a job: 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Job {
    /// Returns the job of finding one solution, with the default settings, numbering and options.
    pub fn solving(instance: Instance, encoding: &str, solver: &str, limits: Limits) -> Self {
        Self {
            instance,
            encoding: encoding.to_owned(),
            settings: Settings::default(),
            numbering: Numbering::AS_GENERATED,
            solver: solver.to_owned(),
            options: Arc::default(),
            task: Task::Solve,
            max_solutions: None,
            repeat: 1,
            limits,
            proof: None,
            simplified: false,
        }
    }

    /// Returns the job's key: the BLAKE3 of its JSON, the revision of its encoding and the version of its solver. A row
    /// of another revision or version has another key.
    pub fn key(&self, encoding_revision: u32, solver_version: &str) -> Key {
        let job = self.identity();
        let text = serde_json::to_string(&(job.as_ref(), encoding_revision, solver_version))
            .expect("a job has string keys and finite numbers only");
        Key(blake3::hash(text.as_bytes()).to_hex()[..32].to_owned())
    }

    /// Returns the text of the job without limits, revision and version. Rows of two records with
    /// the same question are compared.
    pub fn question(&self) -> String {
        let unlimited = Limits { cpu_s: 0.0, wall_s: 0.0, memory_bytes: 0, nodes: None };
        Self { limits: unlimited, ..self.clone() }.text()
    }

    /// Returns the job without the name of a file, which is for display only.
    fn identity(&self) -> Cow<'_, Self> {
        match self.instance.identity() {
            None => Cow::Borrowed(self),
            Some(instance) => Cow::Owned(Self { instance, ..self.clone() }),
        }
    }

    /// Returns the job in JSON. Different jobs have different texts.
    pub fn text(&self) -> String {
        serde_json::to_string(self.identity().as_ref())
            .expect("a job has string keys and finite numbers only")
    }

    /// Returns the job in one line for a message.
    pub fn words(&self) -> String {
        let Self { solver, instance, numbering, .. } = self;
        format!("{solver} on {instance} with {}, {}", self.encoding_label(), numbering.id())
    }

    /// Returns the label of the compared encoding: its id, with the settings that are not the default.
    pub fn encoding_label(&self) -> String {
        encoding_label(&self.encoding, self.settings)
    }
}

/// Returns the label of an encoding under its settings: its id, with the settings that are not the default.
pub fn encoding_label(id: &str, settings: Settings) -> String {
    let words: Vec<String> =
        Settings::AXES.iter().filter_map(|axis| axis.words(&settings)).collect();
    if words.is_empty() { id.to_owned() } else { format!("{id} ({})", words.join(", ")) }
}

/// A job with the values by which its row is found and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedJob {
    /// The job.
    pub job: Job,
    /// Its key.
    pub key: Key,
    /// The revision of its encoding.
    pub encoding_revision: u32,
    /// The version of its solver.
    pub solver_version: String,
    /// The size of the rules of its instance, if it is known without a run. Given and excluded candidates add a few
    /// clauses to it. For [`Task::Size`] it is the closed form that the judge compares with the row; it is absent if
    /// the encoding has none.
    pub size: Option<Size>,
}

impl PlannedJob {
    /// Returns a planned job whose encoding and solver have this revision and version.
    pub fn new(job: Job, encoding_revision: u32, solver_version: String) -> Self {
        let key = job.key(encoding_revision, &solver_version);
        Self { job, key, encoding_revision, solver_version, size: None }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Constraints, InputOrder};

    use super::*;
    use crate::tests::seating::Seating;

    fn job(settings: Settings) -> Job {
        let limits = Limits { cpu_s: 1.0, wall_s: 10.0, memory_bytes: 1 << 30, nodes: None };
        let seating = Seating::new(8, 8).into();
        Job { settings, ..Job::solving(seating, "product", "batsat", limits) }
    }

    #[test]
    fn a_setting_at_its_default_is_not_in_the_text_that_the_key_is_made_of() {
        let full = Settings::from(Constraints::Full);
        let stated = r#"{"problem":{"seating":{"size":8,"chairs":8,"given":[],"excluded":[]}},"encoding":"product","constraints":"full","numbering":{},"solver":"batsat","options":{},"task":"solve","repeat":1,"limits":{"cpu_s":1.0,"wall_s":10.0,"memory_bytes":1073741824}}"#;
        assert_eq!(job(full).text(), stated);
        // A setting stands at the position of its declaration, after the older settings.
        for (settings, with) in [
            (Settings { input_order: InputOrder::Reversed, ..full }, r#""input_order":"reversed""#),
            (
                Settings { input_order: InputOrder::Random(7), ..full },
                r#""input_order":"random:7""#,
            ),
        ] {
            let job = job(settings);
            assert_eq!(
                job.text(),
                stated.replace(r#""numbering""#, &format!(r#"{with},"numbering""#))
            );
            assert_eq!(serde_json::from_str::<Job>(&job.text()).unwrap(), job);
            assert_ne!(job.key(1, ""), self::job(full).key(1, ""));
        }
    }

    #[test]
    fn a_key_that_no_job_has_is_refused_beside_the_settings() {
        let text =
            job(Settings::default()).text().replace("{\"problem\"", "{\"colour\":1,\"problem\"");
        let error = serde_json::from_str::<Job>(&text).unwrap_err().to_string();
        assert!(error.contains("unknown field `colour`"), "{error}");
    }

    #[test]
    fn the_names_of_settings_are_those_that_jobs_have() {
        for axis in Settings::AXES {
            let further = axis.pattern.map(|_| "random:7");
            for name in axis.names().into_iter().chain(further) {
                let settings = axis.with(Settings::default(), name).unwrap();
                let json = serde_json::to_value(settings).unwrap();
                let is_left_out = name == axis.default() && !axis.is_nullable();
                assert_eq!(json.get(axis.key).is_none(), is_left_out, "{}", axis.key);
                assert!(is_left_out || json[axis.key] == name, "{json}");
                assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), settings);
            }
        }
        let settings = Settings { input_order: InputOrder::Reversed, ..Settings::default() };
        assert_eq!(
            serde_json::to_string(&settings).unwrap(),
            r#"{"constraints":null,"input_order":"reversed"}"#
        );
    }
}
