//! What is in the queue, as `squeue` shows it.

use super::error::SlurmError;
use super::ranges;

/// How each line of ours begins, whatever else a site lets `squeue` print.
const MARK: &str = "bezzel|";

/// The option of `squeue` by which it shows what is read here: number of the array, task, state, reason.
pub(super) const FORMAT: &str = "--format=bezzel|%F|%K|%T|%r";

/// A task of an array that Slurm knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The number of its array. Slurm gives numbers away a second time.
    pub job: u64,
    /// Its own number, which is that of its shard.
    pub shard: u32,
    /// What Slurm says of it.
    pub state: State,
}

/// What Slurm says of a task. None of these says that its shard is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits for its turn.
    Pending,
    /// It waits to be run again.
    Requeued,
    /// It runs, or begins or ceases to, or is suspended.
    Running,
    /// It waits until somebody releases it (`scontrol release`), as after a launch that failed.
    Held,
    /// It is over, well or badly, and Slurm does not run it again.
    Ended,
    /// Something that later versions of Slurm say.
    Unknown(String),
}

impl State {
    /// What `squeue` calls it, and the reason that it gives.
    fn of(name: &str, reason: &str) -> Self {
        let is_held = reason.to_ascii_lowercase().contains("held");
        match name {
            "PENDING" | "REQUEUED" | "REQUEUE_FED" if is_held => Self::Held,
            "REQUEUE_HOLD" | "SPECIAL_EXIT" | "RESV_DEL_HOLD" => Self::Held,
            "PENDING" => Self::Pending,
            "REQUEUED" | "REQUEUE_FED" => Self::Requeued,
            "RUNNING" | "CONFIGURING" | "COMPLETING" | "RESIZING" | "SIGNALING" | "STAGE_OUT"
            | "STOPPED" | "SUSPENDED" => Self::Running,
            "BOOT_FAIL" | "CANCELLED" | "COMPLETED" | "DEADLINE" | "FAILED" | "LAUNCH_FAILED"
            | "NODE_FAIL" | "OUT_OF_MEMORY" | "PREEMPTED" | "RECONFIG_FAIL" | "REVOKED"
            | "TIMEOUT" => Self::Ended,
            _ => Self::Unknown(name.to_owned()),
        }
    }

    /// Whether somebody is at work on the shard, or may be some time. What nobody knows counts as such:
    /// a shard that is submitted too late loses less than one that is submitted for ever.
    pub fn is_under_way(&self) -> bool {
        *self != Self::Ended
    }
}

/// Reads what `squeue` printed.
pub(super) fn read(text: &str) -> Result<Vec<Task>, SlurmError> {
    let mut tasks = Vec::new();
    for line in text.lines() {
        let Some(fields) = line.trim().strip_prefix(MARK) else { continue };
        let read = tasks_of(fields).ok_or_else(|| SlurmError::Garbage {
            program: "squeue",
            said: line.trim().to_owned(),
        })?;
        tasks.extend(read);
    }
    Ok(tasks)
}

/// The tasks of a line: one, as squeue is asked to show each by itself, or those of a list.
fn tasks_of(fields: &str) -> Option<Vec<Task>> {
    let [job, shards, state, reason] = fields.splitn(4, '|').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (job, state) = (job.trim().parse().ok()?, State::of(state.trim(), reason));
    // An array that was cancelled before any of its tasks began is shown without them.
    if shards.trim() == "N/A" && state == State::Ended {
        return Some(Vec::new());
    }
    let task = |shard| Task { job, shard, state: state.clone() };
    Some(ranges::read(shards.trim())?.into_iter().map(task).collect())
}
