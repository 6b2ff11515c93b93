//! The size of tasks: their number, and the resources that Slurm gives to each.

use bezzel_experiment::config::Config;
use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::shard::Cut;
use bezzel_experiment::status::ExperimentStatus;

use crate::arguments::SubmitArguments;
use crate::failure::Failure;

/// The duration of a task if the number of tasks is not given, in seconds. It is long compared with waiting and
/// starting, and short enough that a lost task costs little.
const TASK_S: f64 = 900.0;
/// Slurm's own `MaxArraySize`, where Slurm is not installed.
pub(super) const ARRAY_SIZE: u32 = 1_001;
/// The memory of Bezzel itself beside its workers, in bytes.
const OWN_BYTES: u64 = 512 << 20;
/// The memory of the job that merges: for a report of a few rows, and for each job of the plan.
const MERGE_BYTES: u64 = 2 << 30;
const MERGE_BYTES_OF_JOB: u64 = 8 << 10;
pub(super) const MERGE_MINUTES: u32 = 60;
/// The time of a task beside its jobs, to begin and to end, in minutes.
const MARGIN_MINUTES: f64 = 5.0;

/// The number of shards.
pub(super) fn parts(
    arguments: &SubmitArguments,
    config: &Config,
    experiment_status: &ExperimentStatus,
    max: u32,
) -> Result<usize, Failure> {
    // Tasks are numbered from 1, and `MaxArraySize` is one more than the largest number.
    let max = max.saturating_sub(1).max(1) as usize;
    let jobs = experiment_status.missing.len();
    if let Some(wanted) = arguments.array_size {
        let wanted = wanted as usize;
        if wanted > max {
            return Err(Failure::Input(format!(
                "--array-size {wanted}: Slurm takes arrays of up to {max} tasks here"
            )));
        }
        return Ok(wanted.min(jobs));
    }
    let seconds =
        |&place: &usize| experiment_status.expected.seconds(&experiment_status.plan.jobs[place]);
    let all: f64 = experiment_status.missing.iter().map(seconds).sum();
    let tasks = (all / f64::from(config.parallel) / TASK_S).ceil() as usize;
    Ok(tasks.clamp(1, max.min(jobs)))
}

/// The memory limit of a task: its jobs that run at the same time, and Bezzel beside them, in bytes. Workers limit
/// their memory themselves, but may be a moment late.
pub(super) fn memory_of_task(config: &Config) -> u64 {
    let one = config.limits.memory_bytes;
    u64::from(config.parallel) * (one + one / 8 + (64 << 20)) + OWN_BYTES
}

/// The largest ratio of a job's wall time to its CPU limit. A task has cores of its own, so that a job reaches a larger
/// wall limit only on a broken node.
const WALL_OF_CPU: f64 = 3.0;

/// The time limit of a task, in minutes: the largest sum of the limits of its jobs, checking of proofs included. Jobs
/// that run at the same time share the sum, and the last to begin may be the longest.
pub(super) fn minutes(jobs: &[PlannedJob], cut: &Cut, parallel: u32) -> u32 {
    let bound = |&place: &usize| {
        let planned = &jobs[place];
        let passes = if planned.job.proof.is_some() { 2.0 } else { 1.0 };
        let limits = planned.job.limits;
        passes * (limits.wall_s.min(WALL_OF_CPU * limits.cpu_s) + 1.0)
    };
    let of_part = |part: &Vec<usize>| {
        let sum: f64 = part.iter().map(bound).sum();
        let longest = part.iter().map(bound).fold(0.0, f64::max);
        // Graham's bound for list scheduling: the work that is left when the last job begins is shared by all.
        (sum - longest) / f64::from(parallel) + longest
    };
    let longest = cut.parts.iter().map(of_part).fold(0.0, f64::max);
    (longest / 60.0 + MARGIN_MINUTES).ceil() as u32
}

/// The memory limit of the job that merges and reports, by the number of planned jobs, in bytes.
pub(super) fn memory_of_merge(planned: usize) -> u64 {
    MERGE_BYTES + MERGE_BYTES_OF_JOB * planned as u64
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::config::Config;
    use bezzel_experiment::{Catalog, Plan};

    use super::*;

    #[test]
    fn the_longest_that_a_task_can_take_is_enough_for_its_longest_job() {
        let text = "name: t\nboards: [{size: [4, 5, 6]}]\nencodings: [pairwise]\nsolvers: [batsat]\n\
                    limits: {cpu: 1 h, wall: 1 h}\nproofs: off\n";
        let catalog = Catalog::standard();
        let config = Config::parse(text, "a test", &catalog).unwrap();
        let jobs = Plan::new(&config, &catalog).unwrap().jobs;
        let of = |places: Vec<usize>, parallel| {
            let cut = Cut { parts: vec![places], weights: vec![1.0] };
            minutes(&jobs, &cut, parallel)
        };
        // An hour for each, and the margin, rounded up.
        assert_eq!(of(vec![0], 4), 66);
        assert_eq!(of(vec![0, 1, 2], 1), 186);
        assert_eq!(of(vec![0, 1, 2], 2), 126);
        // The default wall limit is ten times the CPU limit.
        let config = Config::parse(&text.replace(", wall: 1 h", ""), "a test", &catalog).unwrap();
        let jobs = Plan::new(&config, &catalog).unwrap().jobs;
        assert_eq!(minutes(&jobs, &Cut { parts: vec![vec![0]], weights: vec![1.0] }, 4), 186);
    }
}
