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
      what is done, and how long the rest takes
  bezzel submit configs/hard.yaml --slurm
      again: what is missing, and nothing else

The jobs are cut into shards of about the same expected time, one task of a job array each; a \
second job merges and reports when all have ended, however. docs/clusters.md has the rest.

Exit codes: 0 submitted, or nothing is missing; 1 Slurm refused; 2 the config or the command \
makes no sense.";

const STATUS_EXAMPLES: &str = "\
Examples:
  bezzel status hard            by name
  bezzel status experiments/hard --json

The evidence says what is done, merged or not. Of shards that were submitted, Slurm is asked \
which wait or run.";

const MERGE_EXAMPLES: &str = "\
Examples:
  bezzel merge hard             rows of attempts become rows of the experiment
  bezzel merge hard --report    and the report is rendered

It can be done at any time, as often as you like: what is there already is passed over.

Exit codes: 0 all is well; 1 rows of one job contradict each other, an attempt or a line could not be \
read (all others are merged), or, with --report, jobs are missing or an answer is wrong; 2 there is no \
such experiment, or a runner is at work on it.";

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
