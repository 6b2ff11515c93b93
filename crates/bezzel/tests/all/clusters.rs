//! `submit`, `status`, `merge` and `work` under faults. A real Slurm is in `slurm/`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bezzel_experiment::config::Config;
use bezzel_experiment::shard::cut;
use bezzel_experiment::store::{Store, attempts};
use bezzel_experiment::submission::{NewSubmission, freeze};
use bezzel_experiment::{Catalog, Environment, Permission, Plan, Row};
use bezzel_solve::Answer;
use tempfile::TempDir;

const CONFIG: &str = "\
name: cut
boards: [{size: [4, 5, 6]}]
encodings: [pairwise, product]
solvers: [batsat]
calibration: false
";

struct Workspace(TempDir);

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cut.yaml"), CONFIG).unwrap();
        Self(folder)
    }

    fn experiment(&self) -> PathBuf {
        self.0.path().join("experiments/cut")
    }

    /// The exit code of a command, and its output.
    fn run_with_code(&self, words: &[&str]) -> (Option<i32>, String) {
        let output: Output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(words)
            .current_dir(self.0.path())
            // A machine without Slurm, or with the one that a test puts there.
            .env("PATH", self.0.path().join("bin"))
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }

    fn run(&self, words: &[&str]) -> String {
        let (code, printed) = self.run_with_code(words);
        assert_eq!(code, Some(0), "{words:?}: {printed}");
        printed
    }

    fn refuses(&self, words: &[&str], code: i32, because: &str) {
        let (found, printed) = self.run_with_code(words);
        assert_eq!(found, Some(code), "{words:?}: {printed}");
        assert!(printed.contains(because), "{words:?}: {printed}");
    }

    /// Installs a program with this name where Bezzel finds it.
    fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.path().join("bin").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A submission of two shards that Slurm does not know.
    fn submission(&self) -> PathBuf {
        let catalog = Catalog::standard();
        let config = Config::parse_frozen(CONFIG, "cut.yaml", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        drop(Store::open(&self.experiment(), CONFIG, &[]).unwrap());
        let cut = cut(&vec![1.0; plan.jobs.len()], plan.rounds(), 2);
        let (jobs, permission) = (&plan.jobs, &Permission::none());
        let request = NewSubmission { name: "cut", config: CONFIG, jobs, permission, cut: &cut };
        freeze(&self.experiment(), &request).unwrap().folder().to_owned()
    }
}

#[test]
fn without_slurm_nothing_is_submitted_and_the_scripts_can_be_seen() {
    let workspace = Workspace::new();
    let submit = ["submit", "cut.yaml", "--slurm"];
    workspace.refuses(&submit, 1, "there is no `scontrol` on PATH");
    assert!(!workspace.experiment().join("shards").exists());
    let shown = workspace.run(&[&submit[..], &["--dry-run", "--array-size", "2"]].concat());
    assert!(shown.contains("6 to submit") && shown.contains("#SBATCH --array=1-2"), "{shown}");
    workspace.refuses(&["submit", "cut.yaml"], 2, "--slurm");
    workspace.refuses(&[&submit[..], &["--time", "4 weeks"]].concat(), 2, "90min");
    workspace.refuses(&[&submit[..], &["--array-size", "0"]].concat(), 2, "--array-size");
}

#[test]
fn a_slurm_that_refuses_leaves_nothing_behind() {
    let workspace = Workspace::new();
    workspace.program("scontrol", "echo 'MaxArraySize            = 3'");
    workspace.program("sbatch", "echo 'sbatch: error: invalid partition' >&2; exit 1");
    workspace.program("scancel", "exit 0");
    let submit = ["submit", "cut.yaml", "--slurm"];
    workspace.refuses(&submit, 1, "invalid partition");
    let left = fs::read_dir(workspace.experiment().join("shards")).unwrap().count();
    assert_eq!(left, 0, "no unknown submission");
    workspace.refuses(
        &[&submit[..], &["--array-size", "3"]].concat(),
        2,
        "arrays of up to 2 tasks",
    );
}

#[test]
fn running_shards_are_not_submitted_again_and_held_ones_are_reported() {
    let workspace = Workspace::new();
    workspace.submission();
    workspace.program("scontrol", "echo 'MaxArraySize = 1001'");
    workspace.program("squeue", "echo 'bezzel|7|1|PENDING|Resources'; echo 'bezzel|7|2|PENDING|launch failed requeued held'");
    let printed = workspace.run(&["submit", "cut.yaml", "--slurm"]);
    assert!(printed.contains("0 done, 6 under way, 0 to submit"), "{printed}");
    assert!(printed.contains("holds 1 task of job 7 back"), "{printed}");
    let printed = workspace.run(&["status", "cut", "--json"]);
    let numbers = ["\"running\": 0", "\"waiting\": 6", "\"missing\": 0"];
    assert!(numbers.iter().all(|number| printed.contains(number)), "{printed}");
    // A task that runs has one job at a time.
    workspace
        .program("squeue", "echo 'bezzel|7|1|RUNNING|None'; echo 'bezzel|7|2|PENDING|Resources'");
    let printed = workspace.run(&["status", "cut"]);
    for number in ["running          1", "waiting          5", "missing          0"] {
        assert!(printed.contains(number), "{number}: {printed}");
    }
    // Tasks may be running while Slurm gives no answer.
    workspace.program("squeue", "echo 'slurm_load_jobs error: Unable to contact' >&2; exit 1");
    workspace.refuses(&["submit", "cut.yaml", "--slurm"], 1, "might be submitted twice");
    let printed = workspace.run(&["status", "cut"]);
    assert!(
        printed.contains("Slurm does not report") && printed.contains("missing          6"),
        "{printed}"
    );
}

#[test]
fn a_shard_is_run_as_it_was_frozen_or_not_at_all() {
    let workspace = Workspace::new();
    let folder = workspace.submission();
    let work = |shard: &'static str| {
        ["run", folder.to_str().unwrap(), "--quiet", "--shard", shard].map(str::to_owned)
    };
    let works = |shard| workspace.run_with_code(&work(shard).each_ref().map(String::as_str));
    assert_eq!(works("1/3").0, Some(2));
    let (code, printed) = works("1/2");
    assert_eq!(code, Some(0), "{printed}");
    let (code, printed) = works("1/2");
    assert!(code == Some(0) && printed.contains("0 jobs to run"), "{printed}");
    assert_eq!(attempts(&folder).unwrap().len(), 1, "who has nothing to do writes nothing");
    let manifest = folder.join("manifest.jsonl");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("product", "bitwise")).unwrap();
    let (code, printed) = works("2/2");
    assert!(code == Some(2) && printed.contains("is not what was submitted any more"), "{printed}");
    fs::write(&manifest, text).unwrap();
    let frozen = workspace.experiment().join("config.yaml");
    fs::write(&frozen, CONFIG.replace('6', "7")).unwrap();
    let (code, printed) = works("2/2");
    assert!(code == Some(2) && printed.contains("config.yaml"), "{printed}");
}

#[test]
fn a_merge_that_comes_early_says_what_is_missing() {
    let workspace = Workspace::new();
    workspace.refuses(&["merge", "cut"], 2, "unknown experiment");
    workspace.refuses(&["run", "cut.yaml", "--shard", "5/4"], 2, "as in 3/16");
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    workspace.refuses(&["merge", "cut", "--report", "--quiet"], 1, "of 6 jobs have no row yet");
    assert!(workspace.0.path().join("reports/cut/index.html").exists());
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "2/2"]);
    workspace.run(&["merge", "cut", "--report", "--quiet"]);
    // A shard of another number of shards knows the jobs that are done.
    let printed = workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "2/3"]);
    assert!(printed.contains("0 jobs to run"), "{printed}");
    fs::write(workspace.0.path().join("cut.yaml"), CONFIG.replace("[4, 5, 6]", "7")).unwrap();
    workspace.refuses(
        &["run", "cut.yaml", "--shard", "1/2"],
        2,
        "holds rows of another experiment",
    );
}

#[test]
fn a_run_takes_over_what_attempts_have_found() {
    let workspace = Workspace::new();
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let printed = workspace.run(&["run", "cut.yaml", "--quiet"]);
    assert!(
        printed.contains("of 1 attempt added") && printed.contains("have their rows already"),
        "{printed}"
    );
    workspace.run(&["verify", "cut"]);
}

#[test]
fn parts_of_machines_that_share_no_folder_are_copied_and_merged() {
    let (first, second) = (Workspace::new(), Workspace::new());
    first.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    second.run(&["run", "cut.yaml", "--quiet", "--shard", "2/2"]);
    // The command of docs/clusters.md, with cp in the place of scp.
    let copied = format!(
        "mkdir -p experiments/cut/shards/of-2 && \
         cp '{}'/experiments/cut/shards/of-2/* experiments/cut/shards/of-2/",
        second.0.path().display()
    );
    let copy = || {
        let mut shell = Command::new("/bin/sh");
        assert!(
            shell.args(["-c", &copied]).current_dir(first.0.path()).status().unwrap().success()
        );
    };
    copy();
    first.run(&["merge", "cut", "--report", "--quiet"]);
    let printed = first.run(&["status", "cut", "--json"]);
    assert!(printed.contains("\"done\": 6,"), "{printed}");
    first.run(&["verify", "cut"]);
    // A second copy and merge change nothing, and a run prints nothing about them.
    copy();
    first.run(&["merge", "cut"]);
    let printed = first.run(&["run", "cut.yaml", "--quiet"]);
    assert!(printed.contains("every job has its row") && !printed.contains("merged"), "{printed}");
}

#[test]
fn attempts_that_contradict_each_other_are_an_error() {
    let workspace = Workspace::new();
    let folder = workspace.submission();
    let catalog = Catalog::standard();
    let config = Config::parse_frozen(CONFIG, "cut.yaml", &catalog).unwrap();
    let planned = Plan::new(&config, &catalog).unwrap().jobs.remove(0);
    for answer in [Answer::Sat, Answer::Unsat] {
        let (mut store, attempt) = Store::begin_attempt(&folder, 1).unwrap();
        let attempt = Some(attempt.to_string());
        store.begin_session(Environment { attempt, ..Environment::default() }).unwrap();
        let row = Row {
            status: answer,
            ..Row::blank(planned.clone(), bezzel_experiment::Termination::Finished)
        };
        store.append(&row).unwrap();
    }
    workspace.refuses(&["merge", "cut"], 1, "CONTRADICTION");
    // The contradiction remains, though no row is left to merge.
    workspace.refuses(&["merge", "cut"], 1, "merged: 0 rows of 2 attempts");
}

#[test]
fn stock_is_taken_of_programs_whose_versions_the_attempts_alone_tell() {
    let workspace = Workspace::new();
    workspace.program("idle", "echo 's UNKNOWN'");
    let config = CONFIG.replace("solvers: [batsat]", "solvers: [{command: \"idle {cnf}\"}]");
    fs::write(workspace.0.path().join("cut.yaml"), config).unwrap();
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let printed = workspace.run(&["status", "cut", "--json"]);
    let done = printed.lines().find_map(|line| line.trim().strip_prefix("\"done\": ")).unwrap();
    let done: u32 = done.trim_end_matches(',').parse().unwrap();
    assert!(done > 0 && done < 6, "{printed}");
    workspace.run(&["merge", "cut"]);
    assert!(workspace.run(&["status", "cut", "--json"]).contains(&format!("\"done\": {done},")));
}
