//! Evidence from elsewhere whose config, rows and submissions name programs that leave a mark when they are
//! started: every command of the command line is tried on it, and none leaves a mark unless the user gives
//! `--programs` or names the config.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bezzel_lab::assignment::{Assignment, Part, Place};
use bezzel_lab::shard::cut;
use bezzel_lab::store::{Content, Store, lines, seal};
use bezzel_lab::submission::{Request, freeze};
use bezzel_lab::{Doer, Environment, Permission, Planned, Row};
use tempfile::TempDir;

/// The user's own config, which names no program.
const OWN: &str = "\
name: trap
boards: [{size: [4, 5]}]
encodings: [pairwise]
solvers: [cadical]
engines: [blocking]
task: [first, count]
calibration: off
warm_up: 0
limits: {cpu: 20 s, wall: 100 s}
";

/// The programs, each with what is done to start it.
const ENCODER: &str = "encoder";
const PART: &str = "encoder-of-a-part";
const SOLVER: &str = "solver";
const VERSION: &str = "version-of-solver";
const COUNTER: &str = "counter";
const COUNTER_VERSION: &str = "version-of-counter";

/// A folder with hostile evidence. Its programs leave marks in `marks`, which is given by its whole path, so
/// that copies of the folder have the same programs.
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
        let ran = bezzel(path, &["run", "own.yaml", "--quiet"]);
        assert_eq!(ran.status.code(), Some(0), "{}", told(&ran));
        let experiment = path.join("experiments/trap");
        let rows = trap.rows(&experiment);
        let text: Vec<u8> = rows.iter().flat_map(seal::sealed).collect();
        fs::write(experiment.join("rows.jsonl"), text).unwrap();
        fs::write(experiment.join("config.yaml"), trap.config()).unwrap();
        // A submission and an attempt of the same jobs.
        let jobs: Vec<Planned> = rows.iter().map(planned).collect();
        let rounds = 0..jobs.len();
        let cut = cut(&vec![1.0; jobs.len()], std::slice::from_ref(&rounds), 1);
        let config = trap.config();
        let permission = &Permission::none();
        let request = Request { name: "trap", config: &config, jobs: &jobs, permission, cut: &cut };
        freeze(&experiment, &request).unwrap();
        let (mut store, _) = Store::begin_attempt(&experiment.join("shards/of-2"), 1).unwrap();
        store.begin_session(Environment::default()).unwrap();
        for row in &rows {
            store.append(row).unwrap();
        }
        drop(store);
        // Another experiment of the same evidence, and the folder of an export.
        copy(&experiment, &path.join("experiments/other"));
        fs::create_dir(path.join("exported")).unwrap();
        fs::write(path.join("exported/config.yaml"), trap.config()).unwrap();
        fs::write(path.join("exported/results.xml"), RESULTS).unwrap();
        fs::write(path.join("hostile.yaml"), trap.config()).unwrap();
        fs::write(path.join("assignment.json"), assignment(&rows)).unwrap();
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
            "name: trap\nboards: [{{size: [4, 5]}}]\nencodings: [pairwise, {}, {}]\n\
             solvers: [cadical, {}]\nengines: [blocking, {}]\ntask: [first, count]\ncalibration: off\n\
             limits: {{cpu: 20 s, wall: 100 s}}\n",
            self.encoder(),
            self.part(),
            self.solver(),
            self.counter()
        )
    }

    /// The rows that were measured, and the same with hostile names, each with its right key.
    fn rows(&self, experiment: &Path) -> Vec<Row> {
        let mut rows = Vec::new();
        for line in lines(experiment).unwrap() {
            let Content::Row(row, _) = line.unwrap().content else { panic!("a right row") };
            let is_solver = row.job.task.doer() == Doer::Solver;
            let tool = if is_solver { self.solver() } else { self.counter() };
            let own = (row.job.encoding.clone(), row.job.solver.clone());
            let names =
                [own.clone(), (own.0, tool), (self.encoder(), own.1.clone()), (self.part(), own.1)];
            for (encoding, solver) in names {
                let mut row = (*row).clone();
                if solver != row.job.solver {
                    // As a plan has it for a program.
                    (row.job.proof, row.job.options) = (None, Arc::default());
                }
                (row.job.encoding, row.job.solver) = (encoding, solver);
                row.key = row.job.key(row.encoding_revision, &row.solver_version);
                rows.push(row);
            }
        }
        rows
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

fn planned(row: &Row) -> Planned {
    let Row { job, key, encoding_revision, solver_version, .. } = row.clone();
    Planned { job, key, encoding_revision, solver_version, size: None }
}

/// What a worker would read, were it given a row's job: all that the row names is hostile.
fn assignment(rows: &[Row]) -> Vec<u8> {
    let mut row = rows[1].clone();
    row.job.encoding.clone_from(&rows[2].job.encoding);
    let part = Part::Solve { proof: None, scratch: None };
    let (job, revision, place) = (row.job, row.encoding_revision, Place::default());
    let whole = Assignment { job, revision, solver: None, place, programs: false, part };
    let mut value = serde_json::to_value(whole).unwrap();
    // As a file of an older version would be, which says nothing of programs.
    value.as_object_mut().unwrap().remove("programs");
    serde_json::to_vec(&value).unwrap()
}

const RESULTS: &str = "<?xml version=\"1.0\"?>\n<result toolmodule=\"bezzel_tools.touch\" \
                       name=\"all\" timelimit=\"60s\" generator=\"BenchExec 3.30\"></result>\n";

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status().unwrap();
    assert!(copied.success());
}

fn told(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Runs the program with this standard input, for so long at most.
fn run(folder: &Path, arguments: &[&str], input: Option<PathBuf>, most: Duration) -> Output {
    let mut command = Command::new("timeout");
    command.args(["--signal", "KILL", &most.as_secs().to_string(), env!("CARGO_BIN_EXE_bezzel")]);
    let input = input.map_or_else(Stdio::null, |path| fs::File::open(path).unwrap().into());
    command.args(arguments).current_dir(folder).stdin(input).output().unwrap()
}

fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, None, AMPLE)
}

/// How each command is tried: the words after its name, and a file for its standard input.
struct Trials(BTreeMap<&'static str, Vec<(&'static str, Option<&'static str>)>>);

impl Trials {
    fn all() -> Self {
        let mut trials = BTreeMap::new();
        for (command, words) in [
            ("run", &["own.yaml --quiet", "own.yaml --plan", "own.yaml --shard 1/2 --quiet"][..]),
            ("submit", &["own.yaml --slurm --dry-run", "own.yaml --slurm"]),
            ("status", &["trap", "trap --json"]),
            ("merge", &["trap", "trap --report --quiet"]),
            ("work", &["experiments/trap/shards/0001 --shard 1 --quiet"]),
            ("report", &["trap --quiet", "trap other --as both --quiet"]),
            ("verify", &["trap --all --quiet", "trap --sample 0 --quiet"]),
            ("compare", &["trap other"]),
            ("reproduce", &["trap --minutes 0.05 --quiet", "trap --json --quiet"]),
            ("artifact", &["trap", "trap --vendor"]),
            ("rows", &["trap", "trap --format parquet --output rows.parquet"]),
            ("export", &["own.yaml --benchexec new", "own.yaml --benchexec exported"]),
            (
                "import",
                &[
                    "taken --from exported exported/results.xml",
                    "taken exported/results.xml",
                    "trap exported/results.xml",
                ],
            ),
            ("solve", &["4"]),
            ("count", &["4"]),
            ("board", &["4"]),
            ("encode", &["4"]),
            ("decode", &["experiments/trap/rows.jsonl"]),
            ("list", &[""]),
            ("card", &["pairwise"]),
            ("check", &["pairwise", "--cnf experiments/trap/config.yaml"]),
            ("check-proof", &["hostile.yaml experiments/trap/rows.jsonl"]),
            ("new-encoding", &["my-idea"]),
            ("serve", &["--port 0"]),
            ("schema", &[""]),
            ("completions", &["bash"]),
        ] {
            trials.insert(command, words.iter().map(|&words| (words, None)).collect());
        }
        trials.insert("worker", vec![("", Some("assignment.json"))]);
        trials.insert("supervise", vec![("", Some("experiments/trap/rows.jsonl"))]);
        Self(trials)
    }
}

/// A command that serves until it is stopped is stopped after this time; others have ample time.
const SERVES: Duration = Duration::from_secs(2);
const AMPLE: Duration = Duration::from_mins(2);

#[test]
fn no_command_starts_a_program_that_evidence_names() {
    let trap = Trap::new();
    let Trials(trials) = Trials::all();
    for command in bezzel::commands() {
        let Some(trials) = trials.get(command.as_str()) else {
            panic!("`{command}` is new: say in `Trials::all` how it is tried on hostile evidence")
        };
        for (words, input) in trials {
            let folder = trap.copied();
            let folder = folder.path().join("here");
            let arguments: Vec<&str> =
                std::iter::once(command.as_str()).chain(words.split_whitespace()).collect();
            let serves = command == "serve";
            let most = if serves { SERVES } else { AMPLE };
            let output = run(&folder, &arguments, input.map(|input| folder.join(input)), most);
            let marks = trap.marks();
            let told = told(&output);
            assert!(marks.is_empty(), "`{arguments:?}` started {marks:?}:\n{told}");
            assert_eq!(
                matches!(output.status.code(), None | Some(137)),
                serves,
                "`{arguments:?}` does not end:\n{told}"
            );
            assert_ne!(output.status.code(), Some(101), "`{arguments:?}` panicked:\n{told}");
        }
    }
}

#[test]
fn a_folder_with_the_config_of_another_is_refused_and_the_programs_are_named_where_they_are_needed()
{
    let trap = Trap::new();
    let refused = |arguments: &[&str], says: &str| {
        let folder = trap.copied();
        let output = bezzel(&folder.path().join("here"), arguments);
        let told = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(says), "{arguments:?}: {told}");
        assert_eq!(trap.marks(), BTreeSet::new(), "{arguments:?}");
    };
    let other = "holds evidence for another config";
    refused(&["run", "own.yaml", "--quiet"], other);
    refused(&["run", "own.yaml", "--shard", "1/2", "--quiet"], other);
    refused(&["submit", "own.yaml", "--slurm", "--dry-run"], other);
    let programs = "--programs";
    refused(&["work", "experiments/trap/shards/0001", "--shard", "1"], programs);
    refused(&["import", "taken", "--from", "exported", "exported/results.xml"], programs);
}

#[test]
fn what_the_user_permits_is_started() {
    let trap = Trap::new();
    let leaves = |arguments: &[&str], marks: &[&str]| {
        let folder = trap.copied();
        let output = bezzel(&folder.path().join("here"), arguments);
        for mark in marks {
            let left = trap.marks();
            assert!(left.contains(*mark), "{arguments:?} left {left:?}:\n{}", told(&output));
        }
    };
    leaves(&["run", "hostile.yaml", "--name", "new", "--quiet"], &[ENCODER]);
    leaves(&["reproduce", "trap", "--programs", "--quiet"], &[VERSION, COUNTER_VERSION]);
    leaves(&["verify", "trap", "--programs", "--quiet"], &[ENCODER, VERSION, COUNTER_VERSION]);
    let import = ["import", "taken", "--from", "exported", "exported/results.xml", "--programs"];
    leaves(&import, &[ENCODER]);
    let work = ["work", "experiments/trap/shards/0001", "--shard", "1", "--programs"];
    leaves(&work, &[COUNTER_VERSION]);
    let encoding = trap.encoder();
    leaves(&["encode", "4", "--encoding", &encoding], &[ENCODER]);
    let solver = trap.solver();
    leaves(&["solve", "4", "--solver", &solver], &[SOLVER]);
}

#[test]
fn a_repository_around_evidence_starts_no_program_of_its_config() {
    let (folder, marks) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path();
    fs::write(path.join("own.yaml"), OWN).unwrap();
    assert_eq!(bezzel(path, &["run", "own.yaml", "--quiet"]).status.code(), Some(0));
    // Where sources are looked for.
    fs::create_dir_all(path.join("crates/bezzel")).unwrap();
    fs::write(path.join("crates/bezzel/Cargo.toml"), "[package]\n").unwrap();
    fs::write(path.join(".gitattributes"), "* filter=trap\n").unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments);
        let done = command.current_dir(path).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", told(&done));
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "evidence"]);
    let touch = |mark: &str| format!("touch {}; cat", marks.path().join(mark).display());
    git(&["config", "core.fsmonitor", &touch("fsmonitor")]);
    git(&["config", "filter.trap.smudge", &touch("smudge")]);
    git(&["config", "filter.trap.clean", &touch("clean")]);
    // Of another time than git remembers, so that it would look into it.
    fs::write(path.join("crates/bezzel/Cargo.toml"), "[package]\n").unwrap();

    let compared = bezzel(path, &["compare", "HEAD:experiments/trap", "trap"]);
    assert_eq!(compared.status.code(), Some(0), "{}", told(&compared));
    let packed = bezzel(path, &["artifact", "trap", "--output", "a.tar.gz"]);
    assert_eq!(packed.status.code(), Some(0), "{}", told(&packed));
    let left: Vec<_> = fs::read_dir(marks.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
