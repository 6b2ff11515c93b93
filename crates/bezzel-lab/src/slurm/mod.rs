//! Slurm: the scripts of a submission, and what Slurm is asked.
//!
//! A submission is a job array, whose task K does shard K, and a job that merges when all tasks have
//! ended, however. Their [scripts](Array) are text, and whoever likes can submit them by hand. [`Slurm`]
//! calls `sbatch`, `squeue`, `scancel` and `scontrol`, each with a time limit; `sacct` is not asked, since
//! small clusters keep no accounts.
//!
//! Slurm starts a task at least once: after a crash of its controller it may start one again that has
//! ended, and say nothing of it. It gives numbers of jobs away a second time, too. So what Slurm says
//! of a task tells whether somebody is at work on a shard, never that the shard is done: that the rows
//! tell. Jobs are known by their [names](JobNames), which hold a token of the submission.
//!
//! *Source.* Manual pages of Slurm 22.05: `sbatch`, `squeue`, `scancel`, `scontrol`; "Job Array Support".

mod ask;
mod error;
mod name;
mod queue;
mod quote;
mod ranges;
mod script;
#[cfg(test)]
mod tests;

pub use ask::{Slurm, Submitted};
pub use error::{ScriptError, SlurmError};
pub use name::JobNames;
pub use queue::{State, Task};
pub use ranges::ranges;
pub use script::Array;
