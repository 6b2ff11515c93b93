//! Experiments that grow: a changed config continues the experiment, and gives the same result as a run that began with
//! it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::AtomicBool;
use std::thread;

use bezzel_experiment::environment::Build;
use bezzel_experiment::experiment::{OpenError, RecordedJobs};
use bezzel_experiment::store::{CONFIG, Store, StoreError, VERSIONS};
use bezzel_experiment::{
    Catalog, ExperimentRecord, Key, PlannedExperiment, ReportSpec, Row, Termination,
};
use tempfile::TempDir;

use crate::program::{BEZZEL, bezzel_in, ended, rows_in, stdout};

const BASE: &str = "\
name: t
question: Which one?
boards: [{size: [5, 6, 7]}]
encodings: [pairwise, product]
solvers: [batsat]
numberings: [{random: {shuffles: 2}}]
limits: {cpu: 20 s, wall: 200 s, memory: 512 MiB}
calibration: off
warm_up: 0
";

/// A change of [`BASE`], and the numbers in the plan: new, reused, measured under other limits, no longer planned.
struct Variation(&'static str, &'static str, &'static str, [usize; 4]);

const VARIATIONS: [Variation; 13] = [
    Variation("a size", "[5, 6, 7]", "5..8", [4, 12, 0, 0]),
    Variation("a solver", "[batsat]", "[cadical, batsat]", [12, 12, 0, 0]),
    Variation("a shuffle", "shuffles: 2", "shuffles: 3", [6, 12, 0, 0]),
    Variation(
        "seeds of a solver",
        "[batsat]",
        "[batsat, {id: batsat, seeds: 8..9}]",
        [24, 12, 0, 0],
    ),
    Variation("an encoding", "[pairwise, product]", "[binary, pairwise, product]", [6, 12, 0, 0]),
    Variation("a repeat", "warm_up: 0", "warm_up: 0\nrepeats: 2", [12, 12, 0, 0]),
    Variation("more CPU time", "cpu: 20 s", "cpu: 30 s", [0, 12, 12, 0]),
    Variation("less CPU time", "cpu: 20 s", "cpu: 10 s", [0, 12, 12, 0]),
    Variation("a size less", "[5, 6, 7]", "[5, 7]", [0, 8, 0, 4]),
    Variation("more memory", "512 MiB", "1 GiB", [0, 12, 12, 0]),
    Variation("a board of its own", "7]}]", "7]}, {size: 6, geometry: torus}]", [4, 12, 0, 0]),
    Variation("other words", "Which one?", "Which of two?", [0, 12, 0, 0]),
    Variation(
        "several at once",
        "[5, 6, 7]}]\nencodings: [pairwise",
        "[6, 7, 8]}]\nencodings: [tree",
        [8, 4, 0, 8],
    ),
];

fn begin(folder: &Path, config: &str) -> PlannedExperiment {
    let path = folder.join("t.yaml");
    fs::write(&path, config).unwrap();
    PlannedExperiment::read(folder, &path, None, &Catalog::standard()).unwrap()
}

/// Runs a config in a folder. Returns the number of rows that were added.
fn run(folder: &Path, config: &str) -> usize {
    // A process that another test starts holds the lock of the earlier run until it executes its program.
    let experiment = loop {
        match begin(folder, config).open() {
            Err(OpenError::Store(StoreError::Busy { .. })) => thread::yield_now(),
            opened => break opened.unwrap(),
        }
    };
    let cancel = AtomicBool::new(false);
    experiment.run(Build::default(), Path::new(BEZZEL), &cancel, |_| {}).unwrap().added
}

fn experiment(folder: &Path) -> PathBuf {
    folder.join("experiments/t")
}

/// The record in a folder without data that differ from run to run: times, memory, sessions, and the keys, which rows
/// of other limits keep. A report is a function of the record.
fn record(folder: &Path) -> ExperimentRecord {
    let mut record = ExperimentRecord::open(&experiment(folder), &Catalog::standard()).unwrap();
    record.report = ReportSpec::default();
    let time = |time: Option<f64>| time.map(|_| 1.0);
    let rows = record.rows.into_iter().map(|row| Row {
        key: Key(String::new()),
        generate_cpu_s: time(row.generate_cpu_s),
        load_cpu_s: time(row.load_cpu_s),
        solve_cpu_s: time(row.solve_cpu_s),
        decode_cpu_s: time(row.decode_cpu_s),
        check_cpu_s: time(row.check_cpu_s),
        cpu_s: 1.0,
        wall_s: 1.0,
        memory_peak_bytes: row.memory_peak_bytes.map(|_| 1),
        core: None,
        started_unix_s: 0.0,
        session: 0,
        proof: row.proof.map(|proof| bezzel_experiment::ProofRecord {
            check_cpu_s: time(proof.check_cpu_s),
            check_memory_peak_bytes: proof.check_memory_peak_bytes.map(|_| 1),
            ..proof
        }),
        ..row
    });
    ExperimentRecord {
        rows: rows.collect(),
        environments: Vec::new(),
        readings: Vec::new(),
        under_other_limits: 0,
        ..record
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &there);
        } else {
            fs::copy(&path, &there).unwrap();
        }
    }
}

/// The output of a command, which must succeed.
fn bezzel(folder: &Path, arguments: &[&str]) -> String {
    ended(&bezzel_in(folder, arguments), 0)
}

fn status(folder: &Path) -> [u64; 3] {
    let status = bezzel_in(folder, &["status", "t", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    ["planned", "done", "missing"].map(|key| status[key].as_u64().unwrap())
}

#[test]
fn a_grown_experiment_ends_as_one_that_was_begun_with_its_config() {
    let base = tempfile::tempdir().unwrap();
    assert_eq!(run(base.path(), BASE), 12);
    for Variation(what, from, to, expected) in VARIATIONS {
        let config = BASE.replace(from, to);
        assert_ne!(config, BASE, "{what}");
        let (grown, fresh) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (grown, fresh) = (grown.path(), fresh.path());
        copy(base.path(), grown);
        let planned = begin(grown, &config);
        let RecordedJobs { new, reused, under_other_limits, no_longer_planned } =
            planned.recorded().unwrap();
        assert_eq!([new, reused, under_other_limits, no_longer_planned], expected, "{what}");
        // The new version is stored before any job runs.
        planned.begin().unwrap();
        let [all, done, missing] = [new + reused, reused, new].map(|number| number as u64);
        assert_eq!(status(grown), [all, done, missing], "{what}");
        assert_eq!(run(grown, &config), new, "{what}");
        assert_eq!(run(fresh, &config), new + reused, "{what}");
        assert_eq!(record(grown), record(fresh), "{what}");
        assert_eq!(record(grown).rows.len(), new + reused, "{what}");
        let rows = rows_in(&experiment(grown));
        assert_eq!(
            rows[..12],
            rows_in(&experiment(base.path())),
            "{what}: rows are kept as they are"
        );
        let kept = experiment(grown).join(VERSIONS).join("1").join(CONFIG);
        assert_eq!(fs::read_to_string(kept).unwrap(), BASE, "{what}");
        let verified = bezzel(grown, &["verify", "t", "--sample", "0", "--quiet"]);
        assert!(verified.contains("no fault was found"), "{what}: {verified}");
    }
}

#[test]
fn new_rows_on_another_kind_of_machine_are_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(run(path, BASE), 12);
    fs::write(path.join("t.yaml"), BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]")).unwrap();
    let plan = || bezzel(path, &["run", "t.yaml", "--plan"]);
    assert!(!plan().contains("earlier rows were measured on"), "{}", plan());
    let sessions = experiment(path).join("environment.json");
    let mut text: serde_json::Value =
        serde_json::from_slice(&fs::read(&sessions).unwrap()).unwrap();
    text[0]["cpu_model"] = "Example CPU".into();
    fs::write(&sessions, text.to_string()).unwrap();
    assert!(
        plan().contains("WARNING: earlier rows were measured on Example CPU with "),
        "{}",
        plan()
    );
}

#[test]
fn each_version_is_kept_and_none_is_made_of_remarks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let go = |config: &str| {
        fs::write(path.join("t.yaml"), config).unwrap();
        bezzel(path, &["run", "t.yaml", "--quiet"])
    };
    let text = |name: &str| fs::read_to_string(experiment(path).join(name)).ok();
    go(BASE);
    let larger = BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]");
    fs::write(path.join("t.yaml"), &larger).unwrap();
    let plan = bezzel(path, &["run", "t.yaml", "--plan"]);
    assert!(plan.contains("recorded   4 new, 12 reused, 0 no longer planned"), "{plan}");
    assert!(plan.contains("WARNING: too few boards to rank encodings (random)"), "{plan}");
    assert_eq!(text("configs/1/config.yaml"), None, "a plan writes nothing");
    let printed = go(&larger);
    assert!(printed.contains("4 jobs to run; 12 have their rows already"), "{printed}");
    assert!(printed.contains("another version of the config, in `boards`"), "{printed}");
    assert_eq!(text("config.yaml").as_ref(), Some(&larger));
    assert_eq!(text("configs/1/config.yaml").as_deref(), Some(BASE));
    // A comment, another order of keys, and another notation of the same values make no new version.
    let same = format!(
        "# once more\nwarm_up: 0\n{}",
        larger.replace("warm_up: 0\n", "").replace("20 s", "20000 ms")
    );
    let printed = go(&same);
    assert!(
        printed.contains("every job has its row, 16 in all") && !printed.contains("version"),
        "{printed}"
    );
    assert_eq!(text("config.yaml").as_ref(), Some(&larger));
    // The first config again: no job runs, and the report is of its boards.
    let printed = go(BASE);
    assert!(printed.contains("every job has its row, 12 in all"), "{printed}");
    assert_eq!(text("configs/2/config.yaml").as_ref(), Some(&larger));
    assert_eq!((text("configs/3/config.yaml"), record(path).rows.len()), (None, 12));
    assert_eq!(rows_in(&experiment(path)).len(), 16);
    let verified = bezzel(path, &["verify", "t", "--sample", "1", "--quiet"]);
    assert!(verified.contains("only an earlier version of the config plans"), "{verified}");
    // An earlier version can be run under another name.
    let printed =
        bezzel(path, &["run", "experiments/t/configs/2/config.yaml", "--name", "again", "--plan"]);
    assert!(printed.contains("again: 16 jobs"), "{printed}");
}

#[test]
fn another_board_in_the_file_of_the_same_config_is_another_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let config = BASE.replace("{size: [5, 6, 7]}", "{size: 5}, {file: board.txt}");
    let go = |board: &str| {
        fs::write(path.join("board.txt"), board).unwrap();
        fs::write(path.join("t.yaml"), &config).unwrap();
        bezzel(path, &["run", "t.yaml", "--quiet"])
    };
    let boards = [". . . .\n. . . .\n. . . .\n. . . .\n", "x . . .\n. . . .\n. . . .\n. . . .\n"];
    let text = |name: &str| fs::read_to_string(experiment(path).join(name)).ok();
    go(boards[0]);
    let printed = go(boards[1]);
    assert!(printed.contains("4 jobs to run"), "{printed}");
    assert_eq!(text("board.txt").as_deref(), Some(boards[1]));
    assert_eq!(text("configs/1/board.txt").as_deref(), Some(boards[0]));
    assert_eq!(record(path).rows.len(), 8);
}

#[test]
fn a_run_at_a_limit_stands_for_one_at_a_lower_limit_and_is_run_again_under_a_higher() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let config = |cpu: &str| {
        format!(
            "name: t\nboards: [{{size: 5}}, {{size: 30, geometry: torus}}]\nencodings: [pairwise]\n\
             solvers: [batsat]\nlimits: {{cpu: {cpu}, wall: 100 s}}\ncalibration: off\nwarm_up: 0\n"
        )
    };
    assert_eq!(run(path, &config("1 s")), 2);
    assert_eq!(run(path, &config("500 ms")), 0);
    let open = || ExperimentRecord::open(&experiment(path), &Catalog::standard()).unwrap();
    let record = open();
    assert_eq!((record.rows.len(), record.under_other_limits), (2, 2));
    assert!(record.rows.iter().all(|row| row.job.limits.cpu_s.to_string() == "0.5"));
    let censored = &record.rows[1];
    assert_eq!(censored.termination, Termination::CpuLimit);
    assert!(censored.cpu_s <= 0.5 && censored.solve_cpu_at_least_s() <= 0.5, "{censored:?}");
    assert_eq!(censored.key, rows_in(&experiment(path))[1].key);
    assert_eq!(run(path, &config("1500 ms")), 1, "it may come to an answer now");
    let record = open();
    assert_eq!(record.under_other_limits, 1);
    assert!(record.rows[1].cpu_s >= 1.0);
    bezzel(path, &["verify", "t", "--sample", "0", "--quiet"]);
}

#[test]
fn a_config_that_shares_no_job_is_refused_with_what_differs_and_the_way_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let before = fs::read(experiment(path).join("rows.jsonl")).unwrap();
    let other = BASE.replace("[5, 6, 7]", "[9]").replace("Which one", "Which other");
    fs::write(path.join("t.yaml"), other).unwrap();
    for arguments in [&["run", "t.yaml"][..], &["run", "t.yaml", "--shard", "1/2"]] {
        let printed = ended(&bezzel_in(path, arguments), 2);
        let expected = "holds rows of another experiment: this config plans none of their jobs (it differs in \
                        `boards`, `question`); run it under another name, by --name";
        assert!(printed.contains(expected), "{printed}");
    }
    let printed = bezzel(path, &["run", "t.yaml", "--plan"]);
    assert!(
        printed.contains("WARNING: a run would be refused")
            && printed.contains("12 no longer planned"),
        "{printed}"
    );
    assert_eq!(fs::read(experiment(path).join("rows.jsonl")).unwrap(), before);
    assert!(!experiment(path).join(VERSIONS).exists());
}

#[test]
fn a_version_is_written_only_where_nothing_is_at_work() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    fs::write(path.join("t.yaml"), BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]")).unwrap();
    let go = |arguments: &[&str]| -> Output {
        bezzel_in(path, &[&["run", "t.yaml", "--quiet"], arguments].concat())
    };
    let (attempt, _) = Store::begin_attempt(&experiment(path).join("shards/of-2"), 1).unwrap();
    for arguments in [&[][..], &["--shard", "2/2"]] {
        let printed = ended(&go(arguments), 2);
        assert!(printed.contains("a shard of `") && printed.contains("is running"), "{printed}");
    }
    drop(attempt);
    let (store, _) = Store::open(&experiment(path), BASE, &[]).unwrap();
    assert!(ended(&go(&[]), 2).contains("another run is in progress"));
    drop(store);
    assert_eq!(fs::read_to_string(experiment(path).join(CONFIG)).unwrap(), BASE);
    // Shards of the new version find the existing rows, and run the rest.
    for (shard, others) in [("1/2", false), ("2/2", true)] {
        let printed = stdout(&go(&["--shard", shard]));
        assert!(printed.contains("have their rows already"), "{printed}");
        assert_eq!(status(path)[2] == 0, others, "{printed}");
    }
    bezzel(path, &["merge", "t"]);
    assert_eq!(record(path).rows.len(), 16);
}
