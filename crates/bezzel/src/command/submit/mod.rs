//! `bezzel submit`: submits the missing jobs of an experiment to a cluster.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_cluster::{ArrayTask, JobArray, JobNames, Slurm, SlurmError, SubmittedJobs, TaskState};
use bezzel_encode::format::shell_word;
use bezzel_experiment::config::Config;
use bezzel_experiment::evidence::RecordError;
use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::plan::Plan;
use bezzel_experiment::quantity::{duration, memory};
use bezzel_experiment::shard::{Cut, cut, rounds_left};
use bezzel_experiment::status::{self, ExperimentStatus, ShardsUnderWay, Status};
use bezzel_experiment::store::{SHARDS, frozen_config};
use bezzel_experiment::submission::{self, NewSubmission, Submission};
use bezzel_experiment::{Catalog, Experiment, Permission, PlannedExperiment};

mod sizing;

use super::common::{self, counted};
use super::{merge, report};
use crate::arguments::SubmitArguments;
use crate::failure::{CommandResult, Failure};

pub(crate) fn run(
    arguments: &SubmitArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let root = std::path::absolute(arguments.root.path().join(".")).map_err(Failure::input)?;
    let config = common::config_file(&root, &arguments.config)?;
    let planned = PlannedExperiment::read(&root, &config, arguments.name.as_deref(), catalog)
        .map_err(Failure::input)?;
    common::print_notes(&planned.config);
    report::check(&root, &planned.config)?;
    planned.refuse().map_err(Failure::input)?;
    let folder = planned.folder.clone();
    if !arguments.dry_run {
        merge::if_cut(&folder, out)?;
        planned.begin().map_err(Failure::input)?;
    }
    let PlannedExperiment { plan, catalog, config, .. } = planned;
    let slurm = Slurm::here();
    let mut held = Vec::new();
    let experiment_status = status::read_for_plan(&folder, plan, config.parallel, |submission| {
        running_shards(&slurm, submission, &mut held)
    });
    let experiment_status = experiment_status.map_err(|NoStatus(reason)| Failure::Work(reason))?;
    print_status_summary(&config.name, &experiment_status.status, out)?;
    common::warn_of_unlisted(&experiment_status.unlisted, out)?;
    print_held_tasks(&held, out)?;
    if experiment_status.missing.is_empty() {
        let rest = if under_way_jobs(&experiment_status.status) > 0 {
            ": the rest is under way"
        } else {
            ""
        };
        writeln!(out, "nothing is missing{rest}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let max = match slurm.max_array_size() {
        Ok(max) => max,
        Err(_) if arguments.dry_run => sizing::ARRAY_SIZE,
        Err(error) => return Err(Failure::work(error)),
    };
    let parts = sizing::parts(arguments, &config, &experiment_status, max)?;
    let work = ShardedJobs::cut(arguments, &config, &root, experiment_status, parts)?;
    if arguments.dry_run {
        work.show(out)?;
    } else {
        work.submit(&slurm, &folder, &catalog.permission, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_status_summary(name: &str, status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{name}: {}, {} done, {} under way, {} to submit",
        counted(status.planned, "job"),
        status.done,
        under_way_jobs(status),
        status.missing
    )?;
    Ok(())
}

/// The number of jobs that run or wait.
fn under_way_jobs(status: &Status) -> usize {
    status.running + status.waiting
}

/// The jobs of a submission.
struct ShardedJobs {
    jobs: Vec<PlannedJob>,
    cut: Cut,
    /// The scripts, without the values that a submission adds.
    array: JobArray,
    /// The sizes of the tasks, in words.
    sizes: String,
}

impl ShardedJobs {
    /// Cuts the missing jobs into `parts` parts.
    fn cut(
        arguments: &SubmitArguments,
        config: &Config,
        root: &Path,
        experiment_status: ExperimentStatus,
        parts: usize,
    ) -> Result<Self, Failure> {
        let ExperimentStatus { plan, missing, expected, .. } = experiment_status;
        let (threads, planned) = (plan.summary().threads, plan.jobs.len());
        let rounds = rounds_left(plan.rounds(), &missing);
        let jobs = taken(plan, &missing);
        let weights: Vec<f64> = jobs.iter().map(|job| expected.seconds(job)).collect();
        let cut = cut(&weights, &rounds, parts);
        let heaviest = cut.weights.iter().copied().fold(0.0, f64::max);
        let each = duration((heaviest / f64::from(config.parallel)).ceil());
        let is_guess = jobs.iter().any(|job| expected.measured_s(job).is_none());
        let guess = if is_guess { ", part of which is a guess" } else { "" };
        let minutes = || sizing::minutes(&jobs, &cut, config.parallel);
        let array = JobArray {
            name: config.name.clone(),
            token: "TOKEN".into(),
            shards: parts as u32,
            max_running: arguments.max_running,
            cpus: config.parallel * threads,
            memory_bytes: sizing::memory_of_task(config),
            minutes: arguments.time.unwrap_or_else(minutes),
            merge_memory_bytes: sizing::memory_of_merge(planned),
            merge_minutes: sizing::MERGE_MINUTES,
            programs: jobs.iter().any(|planned| Permission::none().refuse(&planned.job).is_err()),
            partition: arguments.partition.clone(),
            account: arguments.account.clone(),
            whole_nodes: arguments.whole_nodes,
            program: std::env::current_exe().map_err(Failure::work)?,
            submission: Experiment::folder(root, &config.name).join(SHARDS).join("NNNN"),
            root: root.to_owned(),
            directory: std::env::current_dir().map_err(Failure::work)?,
        };
        let sizes = format!("{} of {each} or less by expectation{guess}", counted(parts, "task"));
        Ok(Self { jobs, cut, array, sizes })
    }

    /// Prints the scripts, with placeholders for the values that a submission adds.
    fn show(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let script = self.array.script().map_err(Failure::input)?;
        let merge = self.array.merge_script().map_err(Failure::input)?;
        writeln!(
            out,
            "{}; NNNN and TOKEN stand for what a submission has\n\n{script}\n\n{merge}",
            self.sizes
        )?;
        Ok(())
    }

    fn submit(
        self,
        slurm: &Slurm,
        folder: &Path,
        permission: &Permission,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Self { jobs, cut, array, sizes } = self;
        let config = frozen(folder)?;
        let (name, config) = (&array.name, &config);
        let request = NewSubmission { name, config, jobs: &jobs, permission, cut: &cut };
        let submission = submission::freeze(folder, &request).map_err(Failure::work)?;
        let token = submission.token().to_owned();
        let array = JobArray { token, submission: submission.folder().to_owned(), ..array };
        let forget = || drop(fs::remove_dir_all(submission.folder()));
        let (tasks, merge) = scripts(&array).inspect_err(|_| forget())?;
        let submitted = slurm.submit(&array, &tasks, &merge).map_err(|error| {
            // A task may have begun, even if it was cancelled again. Its rows are kept.
            if is_refused(&error) {
                forget();
            }
            Failure::work(error)
        })?;
        let SubmittedJobs { array: tasks, merge } = submitted;
        let name = shell_word(&array.name);
        let root = shell_word(&array.root.display().to_string());
        writeln!(
            out,
            "submitted: job {tasks} of {sizes}, then job {merge} merges and reports\n\
             scripts:   {}\n\
             memory:    {} for each task\n\
             to watch:  bezzel status {name} --root {root}\n\
             by hand:   bezzel merge {name} --root {root} --report, at any time\n\
             to cancel: scancel {tasks} {merge}",
            submission.folder().display(),
            memory(array.memory_bytes.into()),
        )?;
        Ok(())
    }
}

/// True if certainly no task has begun.
fn is_refused(error: &SlurmError) -> bool {
    match error {
        SlurmError::Missing { .. } | SlurmError::Start(_) => true,
        SlurmError::NotSubmitted { what: "the array", reason } => {
            matches!(**reason, SlurmError::Refused { .. })
        }
        _ => false,
    }
}

/// The reason why a batch system or an experiment has no status.
struct NoStatus(String);

impl From<RecordError> for NoStatus {
    fn from(error: RecordError) -> Self {
        Self(error.to_string())
    }
}

fn running_shards(
    slurm: &Slurm,
    submission: &Submission,
    held: &mut Vec<ArrayTask>,
) -> Result<ShardsUnderWay, NoStatus> {
    under_way(slurm, submission, held).map_err(|error| {
        NoStatus(format!(
            "{error}; so it is unknown which shards of `{}` are under way, and they might be \
             submitted twice",
            submission.folder().display()
        ))
    })
}

/// The shards of a submission that run or wait, according to Slurm. Tasks that wait until they are released are added
/// to `held`.
pub(super) fn under_way(
    slurm: &Slurm,
    submission: &Submission,
    held: &mut Vec<ArrayTask>,
) -> Result<ShardsUnderWay, SlurmError> {
    let names = JobNames::of(submission.name(), submission.token());
    let max = submission.shards().len() as u32;
    let mut tasks = slurm.under_way(&names)?;
    tasks.retain(|task| (1..=max).contains(&task.shard));
    held.extend(tasks.iter().filter(|task| task.state == TaskState::Held).cloned());
    let mut shards = ShardsUnderWay::new();
    for task in tasks {
        *shards.entry(task.shard).or_default() |= task.state == TaskState::Running;
    }
    Ok(shards)
}

/// Prints the tasks that wait until they are released, and the command that releases them.
pub(super) fn print_held_tasks(held: &[ArrayTask], out: &mut dyn Write) -> Result<(), Failure> {
    let jobs: BTreeSet<u64> = held.iter().map(|task| task.job).collect();
    for job in jobs {
        let tasks = counted(held.iter().filter(|task| task.job == job).count(), "task");
        writeln!(
            out,
            "WARNING: Slurm holds {tasks} of job {job} back: `scontrol release {job}`, or `scancel {job}` \
             and submit again"
        )?;
    }
    Ok(())
}

/// The jobs at these places of the plan.
fn taken(plan: Plan, places: &[usize]) -> Vec<PlannedJob> {
    let mut wanted = places.iter().copied().peekable();
    let numbered = plan.jobs.into_iter().enumerate();
    numbered
        .filter(|(place, _)| wanted.next_if_eq(place).is_some())
        .map(|(_, planned)| planned)
        .collect()
}

/// The frozen config, which tasks read.
fn frozen(folder: &Path) -> Result<String, Failure> {
    let frozen = frozen_config(folder).map_err(Failure::work)?;
    frozen.ok_or_else(|| Failure::Work("the config was taken away meanwhile".into()))
}

/// Writes the scripts beside the manifest, and makes the folder for logs.
fn scripts(array: &JobArray) -> Result<(PathBuf, PathBuf), Failure> {
    let folder = &array.submission;
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map(|()| path)
    };
    fs::create_dir(folder.join("log")).map_err(Failure::work)?;
    let tasks = write("array.sh", array.script().map_err(Failure::input)?);
    let merge = write("merge.sh", array.merge_script().map_err(Failure::input)?);
    Ok((tasks.map_err(Failure::work)?, merge.map_err(Failure::work)?))
}
