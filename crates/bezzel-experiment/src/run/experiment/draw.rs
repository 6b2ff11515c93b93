//! The draw of jobs of a record that are run again.
//!
//! Jobs with an answer are drawn. Each encoding in each solver gets about the same share of the time. Within it instances
//! and numberings take turns, long jobs after short ones. A seed determines the rest, so that the same record, time and
//! seed give the same jobs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};

use crate::backend::catalog::Catalog;
use crate::check::row;
use crate::model::job::{Limits, PlannedJob};
use crate::model::row::Row;
use crate::plan::answering::RequestedJobs;
use crate::results::stored_results::StoredResults;

/// The time of a job beside its own wall time, in seconds: a process, and a row on the disk.
const BESIDES_S: f64 = 0.01;

/// The share of the time of its encoding and solver above which a job is long.
const LONG: f64 = 0.25;

/// The size of a draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleSize {
    /// The time that the jobs should take, in seconds.
    pub(super) seconds: f64,
    /// The seed by which jobs are drawn.
    pub(super) seed: u64,
    /// The number of jobs that run at the same time.
    pub(super) parallel: u32,
    /// The memory of this machine, in bytes.
    pub(super) memory_bytes: u64,
}

/// Jobs to be run again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnJobs {
    /// The jobs, under the available revisions and versions.
    pub jobs: Vec<PlannedJob>,
    /// The time that they took when they were recorded, in seconds.
    pub seconds: f64,
    /// The number of jobs that could have been drawn.
    pub of: usize,
    /// The number of jobs without an answer to reproduce.
    pub unanswered: usize,
    /// The number of jobs that cannot be run here: their solver, engine or encoding is missing, they name
    /// programs that may not be started, the config does not ask for them, or their key or their limits
    /// are not those of a job.
    pub unable: usize,
}

/// A job that can be run again.
struct DrawCandidate {
    planned: PlannedJob,
    seconds: f64,
    /// The hash that orders jobs of equal rank.
    lot: [u8; 32],
}

/// Draws jobs of a record that its config asks for. Jobs that name programs need the permission of the catalog.
pub(super) fn draw(
    results: &StoredResults,
    requested_jobs: &RequestedJobs,
    catalog: &Catalog,
    sample_size: SampleSize,
) -> DrawnJobs {
    let mut drawn = DrawnJobs::default();
    let mut candidates = Vec::new();
    for row in &results.rows {
        let is_requested = requested_jobs.is_answered_by(row);
        if !row.solved() {
            drawn.unanswered += 1;
        } else if let Some(planned) =
            planned_here(row, catalog, sample_size).filter(|_| is_requested)
        {
            let text = format!("{} {}", sample_size.seed, row.job.question());
            let lot = *blake3::hash(text.as_bytes()).as_bytes();
            candidates.push(DrawCandidate { planned, seconds: seconds(row), lot });
        } else {
            drawn.unable += 1;
        }
    }
    drawn.of = candidates.len();
    let budget = sample_size.seconds * f64::from(sample_size.parallel.max(1));
    let chosen = choose(candidates, budget);
    drawn.seconds = chosen.iter().map(|candidate| candidate.seconds).sum::<f64>()
        / f64::from(sample_size.parallel.max(1));
    drawn.jobs = chosen.into_iter().map(|candidate| candidate.planned).collect();
    drawn
}

/// Returns the time of a job in seconds, including the check of its proof.
fn seconds(row: &Row) -> f64 {
    let proof = row.proof.as_ref().and_then(|proof| proof.check_cpu_s);
    row.wall_s.max(0.0) + proof.unwrap_or(0.0).max(0.0) + BESIDES_S
}

/// Returns the job of a row, as it is run here; none if it cannot be run.
fn planned_here(row: &Row, catalog: &Catalog, sample_size: SampleSize) -> Option<PlannedJob> {
    if row::key_fault(row).is_some() {
        return None;
    }
    catalog.planned_again(row, limits_here(row, sample_size))
}

/// The limits of a job here. A limit within the wanted time or within the memory of this machine stays, so that
/// the job stays the same.
fn limits_here(row: &Row, sample_size: SampleSize) -> Limits {
    let (limits, again) = (row.job.limits, row.limits_again());
    Limits {
        cpu_s: limits.cpu_s.min(sample_size.seconds.max(again.cpu_s)),
        wall_s: limits.wall_s.min(sample_size.seconds.max(again.wall_s)),
        memory_bytes: limits.memory_bytes.min(sample_size.memory_bytes.max(again.memory_bytes)),
        nodes: limits.nodes,
    }
}

/// Chooses candidates that take at most `budget` seconds together, in the order in which they are run.
fn choose(candidates: Vec<DrawCandidate>, budget: f64) -> Vec<DrawCandidate> {
    let mut arms: BTreeMap<String, Vec<DrawCandidate>> = BTreeMap::new();
    for candidate in candidates {
        let job = &candidate.planned.job;
        let options = serde_json::to_string(&job.options).expect("plain data");
        let arm = format!("{} {} {options} {}", job.encoding_label(), job.solver, job.task);
        arms.entry(arm).or_default().push(candidate);
    }
    let long = LONG * budget / arms.len().max(1) as f64;
    let mut arms: Vec<_> =
        arms.into_values().map(|candidates| in_turns(candidates, long)).collect();
    // The arm with the shortest drawn time is next. Times are in microseconds, since integers have an order.
    let mut turns: BinaryHeap<Reverse<(u64, usize)>> =
        (0..arms.len()).map(|arm| Reverse((0, arm))).collect();
    let (mut chosen, mut left, mut shortest) = (Vec::new(), budget, None::<DrawCandidate>);
    while let Some(Reverse((used, arm))) = turns.pop() {
        while let Some(candidate) = arms[arm].pop_front() {
            if candidate.seconds <= left {
                left -= candidate.seconds;
                let used = used + (candidate.seconds * 1e6) as u64;
                chosen.push(candidate);
                turns.push(Reverse((used, arm)));
                break;
            }
            if shortest.as_ref().is_none_or(|known| candidate.seconds < known.seconds) {
                shortest = Some(candidate);
            }
        }
    }
    if chosen.is_empty() {
        // At least one job is run, even if the time is too short.
        chosen.extend(shortest);
    }
    chosen
}

/// Orders candidates: cells take turns, and those that take more than `long` seconds come last.
fn in_turns(mut candidates: Vec<DrawCandidate>, long: f64) -> VecDeque<DrawCandidate> {
    candidates.sort_by_key(|candidate| candidate.lot);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut ranked: Vec<((bool, usize), DrawCandidate)> = candidates
        .into_iter()
        .map(|candidate| {
            let job = &candidate.planned.job;
            let turn = seen.entry(format!("{} {}", job.numbering.id(), job.instance)).or_default();
            *turn += 1;
            ((candidate.seconds > long, *turn), candidate)
        })
        .collect();
    // Candidates of equal rank stay in the order of their lots.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::count;
    use crate::model::row::Termination;

    /// Returns a record with `repeats` repetitions of a count on each side, by two engines; the second takes ten times
    /// as long.
    fn record(repeats: u32) -> StoredResults {
        let engines = [("blocking", 0.1), ("blocking:batsat", 1.0)];
        let mut rows = Vec::new();
        for side in 5..10 {
            for (engine, wall_s) in engines {
                for repeat in 1..=repeats {
                    let mut row = count(side, engine, "pairwise", 1);
                    (row.wall_s, row.job.repeat) = (wall_s, repeat);
                    row.key = row.job.key(row.encoding_revision, &row.solver_version);
                    rows.push(row);
                }
            }
        }
        StoredResults { name: "evidence".into(), rows, ..StoredResults::default() }
    }

    fn sample_size(seconds: f64, seed: u64) -> SampleSize {
        SampleSize { seconds, seed, parallel: 1, memory_bytes: 1 << 30 }
    }

    /// Returns a draw from a record whose config asks for all jobs.
    fn drawn_by(results: &StoredResults, sample_size: SampleSize) -> DrawnJobs {
        let requested_jobs = RequestedJobs::of(results.rows.iter().map(|row| &row.job));
        draw(results, &requested_jobs, &Catalog::of_tests(), sample_size)
    }

    fn drawn(results: &StoredResults, seconds: f64, seed: u64) -> DrawnJobs {
        drawn_by(results, sample_size(seconds, seed))
    }

    #[test]
    fn the_drawn_jobs_take_about_the_available_time() {
        let results = record(40);
        let drawn = drawn(&results, 20.0, 1);
        assert!((19.0..=20.0).contains(&drawn.seconds), "{}", drawn.seconds);
        assert_eq!((drawn.of, drawn.unable, drawn.unanswered), (400, 0, 0));
        let two = drawn_by(&results, SampleSize { parallel: 2, ..sample_size(20.0, 1) });
        assert!(two.jobs.len() > drawn.jobs.len() && two.seconds <= 20.0);
    }

    #[test]
    fn every_arm_gets_its_share_of_the_time_and_instances_take_turns() {
        let drawn = drawn(&record(40), 20.0, 1);
        let of = |engine: &str| drawn.jobs.iter().filter(|job| job.job.solver == engine).count();
        // Ten seconds each.
        assert!((80..=95).contains(&of("blocking")), "{}", of("blocking"));
        assert!((8..=10).contains(&of("blocking:batsat")), "{}", of("blocking:batsat"));
        for side in 5..10 {
            let here = drawn.jobs.iter().filter(|job| job.job.instance.size() == side);
            let slow = here.clone().filter(|job| job.job.solver != "blocking").count();
            assert!((1..=2).contains(&slow), "{slow} on {side}");
            assert!((16..=19).contains(&(here.count() - slow)));
        }
    }

    #[test]
    fn a_seed_decides_which() {
        let results = record(40);
        assert_eq!(drawn(&results, 20.0, 1), drawn(&results, 20.0, 1));
        let keys = |seed| drawn(&results, 20.0, seed).jobs.into_iter().map(|job| job.key);
        assert_ne!(keys(1).collect::<Vec<_>>(), keys(2).collect::<Vec<_>>());
    }

    #[test]
    fn without_time_the_shortest_job_is_run_and_with_enough_all_are() {
        let results = record(2);
        let shortest = drawn(&results, 0.001, 1).jobs;
        assert_eq!(shortest.len(), 1);
        assert_eq!(shortest[0].job.solver, "blocking");
        let mut all: Vec<_> = drawn(&results, 1e6, 1).jobs;
        assert_eq!(all.len(), 20);
        all.dedup_by(|one, other| one.key == other.key);
        assert_eq!(all.len(), 20, "each once");
    }

    #[test]
    fn jobs_without_an_answer_or_of_what_is_not_here_are_not_drawn() {
        let mut results = record(1);
        results.rows[0].termination = Termination::CpuLimit;
        results.rows[1].job.solver = "of another age".into();
        results.rows[2].job.encoding = "of another age".into();
        // A key of another job, and limits that no config can have.
        results.rows[4].key.0.push('0');
        results.rows[5].job.limits.cpu_s = 1e308;
        for row in &mut results.rows[5..] {
            row.key = row.job.key(row.encoding_revision, &row.solver_version);
        }
        let drawn = drawn(&results, 1e6, 1);
        assert_eq!((drawn.of, drawn.unanswered, drawn.unable), (5, 1, 4));
    }

    /// Returns a row with a correct key whose limits allow a day and a pebibyte.
    fn huge(side: u32) -> Row {
        let mut row = count(side, "blocking", "pairwise", 1);
        let Limits { cpu_s, wall_s, memory_bytes, .. } = &mut row.job.limits;
        (*cpu_s, *wall_s, *memory_bytes) = (1e5, 1e5, Limits::MAX_BYTES);
        (row.cpu_s, row.wall_s, row.memory_peak_bytes) = (0.5, 1.0, Some(1 << 20));
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
        row
    }

    #[test]
    fn a_job_that_the_config_does_not_ask_for_is_not_drawn() {
        let mut results = record(1);
        let requested_jobs = RequestedJobs::of(results.rows.iter().map(|row| &row.job));
        results.rows.push(huge(3000));
        let drawn = draw(&results, &requested_jobs, &Catalog::of_tests(), sample_size(1e6, 1));
        assert_eq!((drawn.of, drawn.unable), (10, 1));
    }

    #[test]
    fn a_job_is_drawn_with_limits_within_the_wanted_time_or_some_times_those_that_it_took() {
        let results = StoredResults { rows: vec![huge(6)], ..StoredResults::default() };
        let limits = |seconds| drawn(&results, seconds, 1).jobs[0].job.limits;
        let at_once = limits(5.0);
        assert_eq!((at_once.cpu_s, at_once.wall_s, at_once.memory_bytes), (30.0, 40.0, 1 << 30));
        let later = limits(600.0);
        assert_eq!((later.cpu_s, later.wall_s), (600.0, 600.0));
        let planned = &drawn(&results, 5.0, 1).jobs[0];
        let key = planned.job.key(planned.encoding_revision, &planned.solver_version);
        assert_eq!(planned.key, key);
        // Limits within both stay, and with them the key.
        let usual = record(1);
        let known = |job: &PlannedJob| usual.rows.iter().any(|row| row.job == job.job);
        assert!(drawn(&usual, 20.0, 1).jobs.iter().all(known));
    }
}
