//! `submit`, `status`, `merge` and `work` where something is not as it should be. A real Slurm is in
//! `slurm/`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bezzel_lab::config::Config;
use bezzel_lab::shard::cut;
use bezzel_lab::store::{Store, attempts};
use bezzel_lab::submission::{Request, freeze};
use bezzel_lab::{Environment, Permission, Plan, Row, Workbench};
use bezzel_solve::Answer;
use tempfile::TempDir;

const CONFIG: &str = "\
name: cut
boards: [{size: [4, 5, 6]}]
encodings: [pairwise, product]
solvers: [batsat]
calibration: false
";

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cut.yaml"), CONFIG).unwrap();
        Self(folder)
    }

    fn experiment(&self) -> PathBuf {
        self.0.path().join("experiments/cut")
    }

    /// What a command says, and its exit code.
    fn says(&self, words: &[&str]) -> (Option<i32>, String) {
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

    fn does(&self, words: &[&str]) -> String {
        let (code, said) = self.says(words);
        assert_eq!(code, Some(0), "{words:?}: {said}");
        said
    }

    fn refuses(&self, words: &[&str], code: i32, because: &str) {
        let (found, said) = self.says(words);
        assert_eq!(found, Some(code), "{words:?}: {said}");
        assert!(said.contains(because), "{words:?}: {said}");
    }

    /// A program of this name that Bezzel finds.
    fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.path().join("bin").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A submission that no Slurm knows of, of two shards.
    fn submission(&self) -> PathBuf {
        let workbench = Workbench::standard();
        let config = Config::parse_frozen(CONFIG, "cut.yaml", &workbench).unwrap();
        let plan = Plan::new(&config, &workbench).unwrap();
        drop(Store::open(&self.experiment(), CONFIG, &[]).unwrap());
        let cut = cut(&vec![1.0; plan.jobs.len()], plan.rounds(), 2);
        let (jobs, permission) = (&plan.jobs, &Permission::none());
        let request = Request { name: "cut", config: CONFIG, jobs, permission, cut: &cut };
        freeze(&self.experiment(), &request).unwrap().folder().to_owned()
    }
}

#[test]
fn without_slurm_nothing_is_submitted_and_the_scripts_can_be_seen() {
    let place = Place::new();
    let submit = ["submit", "cut.yaml", "--slurm"];
    place.refuses(&submit, 1, "there is no `scontrol` on PATH");
    assert!(!place.experiment().join("shards").exists());
    let shown = place.does(&[&submit[..], &["--dry-run", "--array-size", "2"]].concat());
    assert!(shown.contains("6 to submit") && shown.contains("#SBATCH --array=1-2"), "{shown}");
    place.refuses(&["submit", "cut.yaml"], 2, "--slurm");
    place.refuses(&[&submit[..], &["--time", "4 weeks"]].concat(), 2, "90min");
    place.refuses(&[&submit[..], &["--array-size", "0"]].concat(), 2, "--array-size");
}

#[test]
fn a_slurm_that_refuses_leaves_nothing_behind() {
    let place = Place::new();
    place.program("scontrol", "echo 'MaxArraySize            = 3'");
    place.program("sbatch", "echo 'sbatch: error: invalid partition' >&2; exit 1");
    place.program("scancel", "exit 0");
    let submit = ["submit", "cut.yaml", "--slurm"];
    place.refuses(&submit, 1, "invalid partition");
    let left = fs::read_dir(place.experiment().join("shards")).unwrap().count();
    assert_eq!(left, 0, "no submission that nobody knows of");
    place.refuses(&[&submit[..], &["--array-size", "3"]].concat(), 2, "arrays of up to 2 tasks");
}

#[test]
fn what_is_under_way_is_not_submitted_again_and_what_is_held_is_told() {
    let place = Place::new();
    place.submission();
    place.program("scontrol", "echo 'MaxArraySize = 1001'");
    place.program("squeue", "echo 'bezzel|7|1|PENDING|Resources'; echo 'bezzel|7|2|PENDING|launch failed requeued held'");
    let said = place.does(&["submit", "cut.yaml", "--slurm"]);
    assert!(said.contains("0 done, 6 under way, 0 to submit"), "{said}");
    assert!(said.contains("holds 1 task of job 7 back"), "{said}");
    let said = place.does(&["status", "cut", "--json"]);
    assert!(said.contains("\"running\": 6") && said.contains("\"missing\": 0"), "{said}");
    // Whoever cannot be asked may be at work.
    place.program("squeue", "echo 'slurm_load_jobs error: Unable to contact' >&2; exit 1");
    place.refuses(&["submit", "cut.yaml", "--slurm"], 1, "might be submitted twice");
    let said = place.does(&["status", "cut"]);
    assert!(said.contains("Slurm does not tell") && said.contains("missing          6"), "{said}");
}

#[test]
fn a_shard_is_run_as_it_was_frozen_or_not_at_all() {
    let place = Place::new();
    let folder = place.submission();
    let work = |shard: &'static str| {
        ["run", folder.to_str().unwrap(), "--quiet", "--shard", shard].map(str::to_owned)
    };
    let works = |shard| place.says(&work(shard).each_ref().map(String::as_str));
    assert_eq!(works("1/3").0, Some(2));
    let (code, said) = works("1/2");
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = works("1/2");
    assert!(code == Some(0) && said.contains("0 jobs to run"), "{said}");
    assert_eq!(attempts(&folder).unwrap().len(), 1, "who has nothing to do writes nothing");
    let manifest = folder.join("manifest.jsonl");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("product", "bitwise")).unwrap();
    let (code, said) = works("2/2");
    assert!(code == Some(2) && said.contains("is not what was submitted any more"), "{said}");
    fs::write(&manifest, text).unwrap();
    let frozen = place.experiment().join("config.yaml");
    fs::write(&frozen, CONFIG.replace('6', "7")).unwrap();
    let (code, said) = works("2/2");
    assert!(code == Some(2) && said.contains("config.yaml"), "{said}");
}

#[test]
fn a_merge_that_comes_early_says_what_is_missing() {
    let place = Place::new();
    place.refuses(&["merge", "cut"], 2, "unknown experiment");
    place.refuses(&["run", "cut.yaml", "--shard", "5/4"], 2, "as in 3/16");
    place.does(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    place.refuses(&["merge", "cut", "--report", "--quiet"], 1, "of 6 jobs have no row yet");
    assert!(place.0.path().join("reports/cut/index.html").exists());
    place.does(&["run", "cut.yaml", "--quiet", "--shard", "2/2"]);
    place.does(&["merge", "cut", "--report", "--quiet"]);
    // A shard of a plan that was cut otherwise knows what is done.
    let said = place.does(&["run", "cut.yaml", "--quiet", "--shard", "2/3"]);
    assert!(said.contains("0 jobs to run"), "{said}");
    fs::write(place.0.path().join("cut.yaml"), CONFIG.replace("[4, 5, 6]", "7")).unwrap();
    place.refuses(&["run", "cut.yaml", "--shard", "1/2"], 2, "holds rows of another experiment");
}

#[test]
fn a_run_takes_over_what_attempts_have_found() {
    let place = Place::new();
    place.does(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let said = place.does(&["run", "cut.yaml", "--quiet"]);
    assert!(
        said.contains("of 1 attempt added") && said.contains("have their rows already"),
        "{said}"
    );
    place.does(&["verify", "cut"]);
}

#[test]
fn parts_of_machines_that_share_no_folder_are_copied_and_merged() {
    let (first, second) = (Place::new(), Place::new());
    first.does(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    second.does(&["run", "cut.yaml", "--quiet", "--shard", "2/2"]);
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
    first.does(&["merge", "cut", "--report", "--quiet"]);
    let said = first.does(&["status", "cut", "--json"]);
    assert!(said.contains("\"done\": 6,"), "{said}");
    first.does(&["verify", "cut"]);
    // Once more changes nothing, and a run has no news of it.
    copy();
    first.does(&["merge", "cut"]);
    let said = first.does(&["run", "cut.yaml", "--quiet"]);
    assert!(said.contains("every job has its row") && !said.contains("merged"), "{said}");
}

#[test]
fn attempts_that_contradict_each_other_are_an_error() {
    let place = Place::new();
    let folder = place.submission();
    let workbench = Workbench::standard();
    let config = Config::parse_frozen(CONFIG, "cut.yaml", &workbench).unwrap();
    let planned = Plan::new(&config, &workbench).unwrap().jobs.remove(0);
    for answer in [Answer::Sat, Answer::Unsat] {
        let (mut store, attempt) = Store::begin_attempt(&folder, 1).unwrap();
        let attempt = Some(attempt.to_string());
        store.begin_session(Environment { attempt, ..Environment::default() }).unwrap();
        let row = Row { answer, ..Row::blank(planned.clone(), bezzel_lab::Stop::Finished) };
        store.append(&row).unwrap();
    }
    place.refuses(&["merge", "cut"], 1, "CONTRADICTION");
    // It stays one, though nothing is left to merge.
    place.refuses(&["merge", "cut"], 1, "merged: 0 rows of 2 attempts");
}

#[test]
fn stock_is_taken_of_programs_whose_versions_the_attempts_alone_tell() {
    let place = Place::new();
    place.program("idle", "echo 's UNKNOWN'");
    let config = CONFIG.replace("solvers: [batsat]", "solvers: [{command: \"idle {cnf}\"}]");
    fs::write(place.0.path().join("cut.yaml"), config).unwrap();
    place.does(&["run", "cut.yaml", "--quiet", "--shard", "1/2"]);
    let said = place.does(&["status", "cut", "--json"]);
    let done = said.lines().find_map(|line| line.trim().strip_prefix("\"done\": ")).unwrap();
    let done: u32 = done.trim_end_matches(',').parse().unwrap();
    assert!(done > 0 && done < 6, "{said}");
    place.does(&["merge", "cut"]);
    assert!(place.does(&["status", "cut", "--json"]).contains(&format!("\"done\": {done},")));
}
