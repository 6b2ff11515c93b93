//! The queue, as `squeue` prints it.

use super::error::SlurmError;
use super::ranges;

/// The prefix of our own lines in the output of `squeue`. A site may print others.
const MARK: &str = "bezzel|";

/// The option of `squeue` that selects the columns: number of the array, task, state, reason.
pub(super) const FORMAT: &str = "--format=bezzel|%F|%K|%T|%r";

/// A task of an array in Slurm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayTask {
    /// The number of its array. Slurm reuses numbers.
    pub job: u64,
    /// Its own number, which is that of its shard.
    pub shard: u32,
    /// Its state in Slurm.
    pub state: TaskState,
}

/// The state of a task in Slurm. No state means that its shard is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// The task waits for its turn.
    Pending,
    /// The task waits to be run again.
    Requeued,
    /// The task runs, begins, ends, or is suspended.
    Running,
    /// The task waits until a user releases it (`scontrol release`), for example after a failed launch.
    Held,
    /// The task has ended, successfully or not, and Slurm does not run it again.
    Ended,
    /// A state of later versions of Slurm.
    Unknown(String),
}

impl TaskState {
    /// Returns the state for `squeue`'s name of it, and its reason.
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

    /// Returns true if a task runs the shard, or may still run it. Unknown states count as such: a shard that is
    /// submitted too late costs less than one that is submitted again and again.
    pub fn is_under_way(&self) -> bool {
        *self != Self::Ended
    }
}

/// Reads the output of `squeue`.
pub(super) fn read(text: &str) -> Result<Vec<ArrayTask>, SlurmError> {
    let mut tasks = Vec::new();
    for line in text.lines() {
        let Some(fields) = line.trim().strip_prefix(MARK) else { continue };
        let read = tasks_of(fields).ok_or_else(|| SlurmError::Garbage {
            program: "squeue",
            output: line.trim().to_owned(),
        })?;
        tasks.extend(read);
    }
    Ok(tasks)
}

/// Returns the tasks of a line: one, since squeue is called to list each separately, or those of a list.
fn tasks_of(fields: &str) -> Option<Vec<ArrayTask>> {
    let [job, shards, state, reason] = fields.splitn(4, '|').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (job, state) = (job.trim().parse().ok()?, TaskState::of(state.trim(), reason));
    // An array that was cancelled before any of its tasks began is listed without them.
    if shards.trim() == "N/A" && state == TaskState::Ended {
        return Some(Vec::new());
    }
    let task = |shard| ArrayTask { job, shard, state: state.clone() };
    Some(ranges::read(shards.trim())?.into_iter().map(task).collect())
}
