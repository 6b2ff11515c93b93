//! The arguments of the commands that spread an experiment over several machines.

use std::path::PathBuf;

use bezzel_experiment::shard::MAX_SHARDS;
use clap::Args;

use super::quantity::minutes;
use super::root::RootArguments;

const SUBMIT_EXAMPLES: &str = "\
Examples:
  bezzel submit configs/hard.yaml --slurm --dry-run
      show the scripts, and submit nothing
  bezzel submit configs/hard.yaml --slurm --partition long --time 4h
  bezzel submit configs/hard.yaml --slurm --array-size 200 --max-running 50
  bezzel status hard
      finished and missing jobs, and the expected time of the rest
  bezzel submit configs/hard.yaml --slurm
      again: only the missing jobs

The jobs are divided into shards of about the same expected time. Each shard is a task of a job array. A \
second job merges and reports when all tasks have ended, by success or failure. docs/clusters.md has more.

Exit codes: 0 submitted, or nothing is missing; 1 Slurm refused; 2 the config or the command \
line is invalid.";

const STATUS_EXAMPLES: &str = "\
Examples:
  bezzel status hard            by name
  bezzel status experiments/hard --json

Finished jobs are counted from the evidence, merged or not. Slurm is asked which submitted shards \
wait or run.";

const MERGE_EXAMPLES: &str = "\
Examples:
  bezzel merge hard             add the rows of all shards to the experiment
  bezzel merge hard --report    and render the report

A merge can be repeated at any time: rows that are merged already are skipped.

Exit codes: 0 no fault; 1 rows of one job contradict each other, an attempt or a line could not be \
read (all others are merged), or, with --report, jobs are missing or an answer is wrong; 2 there is no \
such experiment, or it is running.";

#[derive(Debug, Args)]
#[command(after_help = SUBMIT_EXAMPLES)]
pub(crate) struct SubmitArguments {
    /// The YAML file of the experiment
    pub(crate) config: PathBuf,
    /// Submit to Slurm, the only batch system that is supported
    #[arg(long, required = true)]
    pub(crate) slurm: bool,
    /// Print the scripts and submit nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The partition; Slurm's default if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// The account that is charged; Slurm's default if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) account: Option<String>,
    /// The time limit of a task, as in 90min, 4h or 04:00:00; if not given, the longest time that its jobs may take
    #[arg(long, value_name = "TIME", value_parser = minutes)]
    pub(crate) time: Option<u32>,
    /// The number of tasks; if not given, such that each takes about 15 minutes
    #[arg(long, value_name = "TASKS", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)))]
    pub(crate) array_size: Option<u32>,
    /// The number of tasks that may run at the same time; as many as Slurm allows, if not given
    #[arg(long, value_name = "TASKS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_running: Option<u32>,
    /// Give each task a node of its own, so that no other work disturbs its times
    #[arg(long)]
    pub(crate) whole_nodes: bool,
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

#[derive(Debug, Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub(crate) struct MergeArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// Render the report of the merged rows
    #[arg(long)]
    pub(crate) report: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
