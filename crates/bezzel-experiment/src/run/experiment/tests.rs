//! Experiments that grow, are cut into shards, or are damaged, over workers without processes. The files are real.

use std::fs;
use std::thread;

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::{AtMostOne, ClauseSink, EncodingInfo, Lit, Registry, Size};

use super::*;
use crate::config::ReportSpec;
use crate::model::job::Key;
use crate::model::row::{Termination, Verdict};
use crate::record::evidence::ExperimentRecord;
use crate::results::store::{FILES, Rows, StoreError, digest_of, session_files};
use crate::run::remaining::sample_first;
use crate::run::runner::tests::mock::{End, MockWorkers, ended};
use crate::run::shard::Shard;

const BASE: &str = "\
name: t
question: Which one?
problems: [{pigeonhole: {pigeons: [5, 6, 7], holes: 9}}]
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
        "an instance of another kind",
        "holes: 9}}]",
        "holes: 9}}, {latin-square: {order: 4}}]",
        [4, 12, 0, 0],
    ),
    Variation("other words", "Which one?", "Which of two?", [0, 12, 0, 0]),
    Variation(
        "several at once",
        "[5, 6, 7], holes: 9}}]\nencodings: [pairwise",
        "[6, 7, 8], holes: 9}}]\nencodings: [tree",
        [8, 4, 0, 8],
    ),
];

/// Reads a config in a folder.
fn planned(folder: &Path, config: &str) -> PlannedExperiment {
    let path = folder.join("t.yaml");
    fs::write(&path, config).unwrap();
    PlannedExperiment::read(folder, &path, None, &Catalog::of_tests()).unwrap()
}

/// Opens the whole experiment of a config.
fn open(folder: &Path, config: &str) -> Experiment {
    // A process that another test starts holds the lock of the earlier run until it executes its program.
    loop {
        match planned(folder, config).open(SessionPart::Whole) {
            Err(OpenError::Store(StoreError::Busy { .. })) => thread::yield_now(),
            opened => return opened.unwrap(),
        }
    }
}

/// The message with which the experiment of a config is not opened.
fn refusal(folder: &Path, config: &str) -> String {
    planned(folder, config).open(SessionPart::Whole).err().expect("it is refused").to_string()
}

/// Runs an experiment, and returns the number of rows that were added.
fn finish(experiment: Experiment, workers: &MockWorkers<'_>) -> usize {
    let cancel = AtomicBool::new(false);
    let missing = experiment.missing().len();
    let mut observed = 0;
    let observe = |_: &Row| observed += 1;
    let added = experiment.run(Call::default(), workers, &cancel, observe).unwrap().added;
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

/// The files of the sessions.
fn sessions(folder: &Path) -> Vec<PathBuf> {
    let files = session_files(&experiment(folder)).unwrap();
    files.into_iter().map(|file| file.path).collect()
}

/// The rows in the order of the sessions and their lines.
fn rows(folder: &Path) -> Vec<Row> {
    let text = |path: PathBuf| fs::read_to_string(path).unwrap();
    let text: String = sessions(folder).into_iter().map(text).collect();
    let entries = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let rows = entries.filter_map(|mut entry: serde_json::Value| {
        entry.get_mut("row").map(serde_json::Value::take)
    });
    rows.map(|row| serde_json::from_value(row).unwrap()).collect()
}

fn opened(folder: &Path) -> ExperimentRecord {
    ExperimentRecord::open(&experiment(folder), &Catalog::of_tests()).unwrap()
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
    ExperimentRecord {
        environments: Vec::new(),
        under_other_limits: 0,
        config_from: String::new(),
        map: None,
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
            planned.recorded(&planned.found().unwrap().1);
        assert_eq!([new, reused, under_other_limits, no_longer_planned], expected, "{name}");
        let continued = open(grown, &config);
        assert_eq!((continued.missing().len(), continued.done()), (new, reused), "{name}");
        assert_eq!(finish(continued, &MockWorkers::right()), new, "{name}");
        assert_eq!(run(fresh, &config), new + reused, "{name}");
        assert_eq!(record(grown), record(fresh), "{name}");
        assert_eq!(record(grown).rows.len(), new + reused, "{name}");
        assert_eq!(rows(grown)[..12], rows(base.path()), "{name}: rows are kept as they are");
        let [first, _] = &sessions(grown)[..] else { panic!("{name}: a session for each run") };
        assert_eq!(fs::read(first).unwrap(), fs::read(&sessions(base.path())[0]).unwrap());
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
    assert!(rows(path).iter().any(|row| row.key == censored.key));
    assert_eq!(run("3 s"), 1, "it may come to an answer now");
    let record = opened(path);
    assert_eq!(record.under_other_limits, 1);
    assert!(record.rows[1].cpu_s >= 3.0);
}

#[test]
fn a_changed_config_is_that_of_the_last_session_and_a_remark_is_no_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let larger = BASE.replace("[5, 6, 7]", "[5, 6, 7, 8]");
    let planned = planned(path, &larger);
    planned.recorded(&planned.found().unwrap().1);
    assert_eq!(sessions(path).len(), 1, "a plan writes nothing");
    assert_eq!(run(path, &larger), 4);
    assert_eq!((sessions(path).len(), record(path).rows.len()), (2, 16));
    // A comment, another order of keys, and another notation of the same values change nothing.
    let same =
        larger.replace("20 s", "20000 ms").replace("warm_up: 0\n", "warm_up: 0 # once more\n");
    assert_eq!(run(path, &same), 0);
    assert_eq!(sessions(path).len(), 2);
    // The first config again: no job runs, and the report is of its instances.
    assert_eq!(run(path, BASE), 0);
    assert_eq!((sessions(path).len(), record(path).rows.len()), (3, 12));
    assert_eq!(rows(path).len(), 16);
}

#[test]
fn each_content_of_a_file_is_kept_under_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let config =
        BASE.replace("pigeons: [5, 6, 7], holes: 9}}", "pigeons: 5, holes: 9}}, {file: sum.opb}");
    let sums = ["+1 x1 +1 x2 +1 x3 <= 1;\n", "+1 x1 +1 x2 +1 x3 +1 x4 <= 1;\n"];
    for (sum, jobs) in sums.into_iter().zip([8, 4]) {
        fs::write(path.join("sum.opb"), sum).unwrap();
        assert_eq!(run(path, &config), jobs);
    }
    for sum in sums {
        let copy = experiment(path).join(FILES).join(digest_of(sum.as_bytes()));
        assert_eq!(fs::read_to_string(copy).unwrap(), sum);
    }
    assert_eq!(record(path).rows.len(), 8);
}

#[test]
fn a_config_that_shares_no_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, BASE);
    let before = rows(path);
    let other = BASE.replace("[5, 6, 7]", "[9]");
    let expected = "holds rows of another experiment: this config plans none of their jobs; run it under another \
                    name, by --name";
    assert!(refusal(path, &other).contains(expected), "{}", refusal(path, &other));
    let planned = planned(path, &other);
    assert_eq!(planned.recorded(&planned.found().unwrap().1).no_longer_planned, 12);
    let shard = planned.open(SessionPart::Shard(Shard { number: 1, of: 2 }));
    assert!(shard.err().unwrap().to_string().contains(expected));
    assert_eq!(rows(path), before);
}

#[test]
fn a_second_session_is_refused_unless_it_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let first = open(path, BASE);
    assert!(refusal(path, BASE).contains("another session is running in"));
    let part = |part| planned(path, BASE).open(part).unwrap();
    let shards = [1, 2].map(|number| part(SessionPart::Shard(Shard { number, of: 2 })));
    assert_eq!(shards.each_ref().map(|shard| shard.missing().len()).iter().sum::<usize>(), 12);
    drop(first);
    for shard in shards {
        finish(shard, &MockWorkers::right());
    }
    assert_eq!(run(path, BASE), 0);
}

#[test]
fn shards_find_the_results_of_one_run_and_copied_sessions_are_merged() {
    let (cut, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cut, whole) = (cut.path(), whole.path());
    let mut added = 0;
    for number in [3, 1, 4, 2] {
        // Each machine has a folder of its own.
        let machine = tempfile::tempdir().unwrap();
        let machine = machine.path();
        let part = SessionPart::Shard(Shard { number, of: 4 });
        let shard = || planned(machine, BASE).open(part).unwrap();
        if shard().missing().len() > 1 {
            // A shard whose runner stops after one row is continued by the same command.
            let cancel = AtomicBool::new(false);
            let workers = MockWorkers::new(|start, _| {
                cancel.fetch_or(start.at_s > 0.0, std::sync::atomic::Ordering::Relaxed);
                (End::Right, 1.0)
            });
            let stopped = shard().run(Call::default(), &workers, &cancel, |_| {}).unwrap();
            assert_eq!((stopped.added, stopped.cancelled), (1, true));
            added += 1;
        }
        added += finish(shard(), &MockWorkers::right());
        assert!(shard().missing().is_empty());
        for session in sessions(machine) {
            // Another machine has another name, which its files have.
            let name = format!("{number}-{}", session.file_name().unwrap().to_str().unwrap());
            fs::create_dir_all(experiment(cut)).unwrap();
            fs::copy(&session, experiment(cut).join(name)).unwrap();
        }
    }
    assert_eq!(added, 12);
    assert_eq!(run(whole, BASE), 12);
    assert_eq!(record(cut), record(whole));
    assert_eq!(run(cut, BASE), 0);
    // Another session of the same jobs is reported, and the first one counts.
    copy(&experiment(whole), &experiment(cut));
    let before = record(whole);
    let both = record(cut);
    assert_eq!((both.repeated, both.rows), (12, before.rows));
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
        let (_, found) = Rows::read(&experiment(path)).unwrap();
        assert_eq!(found.readings.len(), readings, "{settings}");
        assert!(found.readings.iter().all(|reading| reading.verdict == Verdict::Verified));
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
        Catalog { encodings: Registry::new().with_at_most_one(Changed), ..Catalog::of_tests() };
    let planned = PlannedExperiment::read(path, &path.join("t.yaml"), None, &catalog).unwrap();
    let message = planned.open(SessionPart::Whole).err().unwrap().to_string();
    assert!(
        message
            .starts_with("`pairwise` writes other clauses for the instance pigeonhole 5 in 9 than"),
        "{message}"
    );
    assert_eq!(run(path, &config), 0, "the unchanged one goes on");
}

const QUESTION: &str = "
name: t
problems: [{pigeonhole: {pigeons: [6, 5], holes: 7}}, {latin-square: {order: 4}}]
encodings: [pairwise, binary, \"commander:?\", \"!commander:4\"]
numberings: [as-generated, random: {shuffles: 2}]
solvers: [cadical, batsat]
bva: [off, on]
exclude: [{encoding: binary, solver: batsat}, {instance: pigeonhole 6*, numbering: random, encoding: \"commander:*\"}]
include: [{problems: {pigeonhole: {pigeons: 7, holes: 7}}, encodings: product, numberings: as-generated}]
calibration: off
";

#[test]
fn the_planned_jobs_are_run_in_their_order_after_the_drawn_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let plan = planned(path, QUESTION).plan;
    assert!(!path.join("experiments").exists(), "a plan writes nothing");
    assert_eq!(run(path, QUESTION), plan.jobs.len());
    let rows = rows(path);
    let mut jobs = plan.jobs;
    sample_first(&mut jobs);
    let jobs = jobs.iter().map(|planned| (&planned.key, &planned.job));
    assert!(rows.iter().map(|row| (&row.key, &row.job)).eq(jobs));
    // The record has the order of the plan's cells.
    let record = opened(path);
    assert_eq!(record.rows.len(), rows.len());
    let solvers: Vec<_> = record.rows[..3].iter().map(|row| row.job.solver.as_str()).collect();
    assert_eq!(solvers, ["cadical", "cadical", "batsat"]);
    assert!(!record.rows.iter().map(|row| &row.key).eq(rows.iter().map(|row| &row.key)));
}

#[test]
fn the_record_of_an_extended_config_is_whole_without_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let files = [
        (
            "common/base.yaml",
            "problems: [{file: sum.opb}]\nencodings: [pairwise]\nsolvers: [batsat]\ncalibration: off\n",
        ),
        ("common/sum.opb", "+1 x1 +1 x2 +1 x3 <= 1;\n"),
    ];
    fs::create_dir(path.join("common")).unwrap();
    for (name, text) in files {
        fs::write(path.join(name), text).unwrap();
    }
    run(path, "name: t\nextends: common/base.yaml\nrepeats: 2\n");
    fs::remove_dir_all(path.join("common")).unwrap();
    let record = opened(path);
    assert_eq!((record.rows.len(), record.planned), (2, 2));
}
