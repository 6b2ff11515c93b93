//! Slurm: the scripts of a submission, and the calls of its programs.
//!
//! A submission is a job array, whose task K runs shard K, and a job that merges after all tasks have ended. Their
//! [scripts](JobArray) are text, which a user can also submit by hand. [`Slurm`] calls `sbatch`, `squeue`, `scancel` and
//! `scontrol`, each with a time limit. It does not call `sacct`: small clusters keep no accounts.
//!
//! Slurm starts a task at least once: after a crash of its controller it may start a task again that has ended. It
//! also reuses numbers of jobs. The state of a task in Slurm shows that a shard is running, and never that a shard is
//! done: only rows show that. Jobs are identified by their [names](JobNames), which hold a token of the submission.
//!
//! *Source.* Manual pages of Slurm 22.05: `sbatch`, `squeue`, `scancel`, `scontrol`; "Job Array Support".

mod error;
mod name;
mod queue;
mod quote;
mod ranges;
mod script;
mod slurm;
#[cfg(test)]
mod tests;

pub use error::{ScriptError, SlurmError};
pub use name::JobNames;
pub use queue::{ArrayTask, TaskState};
pub use script::JobArray;
pub use slurm::{Slurm, SubmittedJobs};
