//! The runner over workers without processes: order, places, limits, ends, repetition, cancelling and faults.

use std::io;
use std::sync::Barrier;
use std::time::Duration;

use bezzel_process::{Exit, StopReason};
use bezzel_solve::{Answer, OptionValue, ProofFormat};

use super::worker_thread::TRIES;
use super::*;
use crate::backend::catalog::Catalog;
use crate::model::job::Task;
use crate::model::message::Message;
use crate::model::row::{Finding, Termination, Verdict};
use crate::plan::answering;
use crate::results::store::{FORMAT, Rows, SessionStart, SessionWriter};
use crate::run::calibration::{AT_END, AT_START};
use crate::tests::seating::Seating;

mod ends;
pub(crate) mod mock;

use mock::{End, MockWorkers};

/// Jobs of this many guests on as many chairs, but of two and three with a chair too few, which have no solution, in this order.
fn jobs(sides: impl IntoIterator<Item = u32>) -> Vec<PlannedJob> {
    let fixed = CalibrationJob::new(&Catalog::of_tests(), Duration::ZERO).unwrap().planned;
    let job = |side| {
        let mut job = fixed.job.clone();
        job.instance = Seating::new(side, if side < 4 { side - 1 } else { side }).into();
        job.limits.cpu_s = 20.0;
        PlannedJob::new(job, fixed.encoding_revision, fixed.solver_version.clone())
    };
    sides.into_iter().map(job).collect()
}

/// The parameters of a run of one job at a time without warm-up and readings.
fn options<'a>(starter: &'a MockWorkers<'_>) -> RunnerOptions<'a> {
    RunnerOptions {
        starter,
        permission: Permission::none(),
        parallel: 1,
        cores: Arc::default(),
        scratch: None,
        proof_bytes: 1 << 20,
        warm_up: 0,
        calibration: None,
        wants: None,
    }
}

/// The kept rows of a run: of jobs, of jobs that are run again, and readings.
#[derive(Default)]
struct Kept {
    rows: Vec<Row>,
    again: Vec<Row>,
    readings: Vec<Row>,
}

/// Runs jobs, and keeps all rows. `cancel` is set where a test sets it.
fn run_jobs(
    jobs: Vec<PlannedJob>,
    options: &RunnerOptions<'_>,
    cancel: &AtomicBool,
) -> (Kept, Result<(), RunError>) {
    let mut kept = Kept::default();
    let keep = |result: &ProcessResult| {
        let (rows, row) = match result {
            ProcessResult::Job(row) => (&mut kept.rows, row),
            ProcessResult::Again(row) => (&mut kept.again, row),
            ProcessResult::Reading(row) => (&mut kept.readings, row),
        };
        rows.push(row.clone());
        Ok(())
    };
    let result = run_all(jobs, options, Judge::new(), cancel, keep);
    (kept, result)
}

/// The rows of a run that nothing disturbs.
fn kept(jobs: Vec<PlannedJob>, options: &RunnerOptions<'_>) -> Kept {
    let (kept, result) = run_jobs(jobs, options, &AtomicBool::new(false));
    result.unwrap();
    kept
}

/// A way of running jobs of a second each, and the starts.
struct Order {
    sides: &'static [u32],
    warm_up: u32,
    /// The seconds between readings, if the machine is measured.
    every_s: Option<u64>,
    starts: &'static str,
}

const ORDERS: [Order; 7] = [
    Order { sides: &[6, 4, 5], warm_up: 0, every_s: None, starts: "6, 4, 5" },
    Order { sides: &[6, 4, 5], warm_up: 1, every_s: None, starts: "warm 6, 6, 4, 5" },
    Order { sides: &[6, 4], warm_up: 9, every_s: None, starts: "warm 6, warm 4, 6, 4" },
    Order { sides: &[4, 5], warm_up: 0, every_s: Some(30), starts: "M, M, M, 4, 5, M, M" },
    Order { sides: &[4, 5], warm_up: 1, every_s: Some(30), starts: "warm 4, M, M, M, 4, 5, M, M" },
    Order { sides: &[4, 5], warm_up: 0, every_s: Some(0), starts: "M, M, M, M, 4, M, 5, M, M" },
    // A reading is due 2 s after the last one, before the next job.
    Order {
        sides: &[4, 5, 6, 7, 8],
        warm_up: 0,
        every_s: Some(2),
        starts: "M, M, M, 4, 5, M, 6, 7, M, 8, M, M",
    },
];

#[test]
fn jobs_run_in_their_order_after_the_warm_up_and_between_readings() {
    for Order { sides, warm_up, every_s, starts } in ORDERS {
        let workers = MockWorkers::new(|start, _| {
            let is_reading = start.name == "10";
            (End::Right, if is_reading { 0.0 } else { 1.0 })
        });
        let every = every_s.map(Duration::from_secs);
        let calibration =
            every.map(|every| CalibrationJob::new(&Catalog::of_tests(), every).unwrap());
        let options = RunnerOptions { warm_up, calibration, ..options(&workers) };
        let kept = kept(jobs(sides.iter().copied()), &options);
        assert_eq!(workers.log().replace("10", "M"), starts);
        let found: Vec<_> = kept.rows.iter().map(|row| row.job.instance.size()).collect();
        assert_eq!(found, sides, "rows of the warm-up are discarded");
        assert_eq!(kept.readings.len(), starts.matches('M').count());
        assert!(kept.again.is_empty());
        for row in kept.rows.iter().chain(&kept.readings) {
            assert_eq!(row.verdict, Verdict::Verified, "{row:?}");
        }
        for start in workers.starts() {
            let (cpu_s, wall_s) = (start.limits.cpu_s, start.limits.wall_s);
            let is_warm_up = start.name.starts_with("warm");
            assert_eq!(is_warm_up, cpu_s <= 1.0 && wall_s <= 1.0, "{start:?}");
            assert_eq!(start.wall, Duration::from_secs_f64(wall_s + 1.0));
        }
    }
}

#[test]
fn a_job_that_is_unwanted_when_its_turn_comes_is_left_out() {
    let workers = MockWorkers::right();
    let wants = |job: &crate::model::job::Job| job.instance.size() != 5;
    let options = RunnerOptions { wants: Some(&wants), ..options(&workers) };
    let kept = kept(jobs([6, 5, 4]), &options);
    let found: Vec<_> = kept.rows.iter().map(|row| row.job.instance.size()).collect();
    assert_eq!((found, workers.log().as_str()), (vec![6, 4], "6, 4"));
}

#[test]
fn each_thread_has_its_core_and_its_readings_and_shares_the_jobs() {
    // Each job waits until another one runs beside it.
    let barrier = Barrier::new(2);
    let workers = MockWorkers::new(|_, _| {
        barrier.wait();
        (End::Right, 1.0)
    });
    let mut cores = ClaimedCores::default();
    cores.processors = vec![3, 11];
    let calibration = CalibrationJob::new(&Catalog::of_tests(), Duration::MAX);
    let options =
        RunnerOptions { parallel: 2, cores: cores.into(), calibration, ..options(&workers) };
    let kept = kept(jobs([4, 5, 6, 7]), &options);
    assert_eq!(kept.rows.len(), 4);
    assert_eq!(kept.readings.len(), 2 * (AT_START + AT_END));
    for core in [3, 11] {
        let on_core = |row: &&Row| row.core == Some(core);
        assert_eq!(kept.readings.iter().filter(on_core).count(), AT_START + AT_END);
        assert_eq!(kept.rows.iter().filter(on_core).count(), 2);
    }
}

#[test]
fn an_engine_with_several_threads_is_bound_to_no_core() {
    let workers = MockWorkers::new(|_, _| (End::Exit(Exit::Code(1)), 1.0));
    let mut cores = ClaimedCores::default();
    cores.processors = vec![3];
    let options = RunnerOptions { cores: cores.into(), ..options(&workers) };
    let mut jobs = jobs([4, 4]);
    for (planned, threads) in jobs.iter_mut().zip([1, 2]) {
        planned.job.task = Task::Count;
        let threads = ("threads".to_owned(), OptionValue::Integer(threads));
        planned.job.options = Arc::new([threads].into_iter().collect());
    }
    let cores: Vec<_> = kept(jobs, &options).rows.iter().map(|row| row.core).collect();
    assert_eq!(cores, [Some(3), None]);
}

#[test]
fn a_job_that_is_killed_from_outside_is_run_again_after_the_others_and_not_for_ever() {
    for kills in 0..=TRIES as usize + 1 {
        let workers = MockWorkers::new(|start, tried| {
            let is_killed = start.name == "5" && tried < kills;
            (if is_killed { End::Exit(Exit::Signal(9)) } else { End::Right }, 1.0)
        });
        let kept = kept(jobs([4, 5, 6]), &options(&workers));
        let repetitions = kills.min(TRIES as usize);
        assert_eq!(workers.log(), format!("4, 5, 6{}", ", 5".repeat(repetitions)));
        assert_eq!(kept.again.len(), repetitions);
        let lost = kept.again.iter().chain(&kept.rows).filter(|row| !row.is_settled());
        let lost: Vec<_> =
            lost.map(|row| (row.termination, row.note.as_deref().unwrap())).collect();
        assert_eq!(lost, vec![(Termination::HostError, "killed from outside"); kills]);
        assert_eq!(kept.rows.len(), 3);
        let last = kept.rows.last().unwrap();
        assert_eq!(last.is_settled(), kills <= TRIES as usize);
    }
}

#[test]
fn the_numbers_of_a_run_are_those_of_its_store_and_each_job_is_observed_once() {
    let workers = MockWorkers::new(|start, tried| match (start.name.as_str(), tried) {
        ("5", _) | ("6", 0) => (End::Exit(Exit::Signal(9)), 1.0),
        _ => (End::Right, 1.0),
    });
    let calibration = CalibrationJob::new(&Catalog::of_tests(), Duration::MAX);
    let options = RunnerOptions { calibration, ..options(&workers) };
    let folder = tempfile::tempdir().unwrap();
    let start = SessionStart { format: FORMAT, ..SessionStart::default() };
    let mut writer = SessionWriter::create(folder.path(), &start, &[]).unwrap();
    let (mut observed, cancel) = (Vec::new(), AtomicBool::new(false));
    let observe = |row: &Row| observed.push(row.job.instance.size());
    let jobs = jobs([4, 5, 6]);
    let summary = run(jobs, &options, &mut writer, Judge::new(), &cancel, observe).unwrap();
    // Two rows of settled jobs, one of a job that is killed each time, and four of repetitions.
    assert_eq!(summary, RunSummary { added: 7, unsettled: 1, skipped: 0, cancelled: false });
    assert_eq!(observed, [4, 6, 5]);
    let (_, rows) = Rows::read(folder.path()).unwrap();
    assert_eq!((rows.by_key.len(), rows.readings.len()), (3, AT_START + AT_END));
}

#[test]
fn a_cancelled_run_keeps_its_rows_and_the_next_one_runs_the_rest() {
    let all = jobs(4..=8);
    for cancelled_at in 0..=all.len() {
        let cancel = AtomicBool::new(false);
        let workers = MockWorkers::new(|_, _| (End::Right, 1.0));
        let stopped = MockWorkers::new(|start, _| {
            if start.at_s as usize == cancelled_at {
                cancel.store(true, Ordering::Relaxed);
            }
            (End::Right, 1.0)
        });
        let (first, result) = run_jobs(all.clone(), &options(&stopped), &cancel);
        result.unwrap();
        assert_eq!(first.rows.len(), cancelled_at, "the interrupted job has no row");
        assert_eq!(stopped.starts().len(), all.len().min(cancelled_at + 1), "no job was started");
        let mut missing = all.clone();
        let mut answered = answering::answered(&all, &first.rows).into_iter();
        missing.retain(|_| !answered.next().unwrap());
        let second = kept(missing, &options(&workers));
        let keys = first.rows.iter().chain(&second.rows).map(|row| &row.key);
        assert!(keys.eq(all.iter().map(|planned| &planned.key)), "each job has one row");
    }
    // Before the first start nothing is started.
    let workers = MockWorkers::right();
    let options = RunnerOptions { warm_up: 2, ..options(&workers) };
    let (kept, result) = run_jobs(jobs([4]), &options, &AtomicBool::new(true));
    result.unwrap();
    assert_eq!((kept.rows.len(), workers.log().as_str()), (0, ""));
}

#[test]
fn a_worker_that_cannot_work_ends_the_run_and_the_rows_before_stay() {
    for (end, says) in [
        (End::Refuses("unknown encoding"), "the worker refused a job of binary on 5: unknown enc"),
        (End::NotStarted, "worker"),
    ] {
        let workers = MockWorkers::new(|start, _| {
            (if start.name == "5" { end.clone() } else { End::Right }, 1.0)
        });
        let cancel = AtomicBool::new(false);
        let (kept, result) = run_jobs(jobs([4, 5, 6]), &options(&workers), &cancel);
        let message = result.unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
        assert_eq!((kept.rows.len(), workers.log().as_str()), (1, "4, 5"));
        assert!(cancel.load(Ordering::Relaxed), "the other threads are stopped");
    }
}

#[test]
fn a_row_that_cannot_be_stored_ends_the_run_and_no_later_row_is_stored() {
    let workers = MockWorkers::right();
    let (cancel, mut stored) = (AtomicBool::new(false), 0);
    let keep = |_: &ProcessResult| {
        stored += 1;
        let (path, source) = ("session.jsonl".into(), io::ErrorKind::StorageFull.into());
        if stored < 2 { Ok(()) } else { Err(StoreError::Append { path, source }) }
    };
    let result = run_all(jobs(4..=9), &options(&workers), Judge::new(), &cancel, keep);
    assert!(matches!(result, Err(RunError::Store(_))), "{result:?}");
    assert_eq!(stored, 2);
    assert!(cancel.load(Ordering::Relaxed));
}

#[test]
fn a_program_that_may_not_be_started_or_is_missing_starts_no_worker() {
    let workers = MockWorkers::right();
    let mut all = jobs([4, 5]);
    all[1].job.solver = "{command: \"/nowhere/at/all {cnf}\"}".into();
    let (kept, result) = run_jobs(all.clone(), &options(&workers), &AtomicBool::new(false));
    assert!(matches!(result, Err(RunError::NotPermitted(_))), "{result:?}");
    assert_eq!((kept.rows.len(), workers.log().as_str()), (0, ""), "no job is run");
    let options = RunnerOptions { permission: Permission::everything(), ..options(&workers) };
    let (kept, result) = run_jobs(all, &options, &AtomicBool::new(false));
    result.unwrap();
    assert_eq!(workers.log(), "4");
    let row = &kept.rows[1];
    assert_eq!((row.termination, row.verdict), (Termination::Skipped, Verdict::Unchecked));
    assert!(row.note.as_ref().unwrap().starts_with("not installed: "), "{row:?}");
}
