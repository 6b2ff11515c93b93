//! `bezzel work`: a shard of a submission, as a task of a job array runs it.

use std::env;
use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::config::Config;
use bezzel_lab::environment::{ClusterTask, Environment};
use bezzel_lab::submission::Submission;
use bezzel_lab::{ShardAtWork, Workbench, store};

use super::permission;
use super::run::{counted, workers};
use crate::arguments::WorkArguments;
use crate::failure::Failure;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::provenance;

pub(crate) fn run(
    arguments: &WorkArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let workbench = &workbench.permitting(permission(arguments.programs));
    let submission = Submission::open(&arguments.submission).map_err(Failure::input)?;
    let path = submission.experiment().join(store::CONFIG);
    let config = Config::read_frozen(&path, workbench).map_err(Failure::input)?;
    submission.refuse_other_config(&config).map_err(Failure::input)?;
    let jobs = submission.jobs_of(arguments.shard).map_err(Failure::input)?;
    for planned in &jobs {
        workbench.permission.refuse(&planned.job).map_err(Failure::input)?;
    }
    submission.refuse_outdated(&jobs, workbench).map_err(Failure::input)?;
    let shard = ShardAtWork::of_submission(&submission, arguments.shard, jobs);
    let shard = shard.map_err(Failure::work)?;
    let told = format!(
        "{}, shard {} of {}",
        submission.name(),
        arguments.shard,
        submission.shards().len()
    );
    at(shard, &told, &config, workbench, arguments.quiet, out)
}

/// Runs what is missing of a shard. It is a success if each of its jobs has its row then, whatever it
/// says.
pub(super) fn at(
    shard: ShardAtWork,
    told: &str,
    config: &Config,
    workbench: &Workbench,
    quiet: bool,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let (done, missing) = (shard.done(), shard.missing().len());
    writeln!(out, "{told}: {} to run, {done} have their rows already", counted(missing, "job"))?;
    out.flush()?;
    let cancel = interrupt::run_begins();
    let environment =
        Environment::here(provenance::here(), workbench, config.arms(), config.parallel);
    let cluster = ClusterTask::of(|name| env::var(name).ok());
    let workers = workers(config, workbench, out)?;
    let mut progress = Progress::new(shard.missing(), shard.known(), quiet);
    let summary = shard.run(environment, cluster, &workers, cancel, |row| progress.row(row));
    progress.finish();
    let summary = summary.map_err(Failure::work)?;
    if summary.cancelled {
        writeln!(out, "stopped; {} were added and are kept", counted(summary.added, "row"))?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if summary.unsettled > 0 {
        return Err(Failure::Work(format!(
            "{} without an answer: somebody else, perhaps the kernel for want of memory, killed their \
             processes each time",
            counted(summary.unsettled, "job")
        )));
    }
    writeln!(out, "{} added: the shard is done", counted(summary.added, "row"))?;
    Ok(ExitCode::SUCCESS)
}
