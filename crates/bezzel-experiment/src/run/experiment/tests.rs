//! Experiments that grow, are cut into shards, or are damaged, over workers without processes. The files are real.

use std::fs;
use std::thread;
use std::time::Duration;

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::{AtMostOne, ClauseSink, EncodingInfo, Lit, Registry, Size};

use super::*;
use crate::config::ReportSpec;
use crate::model::job::Key;
use crate::model::row::{Termination, Verdict};
use crate::record::evidence::ExperimentRecord;
use crate::results::store::{self, CONFIG, ROWS, StoreError, VERSIONS, read_folder};
use crate::run::merge::merge;
use crate::run::runner::tests::mock::{End, MockWorkers, ended};
use crate::run::shard::Shard;

const BASE: &str = "\
name: t
question: Which one?
problems: [{queens: {size: [5, 6, 7]}}]
encodings: [pairwise, product]
solvers: [batsat]
numberings: [{random: {shuffles: 2}}]
limits: {cpu: 20 s, wall: 200 s, memory: 512 MiB}
calibration: off
warm_up: 0
";

/// A name, a change of [`BASE`], and the numbers in the plan: new, reused, measured under other limits, no longer planned.
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
    Variation(
        "a board of its own",
        "7]}}]",
        "7]}}, {queens: {size: 6, geometry: torus}}]",
        [4, 12, 0, 0],
    ),
    Variation("other words", "Which one?", "Which of two?", [0, 12, 0, 0]),
    Variation(
        "several at once",
        "[5, 6, 7]}}]\nencodings: [pairwise",
        "[6, 7, 8]}}]\nencodings: [tree",
        [8, 4, 0, 8],
    ),
];

/// Reads a config in a folder.
fn planned(folder: &Path, config: &str) -> PlannedExperiment {
    let path = folder.join("t.yaml");
    fs::write(&path, config).unwrap();
    PlannedExperiment::read(folder, &path, None, &Catalog::standard()).unwrap()
}

/// Opens the experiment of a config.
fn open(folder: &Path, config: &str) -> Experiment {
    // A process that another test starts holds the lock of the earlier run until it executes its program.
    loop {
        match planned(folder, config).open() {
            Err(OpenError::Store(StoreError::Busy { .. })) => thread::yield_now(),
            opened => return opened.unwrap(),
        }
    }
}

/// The message with which the experiment of a config is not opened.
fn refusal(folder: &Path, config: &str) -> String {
    planned(folder, config).open().err().expect("it is refused").to_string()
}

/// Runs an experiment, and returns the number of rows that were added.
fn finish(experiment: Experiment, workers: &MockWorkers<'_>) -> usize {
    let cancel = AtomicBool::new(false);
    let missing = experiment.missing().len();
    let mut observed = 0;
    let observe = |_: &Row| observed += 1;
    let added = experiment.run(Build::default(), workers, &cancel, observe).unwrap().added;
    assert_eq!((added, observed), (missing, missing));
    added
}

/// Runs a config with workers that find the right answer.
fn run(folder: &Path, config: &str) -> usize {
    finish(open(folder, config), &MockWorkers::right())
}

fn experiment(folder: &Path) -> PathBuf {
    Experiment::folder(folder, "t")
}

/// The rows in the order of their lines.
fn rows(folder: &Path) -> Vec<Row> {
    let text = fs::read_to_string(experiment(folder).join(ROWS)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn opened(folder: &Path) -> ExperimentRecord {
    ExperimentRecord::open(&experiment(folder), &Catalog::standard()).unwrap()
}

/// The record in a folder without data that differ from run to run: sessions, and the keys, which rows of other limits
/// keep. A report is a function of the record.
fn record(folder: &Path) -> ExperimentRecord {
    let mut record = opened(folder);
    record.report = ReportSpec::default();
    for row in &mut record.rows {
        row.key = Key(String::new());
        (row.core, row.started_unix_s, row.session) = (None, 0.0, 0);
    }
    ExperimentRecord { environments: Vec::new(), under_other_limits: 0, ..record }
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

#[test]
fn a_grown_experiment_ends_as_one_that_was_begun_with_its_config() {
    let base = tempfile::tempdir().unwrap();
    assert_eq!(run(base.path(), BASE), 12);
    for Variation(name, from, to, expected) in VARIATIONS {
        let config = BASE.replace(from, to);
        assert_ne!(config, BASE, "{name}");
        let (grown, fresh) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (grown, fresh) = (grown.path(), fresh.path());
        copy(base.path(), grown);
        let planned = planned(grown, &config);
        let RecordedJobs { new, reused, under_other_limits, no_longer_planned } =
            planned.recorded().unwrap();
        assert_eq!([new, reused, under_other_limits, no_longer_planned], expected, "{name}");
        // The new version is stored before any job runs.
        planned.begin().unwrap();
        assert_eq!(opened(grown).planned, new + reused, "{name}");
        let continued = open(grown, &config);
        assert_eq!((continued.missing().len(), continued.done()), (new, reused), "{name}");
        assert_eq!(finish(continued, &MockWorkers::right()), new, "{name}");
        assert_eq!(run(fresh, &config), new + reused, "{name}");
        assert_eq!(record(grown), record(fresh), "{name}");
        assert_eq!(record(grown).rows.len(), new + reused, "{name}");
        assert_eq!(rows(grown)[..12], rows(base.path()), "{name}: rows are kept as they are");
        let kept = experiment(grown).join(VERSIONS).join("1").join(CONFIG);
        assert_eq!(fs::read_to_string(kept).unwrap(), BASE, "{name}");
    }
}

#[test]
fn a_run_at_a_limit_stands_for_one_at_a_lower_limit_and_is_run_again_under_a_higher() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let workers = MockWorkers::new(|start, _| match start.name.as_str() {
        "5" => (End::Right, 0.1),
        _ => (End::Says(vec![ended(Termination::CpuLimit)]), start.limits.cpu_s),
    });
    let run = |cpu: &str| {
        let sizes = BASE.replace("[5, 6, 7]", "[5, 12]").replace("shuffles: 2", "shuffles: 1");
        let config = sizes.replace("cpu: 20 s", &format!("cpu: {cpu}")).replace(", product", "");
        finish(open(path, &config), &workers)
    };
    assert_eq!(run("2 s"), 2);
    assert_eq!(run("1500 ms"), 0);
    let record = opened(path);
    assert_eq!((record.rows.len(), record.under_other_limits), (2, 2));
    assert!(record.rows.iter().all(|row| row.job.limits.cpu_s.to_string() == "1.5"));
    let censored = &record.rows[1];
    assert_eq!(censored.termination, Termination::CpuLimit);
    assert!(censored.cpu_s <= 1.5 && censored.solve_cpu_at_least_s() <= 1.5, "{censored:?}");
    assert_eq!(censored.key, rows(path)[1].key);
    assert_eq!(run("3 s"), 1, "it may come to an answer now");
    let record = opened(path);
    assert_eq!(record.under_other_limits, 1);
    assert!(record.rows[1].cpu_s >= 3.0);
}

#[test]
fn each_version_is_kept_and_none_is_made_of_remarks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = |name: &str| fs::read_to_string(experiment(path).join(name)).ok();
    run(path, BASE);
    let larger = BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]");
    planned(path, &larger).recorded().unwrap();
    assert_eq!(text("configs/1/config.yaml"), None, "a plan writes nothing");
    let opened = open(path, &larger);
    assert!(opened.notes()[0].starts_with("another version of the config, in `problems`; the one"));
    assert_eq!(finish(opened, &MockWorkers::right()), 4);
    assert_eq!(text("config.yaml").as_ref(), Some(&larger));
    assert_eq!(text("configs/1/config.yaml").as_deref(), Some(BASE));
    // A comment, another order of keys, and another notation of the same values make no new version.
    let same = format!(
        "# once more\nwarm_up: 0\n{}",
        larger.replace("warm_up: 0\n", "").replace("20 s", "20000 ms")
    );
    let opened = open(path, &same);
    assert_eq!((opened.missing().len(), opened.done(), opened.notes().len()), (0, 16, 0));
    drop(opened);
    assert_eq!(text("config.yaml").as_ref(), Some(&larger));
    // The first config again: no job runs, and the report is of its boards.
    assert_eq!(run(path, BASE), 0);
    assert_eq!(text("configs/2/config.yaml").as_ref(), Some(&larger));
    assert_eq!((text("configs/3/config.yaml"), record(path).rows.len()), (None, 12));
    assert_eq!(rows(path).len(), 16);
}

#[test]
fn another_board_in_the_file_of_the_same_config_is_another_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let config = BASE.replace("{size: [5, 6, 7]}}", "{size: 5}}, {queens: {file: board.txt}}");
    let boards = [". . . .\n. . . .\n. . . .\n. . . .\n", "x . . .\n. . . .\n. . . .\n. . . .\n"];
    for (board, jobs) in boards.into_iter().zip([8, 4]) {
        fs::write(path.join("board.txt"), board).unwrap();
        assert_eq!(run(path, &config), jobs);
    }
    let text = |name: &str| fs::read_to_string(experiment(path).join(name)).ok();
    assert_eq!(text("board.txt").as_deref(), Some(boards[1]));
    assert_eq!(text("configs/1/board.txt").as_deref(), Some(boards[0]));
    assert_eq!(record(path).rows.len(), 8);
}

#[test]
fn a_config_that_shares_no_job_is_refused_with_the_keys_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let before = rows(path);
    let other = BASE.replace("[5, 6, 7]", "[9]").replace("Which one", "Which other");
    let expected = "holds rows of another experiment: this config plans none of their jobs (it differs in \
                    `problems`, `question`); run it under another name, by --name";
    assert!(refusal(path, &other).contains(expected), "{}", refusal(path, &other));
    let shard = planned(path, &other).shard(Shard { number: 1, of: 2 });
    assert!(shard.err().unwrap().to_string().contains(expected));
    assert_eq!(planned(path, &other).recorded().unwrap().no_longer_planned, 12);
    assert_eq!(rows(path), before);
    assert!(!experiment(path).join(VERSIONS).exists());
}

#[test]
fn a_version_is_written_only_where_nothing_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let larger = BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]");
    let shard = |number| planned(path, &larger).shard(Shard { number, of: 2 });
    let (attempt, _) = Store::begin_attempt(&experiment(path).join("shards/of-2"), 1).unwrap();
    for message in [refusal(path, &larger), shard(2).err().unwrap().to_string()] {
        assert!(message.contains("a shard of `") && message.contains("is running"), "{message}");
    }
    drop(attempt);
    let (store, _) = Store::open(&experiment(path), BASE, &[]).unwrap();
    assert!(refusal(path, &larger).contains("another run is in progress"));
    drop(store);
    assert_eq!(fs::read_to_string(experiment(path).join(CONFIG)).unwrap(), BASE);
    // Shards of the new version find the existing rows, and run the rest.
    let mut added = 0;
    for number in [1, 2] {
        let shard = shard(number).unwrap();
        assert!(shard.done() > 0);
        added += finish(shard, &MockWorkers::right());
    }
    assert_eq!(added, 4);
    merge(&experiment(path), Duration::ZERO).unwrap();
    assert_eq!(record(path).rows.len(), 16);
}

#[test]
fn shards_find_the_results_of_one_run_and_a_second_merge_adds_nothing() {
    let (cut, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cut, whole) = (cut.path(), whole.path());
    let mut added = 0;
    for number in [3, 1, 4, 2] {
        let shard = || planned(cut, BASE).shard(Shard { number, of: 4 }).unwrap();
        // A shard whose runner stops after one row is continued by the same command.
        let cancel = AtomicBool::new(false);
        let workers = MockWorkers::new(|start, _| {
            cancel.fetch_or(start.at_s > 0.0, std::sync::atomic::Ordering::Relaxed);
            (End::Right, 1.0)
        });
        let stopped = shard().run(Build::default(), &workers, &cancel, |_| {}).unwrap();
        assert_eq!((stopped.added, stopped.cancelled), (1, true));
        added += 1 + finish(shard(), &MockWorkers::right());
        assert!(shard().missing().is_empty());
    }
    assert_eq!(added, 12);
    assert!(read_folder(&experiment(cut)).unwrap().2.by_key.is_empty(), "rows are in attempts");
    merge(&experiment(cut), Duration::ZERO).unwrap();
    assert_eq!(run(whole, BASE), 12);
    assert_eq!(record(cut), record(whole));
    let before = rows(cut);
    merge(&experiment(cut), Duration::ZERO).unwrap();
    assert_eq!(rows(cut), before);
    assert_eq!(run(cut, BASE), 0);
}

#[test]
fn a_torn_last_line_is_set_aside_and_a_damaged_one_passed_over_and_their_jobs_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let file = experiment(path).join(ROWS);
    let whole = fs::read_to_string(&file).unwrap();
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    for cut in (last..whole.len()).step_by(61) {
        fs::write(&file, &whole[..cut]).unwrap();
        let _ = fs::remove_file(experiment(path).join("rows.torn"));
        let opened = open(path, BASE);
        assert_eq!((opened.missing().len(), opened.done()), (1, 11), "cut at {cut}");
        assert_eq!(fs::read_to_string(&file).unwrap(), whole[..last], "cut at {cut}");
        let aside = fs::read_to_string(experiment(path).join("rows.torn")).unwrap_or_default();
        assert!(aside == format!("{}\n", &whole[last..cut]) || cut == last, "cut at {cut}");
    }
    assert_eq!(run(path, BASE), 1);
    let whole = fs::read_to_string(&file).unwrap();
    let damaged = whole.replacen("\"key\":", "\"kez\":", 1);
    fs::write(&file, &damaged).unwrap();
    let opened = open(path, BASE);
    assert_eq!(opened.found()[0].damaged.len(), 1);
    assert_eq!(finish(opened, &MockWorkers::right()), 1);
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(&damaged), "a line is not edited");
    assert_eq!(after.lines().count(), 13);
}

#[test]
fn readings_of_the_machine_are_no_rows_and_a_session_without_jobs_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (settings, readings) in [
        ("calibration: off", 0),
        ("parallel: 1", 5),
        ("parallel: 2", 5 + 2 * 5),
        ("parallel: 1", 5 + 2 * 5),
    ] {
        let size = if readings > 5 { "[5, 6, 7, 8]" } else { "[5, 6, 7]" };
        let size = if readings == 0 { "[5, 6]" } else { size };
        let config = BASE.replace("[5, 6, 7]", size).replace("calibration: off", settings);
        run(path, &config);
        let found = store::readings(&experiment(path)).unwrap();
        assert_eq!(found.len(), readings, "{settings}");
        assert!(found.iter().all(|reading| reading.verdict == Verdict::Verified));
    }
    assert_eq!(rows(path).len(), 16);
}

/// Another encoding under the name of pairwise, as if its clauses had been changed without a new revision.
struct Changed;

impl AtMostOne for Changed {
    fn info(&self) -> EncodingInfo {
        Pairwise.info()
    }

    fn size(&self, n: u64) -> Option<Size> {
        Pairwise.size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let reversed: Vec<Lit> = xs.iter().rev().copied().collect();
        Pairwise.encode(&reversed, out);
    }
}

#[test]
fn rows_of_other_clauses_under_the_same_revision_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let config = BASE.replace(", product", "");
    run(path, &config);
    let catalog =
        Catalog { encodings: Registry::new().with_at_most_one(Changed), ..Catalog::standard() };
    let planned = PlannedExperiment::read(path, &path.join("t.yaml"), None, &catalog).unwrap();
    let message = planned.open().err().unwrap().to_string();
    assert!(
        message.starts_with("`pairwise` writes other clauses for the board 5 than"),
        "{message}"
    );
    assert_eq!(run(path, &config), 0, "the unchanged one goes on");
}

const QUESTION: &str = "
name: t
problems: [{queens: {size: [6, 5]}}, {queens: {size: 4, blocked: [1]}}]
encodings: [pairwise, binary, \"commander:?\", \"!commander:4\"]
numberings: [as-generated, random: {shuffles: 2}]
solvers: [cadical, batsat]
bva: [off, on]
exclude: [{encoding: binary, solver: batsat}, {instance: 6, numbering: random, encoding: \"commander:*\"}]
include: [{problems: {queens: {size: 7}}, encodings: product, numberings: as-generated}]
calibration: off
";

#[test]
fn the_planned_jobs_are_run_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let plan = planned(path, QUESTION).plan;
    assert!(!path.join("experiments").exists(), "a plan writes nothing");
    assert_eq!(run(path, QUESTION), plan.jobs.len());
    let rows = rows(path);
    let jobs = plan.jobs.iter().map(|planned| (&planned.key, &planned.job));
    assert!(rows.iter().map(|row| (&row.key, &row.job)).eq(jobs));
    // The record has the order of the plan's cells.
    let record = opened(path);
    assert_eq!(record.rows.len(), rows.len());
    let solvers: Vec<_> = record.rows[..3].iter().map(|row| row.job.solver.as_str()).collect();
    assert_eq!(solvers, ["cadical", "cadical", "batsat"]);
    assert!(!record.rows.iter().map(|row| &row.key).eq(rows.iter().map(|row| &row.key)));
}

#[test]
fn the_files_of_an_extended_config_are_kept_with_its_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let files = [
        (
            "common/base.yaml",
            "problems: [{queens: {file: drawn.txt}}]\nencodings: [pairwise]\nsolvers: [batsat]\ncalibration: off\n",
        ),
        ("common/drawn.txt", ".Q..\n....\n....\n....\n"),
    ];
    fs::create_dir(path.join("common")).unwrap();
    for (name, text) in files {
        fs::write(path.join(name), text).unwrap();
    }
    run(path, "name: t\nextends: common/base.yaml\nrepeats: 2\n");
    for (name, text) in files {
        assert_eq!(fs::read_to_string(experiment(path).join(name)).unwrap(), text);
    }
    // The record is whole without its input files.
    fs::remove_dir_all(path.join("common")).unwrap();
    let record = opened(path);
    assert_eq!((record.rows.len(), record.planned), (2, 2));
}
