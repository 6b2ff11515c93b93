//! Evidence of other origin whose config and rows name programs that leave a mark when they are started.
//! Every command of the command line is tried on it. None leaves a mark unless the user gives `--programs` or names the
//! config.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use bezzel_experiment::process::{Assignment, JobPart, ProcessBinding};
use bezzel_experiment::store::{NewEntry, SessionStart, line_of};
use bezzel_experiment::{BackendKind, Config, Row};
use tempfile::TempDir;

use crate::program::{printed, stdout};
use crate::session_files::{rows_in, session_in, starts_in};

/// The user's own config, which names no program.
const OWN: &str = "\
name: own
problems: [{queens: {size: [4, 5]}}]
encodings: [pairwise]
solvers: [cadical]
engines: [blocking]
task: [solve, count]
calibration: off
warm_up: 0
limits: {cpu: 20 s, wall: 100 s}
";

/// The marks of the programs, by the event that starts each.
const ENCODER: &str = "encoder";
const PART: &str = "encoder-of-a-part";
const SOLVER: &str = "solver";
const VERSION: &str = "version-of-solver";
const COUNTER: &str = "counter";
const COUNTER_VERSION: &str = "version-of-counter";

/// A folder with hostile evidence. Of its experiments `own` lacks a row, and has a session with the user's config
/// before one with a hostile config; `trap` is whole and has the hostile config; and `other` is `trap` without two
/// rows. Its programs leave marks in `marks`. The path of `marks` is absolute, so that copies of the folder have the
/// same programs.
struct Trap {
    folder: TempDir,
    marks: TempDir,
}

impl Trap {
    fn new() -> Self {
        let (folder, marks) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let trap = Self { folder, marks };
        let path = trap.folder.path();
        fs::write(path.join("own.yaml"), OWN).unwrap();
        fs::write(path.join("alien.yaml"), OWN.replace("[4, 5]", "6")).unwrap();
        let ran = bezzel(path, &["run", "own.yaml", "--quiet"]);
        assert_eq!(ran.status.code(), Some(0), "{}", printed(&ran));
        let own = path.join("experiments/own");
        let (rows, start) = (trap.rows(&own), starts_in(&own).remove(0));
        fs::remove_file(session_in(&own)).unwrap();
        let config = trap.config();
        let catalog = bezzel_queens::experiment::catalog();
        let recorded = Config::parse(&config, "trap.yaml", &catalog).unwrap().recorded();
        let hostile = SessionStart { config: recorded, ..start.clone() };
        for (session, start, rows) in [
            ("own/a", &start, &rows[2..]),
            ("own/b", &hostile, &rows[1..]),
            ("trap/a", &hostile, &rows),
            ("other/a", &hostile, &rows[2..]),
        ] {
            let file = path.join("experiments").join(session).with_extension("jsonl");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let entries = rows.iter().map(NewEntry::Row);
            let lines = std::iter::once(NewEntry::Session(start)).chain(entries).flat_map(line_of);
            fs::write(file, lines.collect::<Vec<u8>>()).unwrap();
        }
        // A formula and an answer.
        fs::write(path.join("hostile.yaml"), &config).unwrap();
        let formula = stdout(&bezzel(path, &["encode", "4", "--encoding", "pairwise"]));
        let named = |encoding: &str| format!("c encoding: {encoding}, revision 1\n");
        assert!(formula.contains(&named("pairwise")), "{formula}");
        let hostile = formula.replace(&named("pairwise"), &named(&trap.encoder()));
        fs::write(path.join("hostile.cnf"), hostile).unwrap();
        fs::write(path.join("answer"), "s SATISFIABLE\nv 2 8 9 15 0\n").unwrap();
        let is_hostile =
            |row: &&Row| (&row.job.encoding, &row.job.solver) == (&trap.encoder(), &trap.solver());
        let row = rows.iter().find(is_hostile).unwrap();
        fs::write(path.join("assignment.json"), assignment(row.clone())).unwrap();
        trap
    }

    /// The command line that leaves this mark.
    fn line(&self, mark: &str) -> String {
        format!("touch {}", self.marks.path().join(mark).display())
    }

    fn encoder(&self) -> String {
        format!("{{command: \"{}\"}}", self.line(ENCODER))
    }

    fn part(&self) -> String {
        let line = self.line(PART);
        format!("{{rows: {{command: \"{line}\"}}, columns: pairwise, diagonals: pairwise}}")
    }

    fn solver(&self) -> String {
        let (line, version) = (self.line(SOLVER), self.line(VERSION));
        format!("{{command: \"{line}; : {{cnf}}\", version: \"{version}\"}}")
    }

    fn counter(&self) -> String {
        let (line, version) = (self.line(COUNTER), self.line(COUNTER_VERSION));
        format!("{{counter: \"{line}; : {{cnf}}\", version: \"{version}\"}}")
    }

    fn config(&self) -> String {
        format!(
            "name: trap\nproblems: [{{queens: {{size: [4, 5]}}}}]\nencodings: [pairwise, {}, {}]\n\
             solvers: [cadical, {}]\nengines: [blocking, {}]\ntask: [solve, count]\ncalibration: off\n\
             limits: {{cpu: 20 s, wall: 100 s}}\n",
            self.encoder(),
            self.part(),
            self.solver(),
            self.counter()
        )
    }

    /// The measured rows, and the same with hostile names, each with its correct key: all rows that the hostile config
    /// plans.
    fn rows(&self, experiment: &Path) -> Vec<Row> {
        let mut rows = Vec::new();
        for row in rows_in(experiment) {
            let is_solver = row.job.task.backend() == Some(BackendKind::Solver);
            let tool = if is_solver { self.solver() } else { self.counter() };
            let own = (row.job.encoding.clone(), row.job.solver.clone());
            let encodings = [own.0, self.encoder(), self.part()];
            let solvers = [own.1, tool];
            let each = encodings.iter().flat_map(|one| solvers.iter().map(move |two| (one, two)));
            for (encoding, solver) in each {
                let mut row = row.clone();
                if *solver != row.job.solver {
                    // A plan for a program has these values.
                    (row.job.proof, row.job.options) = (None, Arc::default());
                }
                (row.job.encoding, row.job.solver) = (encoding.clone(), solver.clone());
                row.key = row.job.key(row.encoding_revision, &row.solver_version);
                rows.push(row);
            }
        }
        rows
    }

    /// The key of a row of `trap` whose job names this encoder or solver and no other program.
    fn key_of(&self, program: &str) -> String {
        let rows = rows_in(&self.folder.path().join("experiments/trap"));
        let others = ["pairwise", "cadical", program];
        let is_meant = |row: &&Row| {
            let names = [row.job.encoding.as_str(), row.job.solver.as_str()];
            names.contains(&program) && names.iter().all(|name| others.contains(name))
        };
        rows.iter().find(is_meant).unwrap().key.0.clone()
    }

    /// A copy of the folder, and no marks.
    fn copied(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        copy(self.folder.path(), &folder.path().join("here"));
        for mark in self.marks() {
            fs::remove_file(self.marks.path().join(mark)).unwrap();
        }
        folder
    }

    /// The marks that were left.
    fn marks(&self) -> BTreeSet<String> {
        let marks = fs::read_dir(self.marks.path()).unwrap();
        marks.map(|mark| mark.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// The input of a worker for the job of a row.
fn assignment(row: Row) -> Vec<u8> {
    let part = JobPart::Solve { proof: None, scratch: None };
    let (job, revision, place) = (row.job, row.encoding_revision, ProcessBinding::default());
    let whole =
        Assignment { job, file: None, revision, solver: None, place, programs: false, part };
    let mut value = serde_json::to_value(whole).unwrap();
    // An assignment of an older version has no field `programs`.
    value.as_object_mut().unwrap().remove("programs");
    serde_json::to_vec(&value).unwrap()
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status().unwrap();
    assert!(copied.success());
}

/// Runs the program with this standard input, for at most the time `max`.
fn run(folder: &Path, arguments: &[&str], input: &Path, max: Duration) -> Output {
    let mut command = Command::new("timeout");
    command.args(["--signal", "KILL", &max.as_secs().to_string(), env!("CARGO_BIN_EXE_bezzel")]);
    let input = fs::File::open(input).unwrap();
    command.args(arguments).current_dir(folder).stdin(input).output().unwrap()
}

fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, Path::new("/dev/null"), AMPLE)
}

/// The trials of each command: the words after its name, with a file for its standard input; its exit code;
/// and a part of its output, which shows that it read evidence.
type Trials = [(&'static str, &'static [(&'static str, i32, &'static str)])];

/// The output of a command that reads no evidence, and is tried beside it.
const READS_NONE: &str = "";
/// The messages of refusals.
const OTHER: &str = "holds rows of another experiment";
const REFUSED: &str = "is not started";

const TRIALS: &Trials = &[
    (
        "run",
        &[
            ("own.yaml --quiet", 0, "1 job to run; 3 have"),
            ("own.yaml --shard 1/2 --quiet", 0, "have their rows"),
            ("own.yaml --name trap --quiet", 0, "every job has its row, 4 in all"),
            ("own.yaml --name trap --plan", 0, "0 new, 4 reused, 20 no longer planned"),
            ("own.yaml --name trap --shard 1/2 --quiet", 0, "0 jobs to run"),
            ("alien.yaml --name trap --quiet", 2, OTHER),
            ("alien.yaml --name trap --plan", 0, OTHER),
            ("alien.yaml --name trap --shard 1/2 --quiet", 2, OTHER),
            ("trap --sample 0.05 --quiet", 0, "20 of 24 jobs were not run again"),
            ("own.yaml --sample 0.05 --quiet", 0, "reproduced: "),
            ("own.yaml --sample 0.05 --name trap --quiet", 2, "something else than a sample"),
            ("trap --only no-key", 2, "no row of `trap` has a key"),
            ("own.yaml --tasks 2 --dry-run", 0, "#SBATCH --array=1-2"),
            ("alien.yaml --name trap --tasks 2 --dry-run", 2, OTHER),
            ("alien.yaml --name trap --tasks 2", 2, OTHER),
        ],
    ),
    (
        "status",
        &[("trap", 0, "24 jobs planned"), ("trap --json", 0, "\"done\": 24"), ("", 0, "trap")],
    ),
    (
        "report",
        &[
            ("trap --quiet", 0, "reports/trap/index.html"),
            ("trap --against other", 0, "22 jobs in both"),
            ("trap --rows", 0, "touch"),
            ("other --rows --output rows.csv", 0, "2 planned jobs have no row"),
            ("", 0, "trap"),
        ],
    ),
    (
        "verify",
        &[
            ("trap --all --quiet", 0, "no fault was found"),
            ("trap --sample 0 --quiet", 0, "no fault was found"),
        ],
    ),
    ("import", &[("experiments/trap/a.jsonl --map own.yaml", 2, "the map has no key `problems`")]),
    (
        "decode",
        &[
            ("answer --cnf hostile.cnf", 10, "verified"),
            ("experiments/trap/a.jsonl 4", 2, "line 1"),
        ],
    ),
    (
        "check",
        &[
            ("--cnf hostile.cnf", 0, "the board is 4"),
            ("--cnf experiments/trap/a.jsonl", 2, "the header is missing before"),
            ("--proof hostile.cnf experiments/trap/a.jsonl", 1, "NOT VERIFIED"),
            ("pairwise", 0, READS_NONE),
        ],
    ),
    ("worker", &[("< assignment.json", 2, REFUSED)]),
    ("solve", &[("4", 10, READS_NONE), ("4 --count", 0, READS_NONE)]),
    ("board", &[("4", 0, READS_NONE)]),
    ("encode", &[("4", 0, READS_NONE)]),
    ("encoder", &[("pairwise < experiments/trap/a.jsonl", 2, "it must be `bezzel-encoder 1`")]),
    ("list", &[("", 0, READS_NONE)]),
    ("show", &[("pairwise", 0, READS_NONE)]),
    ("tune", &[("hostile.cnf --plan", 0, "tune-hostile: ")]),
    ("new-encoding", &[("other-idea", 2, READS_NONE)]),
    ("serve", &[("--port 0", KILLED, READS_NONE)]),
];

/// The time after which a command that serves until it is stopped is stopped. Others have ample time.
const SERVES: Duration = Duration::from_secs(2);
const KILLED: i32 = 137;
const AMPLE: Duration = Duration::from_mins(2);

#[test]
#[ignore = "second tier: it tries every command, and serves for 2 s"]
fn no_command_starts_a_program_that_evidence_names() {
    let trap = Trap::new();
    for command in bezzel::commands() {
        let Some((_, trials)) = TRIALS.iter().find(|(name, _)| *name == command) else {
            panic!("`{command}` is new: say in `TRIALS` how it is tried on hostile evidence")
        };
        for (words, code, says) in *trials {
            let folder = trap.copied();
            let folder = folder.path().join("here");
            let (words, input) = words.split_once("< ").unwrap_or((words, "/dev/null"));
            let arguments: Vec<&str> =
                std::iter::once(&*command).chain(words.split_whitespace()).collect();
            let max = if *code == KILLED { SERVES } else { AMPLE };
            let output = run(&folder, &arguments, &folder.join(input), max);
            let (marks, printed) = (trap.marks(), printed(&output));
            assert!(marks.is_empty(), "`{arguments:?}` started {marks:?}:\n{printed}");
            assert_eq!(
                output.status.code().unwrap_or(KILLED),
                *code,
                "`{arguments:?}`:\n{printed}"
            );
            assert!(printed.contains(says), "`{arguments:?}` says no `{says}`:\n{printed}");
        }
    }
}

#[test]
fn every_command_has_a_trial() {
    let commands = bezzel::commands();
    let trials = TRIALS.iter().map(|(name, _)| *name);
    assert_eq!(commands.iter().map(String::as_str).collect::<BTreeSet<_>>(), trials.collect());
}

#[test]
fn a_folder_with_the_config_of_another_is_refused_and_the_programs_are_named_where_they_are_needed()
{
    let trap = Trap::new();
    let refused = |arguments: &[&str], says: &str| {
        let folder = trap.copied();
        let output = bezzel(&folder.path().join("here"), arguments);
        let printed = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}");
        assert!(printed.contains(says), "{arguments:?}: {printed}");
        assert_eq!(trap.marks(), BTreeSet::new(), "{arguments:?}");
    };
    refused(&["run", "alien.yaml", "--name", "trap", "--quiet"], OTHER);
    refused(&["run", "alien.yaml", "--name", "trap", "--shard", "1/2", "--quiet"], OTHER);
    refused(&["run", "alien.yaml", "--name", "trap", "--tasks", "2", "--dry-run"], OTHER);
    let programs = "--programs";
    refused(&["run", "trap", "--only", &trap.key_of(&trap.encoder())], programs);
    refused(&["run", "trap", "--only", &trap.key_of(&trap.solver())], programs);
}

#[test]
fn permitted_commands_are_started() {
    let trap = Trap::new();
    let leaves = |arguments: &[&str], marks: &[&str]| {
        let folder = trap.copied();
        let output = bezzel(&folder.path().join("here"), arguments);
        for mark in marks {
            let left = trap.marks();
            assert!(left.contains(*mark), "{arguments:?} left {left:?}:\n{}", printed(&output));
        }
    };
    leaves(&["run", "hostile.yaml", "--name", "new", "--quiet"], &[ENCODER]);
    let sample = ["run", "trap", "--sample", "10", "--programs", "--quiet"];
    leaves(&sample, &[VERSION, COUNTER_VERSION]);
    let key = trap.key_of(&trap.solver());
    leaves(&["run", "trap", "--only", &key, "--programs", "--quiet"], &[VERSION]);
    leaves(&["verify", "trap", "--programs", "--quiet"], &[ENCODER, VERSION, COUNTER_VERSION]);
    let encoding = trap.encoder();
    leaves(&["encode", "4", "--encoding", &encoding], &[ENCODER]);
    let solver = trap.solver();
    leaves(&["solve", "4", "--solver", &solver], &[SOLVER]);
}
