//! The arguments that spread an experiment over several machines, and those of `bezzel status`.

use std::path::PathBuf;

use bezzel_experiment::shard::MAX_SHARDS;
use clap::Args;

use super::quantity::{memory, whole_minutes};
use super::root::RootArguments;

const STATUS_EXAMPLES: &str = "\
Examples:
  bezzel status
      the experiments that there are
  bezzel status hard

Jobs are counted from the rows of all sessions in the folder.";

/// A job array of Slurm, in which each task runs one shard.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "A cluster with Slurm")]
pub(crate) struct ClusterArguments {
    /// Hand the experiment to `sbatch` as this number of tasks, each of which runs one shard
    #[arg(long, value_name = "TASKS", conflicts_with_all = ["plan", "programs"], groups = ["part", "array"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)))]
    pub(crate) tasks: Option<u32>,
    /// The time limit of a task, as in 90min or 4h; if not given, by the limits of the jobs that are left
    #[arg(long, value_name = "TIME", value_parser = whole_minutes, requires = "array")]
    pub(crate) time: Option<u32>,
    /// The memory limit of a task, as in 2GiB; if not given, by the limits of the jobs that are left
    #[arg(long, value_name = "SIZE", value_parser = memory, requires = "array")]
    pub(crate) mem: Option<u64>,
    /// Print the script and submit nothing
    #[arg(long, requires = "array")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = STATUS_EXAMPLES)]
pub(crate) struct StatusArguments {
    /// The experiment, by name or by folder; without it the experiments that there are
    pub(crate) experiment: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
