//! The arguments of the commands that spread an experiment over several machines.

use std::path::PathBuf;

use bezzel_experiment::shard::MAX_SHARDS;
use clap::Args;

use super::quantity::{memory, minutes};
use super::root::RootArguments;

const SUBMIT_EXAMPLES: &str = "\
Examples:
  bezzel submit configs/hard.yaml --tasks 16 --dry-run
      print the script, and submit nothing
  bezzel submit configs/hard.yaml --tasks 16 --time 4h
  bezzel report hard
      when all tasks have ended
  bezzel submit configs/hard.yaml --tasks 16
      again: each task runs the jobs of its shard that have no row

The script is a job array of Slurm, in which task K runs `bezzel run CONFIG --shard K/TASKS`. It is handed to `sbatch`, \
which also obeys the variables SBATCH_PARTITION, SBATCH_ACCOUNT and others. docs/clusters.md has more.

Exit codes: 0 submitted, or no job is left; 1 `sbatch` refused; 2 the config or the command line is invalid.";

const STATUS_EXAMPLES: &str = "\
Examples:
  bezzel status hard            by name
  bezzel status experiments/hard --json

Jobs are counted from the rows of all sessions in the folder.";

#[derive(Debug, Args)]
#[command(after_help = SUBMIT_EXAMPLES)]
pub(crate) struct SubmitArguments {
    /// The YAML file of the experiment, or NAME for configs/NAME.yaml
    pub(crate) config: PathBuf,
    /// The number of tasks, each of which runs one shard
    #[arg(long, value_name = "TASKS", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)))]
    pub(crate) tasks: u32,
    /// The time limit of a task, as in 90min, 4h or 04:00:00; if not given, by rows that are there, else by the limits
    #[arg(long, value_name = "TIME", value_parser = minutes)]
    pub(crate) time: Option<u32>,
    /// The memory limit of a task, as in 2GiB; if not given, by rows that are there, else by the limits
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) mem: Option<u64>,
    /// Print the script and submit nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run it under another name than the config's
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}

#[derive(Debug, Args)]
#[command(after_help = STATUS_EXAMPLES)]
pub(crate) struct StatusArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
