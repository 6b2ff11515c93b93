//! `bezzel submit`: what is missing of an experiment, given to a cluster.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_cluster::{Array, JobNames, Slurm, SlurmError, State, Submitted, Task};
use bezzel_encode::format::shell_word;
use bezzel_lab::config::Config;
use bezzel_lab::evidence::RecordError;
use bezzel_lab::job::Planned;
use bezzel_lab::plan::Plan;
use bezzel_lab::quantity::{duration, memory};
use bezzel_lab::shard::{Cut, cut, rounds_left};
use bezzel_lab::status::{self, Status, Stock};
use bezzel_lab::store::{SHARDS, frozen_config};
use bezzel_lab::submission::{self, Request, Submission};
use bezzel_lab::{Experiment, Permission, PlannedExperiment, Workbench};

mod sizing;

use super::common::{self, counted};
use super::{merge, report};
use crate::arguments::SubmitArguments;
use crate::failure::{Done, Failure};

pub(crate) fn run(arguments: &SubmitArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let root = std::path::absolute(arguments.root.path().join(".")).map_err(Failure::input)?;
    let config = common::config_file(&root, &arguments.config)?;
    let planned = PlannedExperiment::read(&root, &config, arguments.name.as_deref(), workbench)
        .map_err(Failure::input)?;
    report::check(&root, &planned.config)?;
    planned.refuse().map_err(Failure::input)?;
    let folder = planned.folder.clone();
    if !arguments.dry_run {
        merge::if_cut(&folder, out)?;
        planned.begin().map_err(Failure::input)?;
    }
    let PlannedExperiment { plan, workbench, config, .. } = planned;
    let slurm = Slurm::here();
    let mut held = Vec::new();
    let stock = status::take_of(&folder, plan, |submission| asked(&slurm, submission, &mut held));
    let stock = stock.map_err(|Unasked(reason)| Failure::Work(reason))?;
    tell_stock(&config.name, &stock.status, out)?;
    common::warn_of_unlisted(&stock.unlisted, out)?;
    tell_held(&held, out)?;
    if stock.missing.is_empty() {
        let rest = if stock.status.running > 0 { ": the rest is under way" } else { "" };
        writeln!(out, "nothing is missing{rest}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let most = match slurm.max_array_size() {
        Ok(most) => most,
        Err(_) if arguments.dry_run => sizing::ARRAY_SIZE,
        Err(error) => return Err(Failure::work(error)),
    };
    let parts = sizing::parts(arguments, &config, &stock, most)?;
    let work = Work::cut(arguments, &config, &root, stock, parts)?;
    if arguments.dry_run {
        work.show(out)?;
    } else {
        work.submit(&slurm, &folder, &workbench.permission, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn tell_stock(name: &str, status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{name}: {}, {} done, {} under way, {} to submit",
        counted(status.planned, "job"),
        status.done,
        status.running,
        status.missing
    )?;
    Ok(())
}

/// What is to be submitted.
struct Work {
    jobs: Vec<Planned>,
    cut: Cut,
    /// Its scripts, but for what a submission adds.
    array: Array,
    /// How large its tasks are, in words.
    told: String,
}

impl Work {
    /// Cuts the missing jobs into so many parts.
    fn cut(
        arguments: &SubmitArguments,
        config: &Config,
        root: &Path,
        stock: Stock,
        parts: usize,
    ) -> Result<Self, Failure> {
        let Stock { plan, missing, expected, .. } = stock;
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
        let array = Array {
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
        let told = format!("{} of {each} or less by expectation{guess}", counted(parts, "task"));
        Ok(Self { jobs, cut, array, told })
    }

    /// Prints the scripts, with words for what a submission would add.
    fn show(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let script = self.array.script().map_err(Failure::input)?;
        let merge = self.array.merge_script().map_err(Failure::input)?;
        writeln!(
            out,
            "{}; NNNN and TOKEN stand for what a submission has\n\n{script}\n\n{merge}",
            self.told
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
        let Self { jobs, cut, array, told } = self;
        let config = frozen(folder)?;
        let (name, config) = (&array.name, &config);
        let request = Request { name, config, jobs: &jobs, permission, cut: &cut };
        let submission = submission::freeze(folder, &request).map_err(Failure::work)?;
        let token = submission.token().to_owned();
        let array = Array { token, submission: submission.folder().to_owned(), ..array };
        let forget = || drop(fs::remove_dir_all(submission.folder()));
        let (tasks, merge) = scripts(&array).inspect_err(|_| forget())?;
        let submitted = slurm.submit(&array, &tasks, &merge).map_err(|error| {
            // A task may have begun, even if it was cancelled again: what it has found stays.
            if is_refused(&error) {
                forget();
            }
            Failure::work(error)
        })?;
        let Submitted { array: tasks, merge } = submitted;
        let name = shell_word(&array.name);
        let root = shell_word(&array.root.display().to_string());
        writeln!(
            out,
            "submitted: job {tasks} of {told}, then job {merge} merges and reports\n\
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

/// Whether surely no task has begun.
fn is_refused(error: &SlurmError) -> bool {
    match error {
        SlurmError::Missing { .. } | SlurmError::Start(_) => true,
        SlurmError::NotSubmitted { what: "the array", reason } => {
            matches!(**reason, SlurmError::Refused { .. })
        }
        _ => false,
    }
}

/// Why a batch system could not be asked, or stock not be taken.
struct Unasked(String);

impl From<RecordError> for Unasked {
    fn from(error: RecordError) -> Self {
        Self(error.to_string())
    }
}

fn asked(
    slurm: &Slurm,
    submission: &Submission,
    held: &mut Vec<Task>,
) -> Result<BTreeSet<u32>, Unasked> {
    under_way(slurm, submission, held).map_err(|error| {
        Unasked(format!(
            "{error}; so nobody knows what of `{}` is under way, and it might be submitted twice",
            submission.folder().display()
        ))
    })
}

/// The shards of a submission that wait or run, as Slurm says. Tasks that wait until somebody releases
/// them are added to `held`.
pub(super) fn under_way(
    slurm: &Slurm,
    submission: &Submission,
    held: &mut Vec<Task>,
) -> Result<BTreeSet<u32>, SlurmError> {
    let names = JobNames::of(submission.name(), submission.token());
    let most = submission.shards().len() as u32;
    let mut tasks = slurm.under_way(&names)?;
    tasks.retain(|task| (1..=most).contains(&task.shard));
    held.extend(tasks.iter().filter(|task| task.state == State::Held).cloned());
    Ok(tasks.into_iter().map(|task| task.shard).collect())
}

/// Says what waits for somebody to release it, and how to.
pub(super) fn tell_held(held: &[Task], out: &mut dyn Write) -> Result<(), Failure> {
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
fn taken(plan: Plan, places: &[usize]) -> Vec<Planned> {
    let mut wanted = places.iter().copied().peekable();
    let numbered = plan.jobs.into_iter().enumerate();
    numbered
        .filter(|(place, _)| wanted.next_if_eq(place).is_some())
        .map(|(_, planned)| planned)
        .collect()
}

/// The config that is frozen, which is what tasks read.
fn frozen(folder: &Path) -> Result<String, Failure> {
    let frozen = frozen_config(folder).map_err(Failure::work)?;
    frozen.ok_or_else(|| Failure::Work("the config was taken away meanwhile".into()))
}

/// Writes the scripts beside the manifest, and makes the folder for logs.
fn scripts(array: &Array) -> Result<(PathBuf, PathBuf), Failure> {
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
