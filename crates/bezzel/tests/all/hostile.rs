//! Evidence of other origin whose config and rows name programs that leave a mark when they are started.
//! Every command of the command line is tried on it. None leaves a mark unless the user gives `--programs` or names the
//! config. It lies in a git repository whose own config names programs too.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use bezzel_experiment::assignment::{Assignment, JobPart, ProcessBinding};
use bezzel_experiment::store::{LineContent, Store, checksum, lines};
use bezzel_experiment::{BackendKind, Environment, Row};
use tempfile::TempDir;

use crate::program::{printed, rows_in, stdout};

/// The user's own config, which names no program.
const OWN: &str = "\
name: own
boards: [{size: [4, 5]}]
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
const RUSTC: &str = "rustc";

/// A folder with hostile evidence. Of its experiments `own` has the user's config and lacks two rows, `trap` is whole
/// and has a hostile config, `other` is `trap` without two rows, and `bare` has only that config. Its programs leave
/// marks in `marks`. The path of `marks` is absolute, so that copies of the folder have the same programs.
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
        let rows = trap.rows(&own);
        let (mut store, _) = Store::begin_attempt(&own.join("shards/of-2"), 1).unwrap();
        store.begin_session(Environment::default()).unwrap();
        for row in &rows[1..] {
            store.append(row).unwrap();
        }
        drop(store);
        write_rows(&own, &rows[2..]);
        let config = trap.config();
        for name in ["trap", "other", "bare"] {
            let experiment = path.join("experiments").join(name);
            if name == "bare" {
                fs::create_dir(&experiment).unwrap();
            } else {
                copy(&own, &experiment);
            }
            fs::write(experiment.join("config.yaml"), &config).unwrap();
        }
        let experiment = path.join("experiments/trap");
        write_rows(&experiment, &rows);
        // The folder of an export, a formula and an answer.
        fs::create_dir(path.join("exported")).unwrap();
        fs::write(path.join("exported/config.yaml"), &config).unwrap();
        fs::write(path.join("exported/results.xml"), RESULTS).unwrap();
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
        trap.write_sources();
        trap.write_repository();
        trap
    }

    /// Writes the sources that an archive takes: a package without dependencies, whose settings of cargo name a
    /// program.
    fn write_sources(&self) {
        let path = self.folder.path();
        let rustc = path.join("rustc");
        let config = format!("[build]\nrustc = \"{}\"\n", rustc.display());
        fs::write(&rustc, format!("#!/bin/sh\n{}\nexec rustc \"$@\"\n", self.line(RUSTC))).unwrap();
        fs::set_permissions(&rustc, Permissions::from_mode(0o755)).unwrap();
        for (file, text) in [
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/bezzel\"]\n"),
            ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"bezzel\"\nversion = \"0.1.0\"\n"),
            ("crates/bezzel/Cargo.toml", "[package]\nname = \"bezzel\"\nversion = \"0.1.0\"\n"),
            ("crates/bezzel/src/main.rs", "fn main() {}\n"),
            // Without dependencies cargo makes no such folder.
            ("vendor/README", ""),
            (".cargo/config.toml", &config),
        ] {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    /// Makes a repository of the folder. Its config names programs for every operation of git that starts one, and
    /// remotes for missing objects. It also has a hook.
    fn write_repository(&self) {
        let path = self.folder.path();
        fs::write(path.join(".gitattributes"), "* filter=trap diff=trap\n").unwrap();
        git(path, &["init", "--quiet"]);
        git(path, &["add", "--all"]);
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        git(path, &[&who[..], &["commit", "--quiet", "--message", "evidence"]].concat());
        let hook = path.join(".git/hooks/post-index-change");
        fs::write(&hook, format!("#!/bin/sh\n{}\n", self.line("hook"))).unwrap();
        fs::set_permissions(&hook, Permissions::from_mode(0o755)).unwrap();
        let line = |mark: &str, then: &str| format!("{}; {then}", self.line(mark));
        for (key, value) in [
            ("core.fsmonitor", &*line("fsmonitor", ":")),
            ("filter.trap.clean", &line("clean", "cat")),
            ("filter.trap.smudge", &line("smudge", "cat")),
            ("diff.trap.textconv", &line("textconv", "cat")),
            ("diff.external", &line("diff", ":")),
            ("core.sshCommand", &line("ssh", ":")),
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "files"),
            ("remote.files.promisor", "true"),
            ("remote.files.url", "/nowhere"),
            ("remote.files.uploadpack", &line("uploadpack", ":")),
            ("remote.ssh.promisor", "true"),
            ("remote.ssh.url", "ssh://nowhere.invalid/nothing"),
            ("remote.ext.promisor", "true"),
            ("remote.ext.url", &format!("ext::{}", self.line("ext"))),
            ("protocol.file.allow", "always"),
            ("protocol.ssh.allow", "always"),
            ("protocol.ext.allow", "always"),
        ] {
            git(path, &["config", key, value]);
        }
        // The file differs from the committed one.
        fs::write(path.join("vendor/README"), "changed").unwrap();
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
        for line in lines(experiment).unwrap() {
            let LineContent::Row(row, _) = line.unwrap().content else { panic!("a right row") };
            let is_solver = row.job.task.backend() == Some(BackendKind::Solver);
            let tool = if is_solver { self.solver() } else { self.counter() };
            let own = (row.job.encoding.clone(), row.job.solver.clone());
            let encodings = [own.0, self.encoder(), self.part()];
            let solvers = [own.1, tool];
            let each = encodings.iter().flat_map(|one| solvers.iter().map(move |two| (one, two)));
            for (encoding, solver) in each {
                let mut row = (*row).clone();
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

fn write_rows(experiment: &Path, rows: &[Row]) {
    let text: Vec<u8> = rows.iter().flat_map(checksum::line_of).collect();
    fs::write(experiment.join("rows.jsonl"), text).unwrap();
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

const RESULTS: &str = "<?xml version=\"1.0\"?>\n<result toolmodule=\"bezzel_tools.touch\" \
                       name=\"all\" timelimit=\"60s\" generator=\"BenchExec 3.30\"></result>\n";

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

/// Runs plain git, without the settings of this machine.
fn git(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.env_clear().env("PATH", env::var_os("PATH").unwrap()).env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn bezzel(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, Path::new("/dev/null"), AMPLE)
}

/// The hidden command that starts the program in its standard input, which a worker writes. It reads no evidence, so it
/// has no trial.
const SUPERVISE: &str = "supervise";

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
        ],
    ),
    (
        "submit",
        &[
            ("own.yaml --tasks 2 --dry-run", 0, "#SBATCH --array=1-2"),
            ("alien.yaml --name trap --tasks 2 --dry-run", 2, OTHER),
            ("alien.yaml --name trap --tasks 2", 2, OTHER),
        ],
    ),
    ("status", &[("trap", 0, "24 jobs planned"), ("trap --json", 0, "\"done\": 24")]),
    (
        "merge",
        &[
            ("other", 0, "23 rows of 1 attempt"),
            ("trap --report --quiet", 0, "23 rows of 1 attempt"),
        ],
    ),
    (
        "report",
        &[
            ("trap --quiet", 0, "reports/trap/index.html"),
            ("trap other --as both --quiet", 0, "reports/both/index.html"),
        ],
    ),
    (
        "verify",
        &[
            ("trap --all --quiet", 0, "no fault was found"),
            ("trap --sample 0 --quiet", 0, "no fault was found"),
        ],
    ),
    (
        "compare",
        &[
            ("trap other", 0, "22 jobs in both"),
            ("HEAD:experiments/trap other", 0, "22 jobs in both"),
        ],
    ),
    ("artifact", &[("trap", 0, "sources: commit"), ("trap --vendor", 0, "sources: commit")]),
    (
        "rows",
        &[
            ("trap", 0, "touch"),
            ("other --format csv --output rows.csv", 0, "2 planned jobs have no row"),
        ],
    ),
    (
        "benchexec export",
        &[
            ("own.yaml --to new", 0, READS_NONE),
            ("own.yaml --to exported", 2, "is no export of this config"),
        ],
    ),
    (
        "benchexec import",
        &[
            ("taken --from exported exported/results.xml", 2, REFUSED),
            ("taken exported/results.xml", 2, REFUSED),
            ("bare exported/results.xml", 2, REFUSED),
            ("trap exported/results.xml", 2, "holds rows that Bezzel itself has measured"),
        ],
    ),
    (
        "decode",
        &[
            ("answer --cnf hostile.cnf", 10, "verified"),
            ("experiments/trap/rows.jsonl 4", 2, "line 1"),
        ],
    ),
    (
        "check",
        &[
            ("--cnf hostile.cnf", 0, "The board 4"),
            ("--cnf experiments/trap/config.yaml", 2, "is not a literal"),
            ("--proof hostile.cnf experiments/trap/rows.jsonl", 1, "NOT VERIFIED"),
            ("pairwise", 0, READS_NONE),
        ],
    ),
    ("worker", &[("< assignment.json", 2, REFUSED)]),
    ("solve", &[("4", 10, READS_NONE), ("4 --count", 0, READS_NONE)]),
    ("board", &[("4", 0, READS_NONE)]),
    ("encode", &[("4", 0, READS_NONE)]),
    ("encoder", &[("pairwise < experiments/trap/rows.jsonl", 2, "it must be `bezzel-encoder 1`")]),
    ("list", &[("", 0, READS_NONE)]),
    ("show", &[("pairwise", 0, READS_NONE)]),
    ("tune", &[("hostile.cnf --plan", 0, "tune-hostile: ")]),
    ("new-encoding", &[("other-idea", 2, READS_NONE)]),
    ("serve", &[("--port 0", KILLED, READS_NONE)]),
    ("schema", &[("", 0, READS_NONE)]),
    ("completions", &[("bash", 0, READS_NONE)]),
];

/// The time after which a command that serves until it is stopped is stopped. Others have ample time.
const SERVES: Duration = Duration::from_secs(2);
const KILLED: i32 = 137;
const AMPLE: Duration = Duration::from_mins(2);

#[test]
fn no_command_starts_a_program_that_evidence_names() {
    let trap = Trap::new();
    for command in bezzel::commands().into_iter().filter(|command| command != SUPERVISE) {
        let Some((_, trials)) = TRIALS.iter().find(|(name, _)| *name == command) else {
            panic!("`{command}` is new: say in `TRIALS` how it is tried on hostile evidence")
        };
        for (words, code, says) in *trials {
            let folder = trap.copied();
            let folder = folder.path().join("here");
            let (words, input) = words.split_once("< ").unwrap_or((words, "/dev/null"));
            let arguments: Vec<&str> = command.split(' ').chain(words.split_whitespace()).collect();
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
fn every_command_is_named_with_those_above_it() {
    let commands = bezzel::commands();
    let trials = TRIALS.iter().map(|(name, _)| *name).chain([SUPERVISE]);
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
    refused(&["submit", "alien.yaml", "--name", "trap", "--tasks", "2", "--dry-run"], OTHER);
    let programs = "--programs";
    refused(
        &["benchexec", "import", "taken", "--from", "exported", "exported/results.xml"],
        programs,
    );
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
    let results = ["--from", "exported", "exported/results.xml", "--programs"];
    let import = [&["benchexec", "import", "taken"][..], &results].concat();
    leaves(&import, &[ENCODER]);
    let encoding = trap.encoder();
    leaves(&["encode", "4", "--encoding", &encoding], &[ENCODER]);
    let solver = trap.solver();
    leaves(&["solve", "4", "--solver", &solver], &[SOLVER]);
}

#[test]
fn a_repository_around_evidence_starts_no_program_of_its_config() {
    let trap = Trap::new();
    let copied = || {
        let folder = trap.copied();
        let path = folder.path().join("here");
        (folder, path)
    };
    let marks = |marks: &[&str]| marks.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    // Plain git starts all of them.
    let (_folder, path) = copied();
    for arguments in [
        &["diff"][..],
        &["diff", "--no-ext-diff"],
        &["read-tree", "HEAD"],
        &["cat-file", "--filters", "HEAD:own.yaml"],
    ] {
        git(&path, arguments);
    }
    let started = ["clean", "diff", "fsmonitor", "hook", "smudge", "textconv"];
    assert_eq!(trap.marks(), marks(&started));
    // Missing objects, and the exit codes of `compare` and `artifact` without them.
    for (missing, [compared, packed]) in [
        ("HEAD:.gitattributes", [0, 1]),
        ("HEAD:experiments/trap/rows.jsonl", [2, 0]),
        ("HEAD^{tree}", [2, 0]),
        ("HEAD^{commit}", [2, 0]),
    ] {
        let (_folder, path) = copied();
        let id = stdout(&git(&path, &["rev-parse", missing]));
        let (folder, file) = id.trim().split_at(2);
        fs::remove_file(path.join(".git/objects").join(folder).join(file)).unwrap();
        for (arguments, code) in [
            (["compare", "HEAD:experiments/trap", "other"], compared),
            (["artifact", "trap", "--output=a.tar.gz"], packed),
        ] {
            let output = bezzel(&path, &arguments);
            let printed = printed(&output);
            assert_eq!(output.status.code(), Some(code), "{arguments:?}, {missing}: {printed}");
            let is_unread = arguments[0] == "artifact" && missing.starts_with("HEAD^");
            assert_eq!(
                printed.contains("WARNING: git reads no commit"),
                is_unread,
                "{missing}: {printed}"
            );
            assert_eq!(trap.marks(), marks(&[]), "{arguments:?}, {missing}: {printed}");
        }
        git(&path, &["cat-file", "-e", missing]);
        assert_eq!(trap.marks(), marks(&["ext", "ssh", "uploadpack"]), "{missing}");
    }
}
