//! `submit` with a `sbatch` that only records its input, and the sessions of shards. A real Slurm is in `slurm.rs`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bezzel_experiment::Row;
use bezzel_solve::Answer;
use tempfile::TempDir;

use crate::interruptions::workspace::results_in;
use crate::program::BEZZEL;
use crate::session_files::{change_session, copy_sessions, rows_in, session_in, starts_in};

const CONFIG: &str = "\
name: cut
problems: [{queens: {size: [4, 5, 6]}}]
encodings: [pairwise, product]
solvers: [batsat]
limits: {cpu: 100 s, wall: 200 s, memory: 256 MiB}
proofs: off
calibration: false
";

/// The script of two tasks in this folder, with the path of the folder for a shell and for Slurm.
fn array_script(folder: &str, logs: &str, minutes: u32, mebibytes: u32) -> String {
    format!(
        "#!/bin/bash
# Task K of this array runs shard K of 2 of the experiment cut.
#SBATCH --job-name=bezzel-cut
#SBATCH --array=1-2
# Cores of its own, without their second threads: two threads of one core slow each other down.
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1 --hint=nomultithread
#SBATCH --time={minutes}
#SBATCH --mem={mebibytes}M
# A task that is lost with its node or preempted begins again, and continues its shard.
#SBATCH --requeue --open-mode=append
# Slurm makes no folder for logs: this one must exist.
#SBATCH --output=\"{logs}/experiments/cut/slurm-%A_%a.log\"
cd {folder} || exit 1
# In place of this shell, so that Slurm's TERM reaches it.
exec {BEZZEL} run {folder}/cut.yaml --root {folder} --name cut --shard \"$SLURM_ARRAY_TASK_ID/2\" --quiet
"
    )
}

struct Workspace(TempDir);

impl Workspace {
    fn new() -> Self {
        Self::in_folder("cut")
    }

    /// A folder whose name begins with `name`.
    fn in_folder(name: &str) -> Self {
        let folder = tempfile::Builder::new().prefix(name).tempdir().unwrap();
        fs::write(folder.path().join("cut.yaml"), CONFIG).unwrap();
        Self(folder)
    }

    fn experiment(&self) -> PathBuf {
        self.0.path().join("experiments/cut")
    }

    /// The exit code of a command, and its output.
    fn run_with_code(&self, words: &[&str]) -> (Option<i32>, String) {
        let output: Output = Command::new(BEZZEL)
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

    /// The number of done jobs in the status.
    fn done(&self) -> u32 {
        let printed = self.run(&["status", "cut", "--json"]);
        let done = printed.lines().find_map(|line| line.trim().strip_prefix("\"done\": "));
        done.unwrap().trim_end_matches(',').parse().unwrap()
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
}

#[test]
fn a_dry_run_prints_the_script_whose_limits_are_those_of_the_plan_or_given() {
    let workspace = Workspace::new();
    let folder = workspace.0.path().to_str().unwrap();
    let dry = |words: &[&str]| {
        workspace.run(&[&["run", "cut.yaml", "--tasks", "2", "--dry-run"], words].concat())
    };
    // Four jobs of 201 s and five minutes; 256 MiB, an eighth more and 64 MiB, and 513 MiB.
    assert_eq!(dry(&[]), array_script(folder, folder, 19, 865));
    assert!(!workspace.experiment().exists(), "nothing is written");
    assert_eq!(dry(&["--time", "4h", "--mem", "1GiB"]), array_script(folder, folder, 240, 1024));
    let renamed = dry(&["--name", "other"]);
    assert!(renamed.contains(" --name other --shard ") && renamed.contains("experiments/other/"));
    workspace.run(&["run", "cut.yaml", "--quiet"]);
    assert_eq!(dry(&[]), "cut: every job has its row, nothing is submitted\n");
}

#[test]
fn sbatch_gets_the_script_and_each_task_runs_its_shard_from_any_folder() {
    let workspace = Workspace::in_folder("it's a 100%j é ");
    let folder = workspace.0.path().display().to_string();
    let quoted = format!("'{}'", folder.replace('\'', "'\\''"));
    let script = workspace.0.path().join("script");
    workspace.program("sbatch", "/bin/cat > script; echo 'Submitted batch job 7'");
    let printed = workspace.run(&["run", "cut.yaml", "--tasks", "2"]);
    assert!(printed.starts_with("Submitted batch job 7\n"), "{printed}");
    assert!(printed.contains("when all tasks have ended: bezzel report cut --root '"), "{printed}");
    let text = fs::read_to_string(&script).unwrap();
    let quoted = array_script(&quoted, &folder.replace('%', "%%"), 19, 865)
        .replace("'/cut.yaml", "/cut.yaml'");
    assert_eq!(text, quoted);
    for task in ["1", "2"] {
        let mut bash = Command::new("/bin/bash");
        bash.arg(&script).current_dir("/").env("SLURM_ARRAY_TASK_ID", task);
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(workspace.run(&["status", "cut"]).contains("6 jobs planned, 2 sessions"));
    assert_eq!(workspace.done(), 6);
    // A task that begins again finds its jobs done.
    assert!(workspace.run(&["run", "cut.yaml", "--shard", "1/2"]).contains("0 jobs to run"));
}

#[test]
fn a_submission_that_cannot_be_made_is_refused_with_the_reason() {
    let workspace = Workspace::new();
    let two = ["run", "cut.yaml", "--tasks", "2"];
    workspace.refuses(&two, 1, "`sbatch` cannot be run: No such file or directory");
    workspace.program("sbatch", "echo 'sbatch: error: invalid partition' >&2; exit 1");
    workspace.refuses(
        &two,
        1,
        "`sbatch` refused: sbatch: error: invalid partition (exit status: 1)",
    );
    let root = workspace.0.path().join("a\\b");
    fs::create_dir(&root).unwrap();
    for (words, because) in [
        (&["cut.yaml", "--tasks", "2", "--root", "a\\b"][..], "Slurm cannot write logs there"),
        (&["cut.yaml", "--dry-run"], "--tasks <TASKS>"),
        (&["cut.yaml", "--tasks", "0"], "it must be from 1 to 99999"),
        (&["cut.yaml", "--tasks", "2", "--time", "4 weeks"], "give whole minutes above 0"),
        (&["cut.yaml", "--tasks", "2", "--mem", "much"], "give a size such as 512MiB"),
        (&["cot", "--tasks", "2"], "no config `cot`"),
        (&["cut.yaml", "--tasks", "2", "--name", "a/b"], "--name a/b: it names a folder"),
    ] {
        workspace.refuses(&[&["run"], words].concat(), 2, because);
    }
    workspace.refuses(
        &["run", "cut.yaml", "--shard", "1/2", "--programs"],
        2,
        "need no permission; leave it out",
    );
}

#[test]
fn a_report_before_the_last_shard_states_what_is_missing() {
    let workspace = Workspace::new();
    workspace.refuses(&["run", "cut.yaml", "--shard", "5/4"], 2, "as in 3/16");
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let done = workspace.done();
    assert!(0 < done && done < 6, "{done}");
    workspace.run(&["report", "cut", "--quiet"]);
    let report = || fs::read_to_string(workspace.0.path().join("reports/cut/report.md")).unwrap();
    let missing = format!("6 planned, {} missing", 6 - done);
    assert!(report().contains(&missing), "{}", report());
    // A run without shards, and a shard of another number of shards, know the jobs that are done.
    let printed = workspace.run(&["run", "cut.yaml", "--quiet"]);
    assert!(printed.contains(&format!("{done} have their rows already")), "{printed}");
    assert!(report().contains("6 planned, 6 answered"), "{}", report());
    let printed = workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "2/3"]);
    assert!(printed.contains("0 jobs to run"), "{printed}");
    workspace.run(&["verify", "cut"]);
    fs::write(workspace.0.path().join("cut.yaml"), CONFIG.replace("[4, 5, 6]", "7")).unwrap();
    workspace.refuses(
        &["run", "cut.yaml", "--shard", "1/2"],
        2,
        "holds rows of another experiment",
    );
}

#[test]
fn sessions_of_machines_that_share_no_folder_are_copied_and_are_as_a_whole_run() {
    let [whole, first, second] = [(); 3].map(|()| Workspace::new());
    whole.run(&["run", "cut.yaml", "--quiet"]);
    let rows = rows_in(&whole.experiment());
    let started_unix_s = starts_in(&whole.experiment())[0].environment.started_unix_s;
    for (machine, shard) in [(&first, "1/2"), (&second, "2/2")] {
        machine.run(&["run", "cut.yaml", "--quiet", "--shard", shard]);
        let results = results_in(&machine.experiment());
        assert!(
            results.iter().all(|(key, result)| results_in(&whole.experiment())[key] == *result)
        );
        // Times, which differ, are those of the whole run.
        change_session(&machine.experiment(), |start, own| {
            start.environment.started_unix_s = started_unix_s;
            let is_own = |row: &&Row| results.contains_key(&row.key.to_string());
            *own = rows.iter().filter(is_own).cloned().collect();
        });
    }
    // The command of docs/clusters.md, with cp in the place of scp.
    let copy = || {
        let mut command = Command::new("cp");
        command.arg("-r").arg(second.experiment()).arg(first.0.path().join("experiments"));
        assert!(command.status().unwrap().success());
    };
    // A second copy changes nothing.
    for _ in 0..2 {
        copy();
        let printed = first.run(&["run", "cut.yaml", "--quiet"]);
        assert!(printed.contains("every job has its row, 6 in all"), "{printed}");
        assert!(report_files(&first) == report_files(&whole), "the reports differ");
    }
    first.run(&["verify", "cut"]);
}

/// The files of the report, by their names.
fn report_files(workspace: &Workspace) -> BTreeMap<OsString, Vec<u8>> {
    let files = fs::read_dir(workspace.0.path().join("reports/cut")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    paths.map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

#[test]
fn sessions_that_contradict_each_other_are_an_error() {
    let workspace = Workspace::new();
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let copy = workspace.experiment().with_file_name("copy");
    copy_sessions(&workspace.experiment(), &copy);
    change_session(&copy, |start, rows| {
        start.command = "bezzel run again".into();
        rows[0].status = Answer::Unsat;
    });
    let name = "2999-01-01T00.00.00Z-there-7.jsonl";
    fs::rename(session_in(&copy), workspace.experiment().join(name)).unwrap();
    workspace.refuses(&["run", "cut.yaml", "--quiet"], 1, "CONTRADICTION");
    // The contradiction remains, though no job is left to run.
    workspace.refuses(&["run", "cut.yaml", "--quiet"], 1, "CONTRADICTION");
    let printed = workspace.run(&["report", "cut", "--quiet"]);
    assert!(
        printed.contains("measured by several sessions: the first session counts"),
        "{printed}"
    );
}

#[test]
fn stock_is_taken_of_programs_whose_versions_the_rows_alone_tell() {
    let workspace = Workspace::new();
    workspace.program("idle", "echo 's UNKNOWN'");
    let config = CONFIG.replace("solvers: [batsat]", "solvers: [{command: \"idle {cnf}\"}]");
    fs::write(workspace.0.path().join("cut.yaml"), config).unwrap();
    workspace.run(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let done = workspace.done();
    assert!(done > 0 && done < 6, "{done}");
}
