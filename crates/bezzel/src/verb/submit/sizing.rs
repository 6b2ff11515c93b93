//! How large tasks are: how many there are, and what Slurm is asked for each.

use bezzel_lab::config::Config;
use bezzel_lab::job::Planned;
use bezzel_lab::shard::Cut;
use bezzel_lab::status::Stock;

use crate::arguments::SubmitArguments;
use crate::failure::Failure;

/// What a task is to take, if nobody says how many there are to be, in seconds: long beside the time that
/// it waits and starts, and short enough that little is lost with it.
const TASK_S: f64 = 900.0;
/// Slurm's own `MaxArraySize`, where it is not there to be asked.
pub(super) const ARRAY_SIZE: u32 = 1_001;
/// Bezzel itself beside its workers, in bytes.
const OWN_BYTES: u64 = 512 << 20;
/// What the job that merges may use: to render a report of a few rows, and for each job of the plan.
const MERGE_BYTES: u64 = 2 << 30;
const MERGE_BYTES_OF_JOB: u64 = 8 << 10;
pub(super) const MERGE_MINUTES: u32 = 60;
/// Beside what its jobs may take, the time of a task to begin and to end, in minutes.
const MARGIN_MINUTES: f64 = 5.0;

/// How many shards there are to be.
pub(super) fn parts(
    arguments: &SubmitArguments,
    config: &Config,
    stock: &Stock,
    most: u32,
) -> Result<usize, Failure> {
    // Tasks are numbered from 1, and `MaxArraySize` is one more than the largest number.
    let most = most.saturating_sub(1).max(1) as usize;
    let jobs = stock.missing.len();
    if let Some(wanted) = arguments.array_size {
        let wanted = wanted as usize;
        if wanted > most {
            return Err(Failure::Input(format!(
                "--array-size {wanted}: Slurm takes arrays of up to {most} tasks here"
            )));
        }
        return Ok(wanted.min(jobs));
    }
    let seconds = |&place: &usize| stock.expected.seconds(&stock.plan.jobs[place]);
    let all: f64 = stock.missing.iter().map(seconds).sum();
    let tasks = (all / f64::from(config.parallel) / TASK_S).ceil() as usize;
    Ok(tasks.clamp(1, most.min(jobs)))
}

/// What the jobs of a task may take at the same time, and Bezzel beside them, in bytes. Workers look after
/// their memory themselves, and may be a moment late.
pub(super) fn memory_of_task(config: &Config) -> u64 {
    let one = config.limits.memory_bytes;
    u64::from(config.parallel) * (one + one / 8 + (64 << 20)) + OWN_BYTES
}

/// The time of a job beside its CPU limit, at most: a task has cores of its own, so that only a broken node lets
/// a job come to a larger wall limit.
const WALL_OF_CPU: f64 = 3.0;

/// The time limit of a task, in minutes: the largest sum of what its jobs may take, checking of proofs included.
/// Jobs that run at the same time share the sum, and the last to begin may be the longest.
pub(super) fn minutes(jobs: &[Planned], cut: &Cut, parallel: u32) -> u32 {
    let bound = |&place: &usize| {
        let planned = &jobs[place];
        let passes = if planned.job.proof.is_some() { 2.0 } else { 1.0 };
        let limits = planned.job.limits;
        passes * (limits.wall_s.min(WALL_OF_CPU * limits.cpu_s) + 1.0)
    };
    let of_part = |part: &Vec<usize>| {
        let sum: f64 = part.iter().map(bound).sum();
        let longest = part.iter().map(bound).fold(0.0, f64::max);
        // Graham's bound for a list: what is left when the last job begins is shared by all.
        (sum - longest) / f64::from(parallel) + longest
    };
    let longest = cut.parts.iter().map(of_part).fold(0.0, f64::max);
    (longest / 60.0 + MARGIN_MINUTES).ceil() as u32
}

/// What the job that merges and reports may use, by the number of jobs that are planned, in bytes.
pub(super) fn memory_of_merge(planned: usize) -> u64 {
    MERGE_BYTES + MERGE_BYTES_OF_JOB * planned as u64
}

#[cfg(test)]
mod tests {
    use bezzel_lab::config::Config;
    use bezzel_lab::{Plan, Workbench};

    use super::*;

    #[test]
    fn the_longest_that_a_task_can_take_is_enough_for_its_longest_job() {
        let text = "name: t\nboards: [{size: [4, 5, 6]}]\nencodings: [pairwise]\nsolvers: [batsat]\n\
                    limits: {cpu: 1 h, wall: 1 h}\nproofs: off\n";
        let workbench = Workbench::standard();
        let config = Config::parse(text, "a test", &workbench).unwrap();
        let jobs = Plan::new(&config, &workbench).unwrap().jobs;
        let of = |places: Vec<usize>, parallel| {
            let cut = Cut { parts: vec![places], weights: vec![1.0] };
            minutes(&jobs, &cut, parallel)
        };
        // An hour for each, and the margin, rounded up.
        assert_eq!(of(vec![0], 4), 66);
        assert_eq!(of(vec![0, 1, 2], 1), 186);
        assert_eq!(of(vec![0, 1, 2], 2), 126);
        // The default wall limit is ten times the CPU limit.
        let config = Config::parse(&text.replace(", wall: 1 h", ""), "a test", &workbench).unwrap();
        let jobs = Plan::new(&config, &workbench).unwrap().jobs;
        assert_eq!(minutes(&jobs, &Cut { parts: vec![vec![0]], weights: vec![1.0] }, 4), 186);
    }
}
