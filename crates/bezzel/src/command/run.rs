//! `bezzel run`: from a config to its report; or a part of the jobs, a sample of a record, or one of its jobs.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::calibration::noise;
use bezzel_experiment::experiment::{Experiment, PlannedExperiment, RecordedJobs, note_of_threads};
use bezzel_experiment::plan::PlanSummary;
use bezzel_experiment::runner::{RunSummary, WantedJobs, WorkerProcesses};
use bezzel_experiment::shard::Shard;
use bezzel_experiment::{Environment, ExperimentRecord, Job, Row, Termination, store};
use bezzel_process::cores;
use bezzel_report::machines::MachineKind;
use bezzel_report::{Paths, at_limits, ranking_warnings};
use serde::Serialize;

use super::common::{self, counted, print_faults, print_json};
use super::{permission, report, submit};
use crate::Workbench;
use crate::arguments::RunArguments;
use crate::failure::{CommandResult, Failure, cannot, harmless, shown};
use crate::interrupt::{self, INTERRUPTED};
use crate::phase::{self, Phase};
use crate::progress::Progress;
use crate::provenance;
use crate::terminal;
use crate::ticker::Planning;

mod repeat;

/// The table at the end of a run fits a terminal with this many columns.
const TABLE_WIDTH: usize = 80;

/// This very program, even if its file is replaced by a newer build in the meantime.
const PROGRAM: &str = "/proc/self/exe";

pub(crate) fn run(
    arguments: &RunArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    if let Some(minutes) = arguments.sample {
        return repeat::sample(arguments, minutes, catalog, out);
    }
    if let Some(key) = &arguments.only {
        return repeat::only(arguments, key, catalog, out);
    }
    if let Some(tasks) = arguments.cluster.tasks {
        return submit::run(arguments, tasks, catalog, out);
    }
    if let Some(number) = arguments.shard {
        return shard(arguments, number, catalog, out);
    }
    let planned = planned(arguments, arguments.name.as_deref(), catalog)?;
    if arguments.plan {
        return plan(arguments, &planned, out);
    }
    whole(planned, arguments, None, catalog, out)
}

/// A command that chooses jobs of a config while they run.
pub(crate) trait JobChooser: Sync {
    /// The place of a job in the order of the runs; none if it is not run.
    fn turn(&self, job: &Job) -> Option<(bool, usize)>;
    /// True if a job whose turn has come is run.
    fn wants(&self, job: &Job) -> bool;
    /// Takes a row of a job, recorded or new.
    fn take(&self, row: &Row);
}

/// Runs the missing jobs of a config, or those that `chooser` wants, and renders the report.
pub(crate) fn whole(
    planned: PlannedExperiment,
    arguments: &RunArguments,
    chooser: Option<&dyn JobChooser>,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let folder = planned.folder.clone();
    let catalog = Workbench { catalog: planned.catalog.clone(), ..catalog.clone() };
    try_folder(&report::folder(arguments.root.path(), &planned.config.name))?;
    let here = here(&planned);
    let absent = planned.plan.summary().absent.clone();
    let mut experiment = planned.open(None).map_err(Failure::input)?;
    if let Some(chooser) = chooser {
        let found = experiment.found().by_key.values();
        found.filter(|row| row.is_settled()).for_each(|row| chooser.take(row));
        experiment.arrange(|job| chooser.turn(job));
    }
    warn(other_machine(&here, &experiment), out)?;
    greet(&experiment, out)?;
    warn(absent, out)?;
    let Some(summary) = measure(experiment, &[], chooser, arguments.quiet, out)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    // A chooser has an answer of its own.
    conclude(&folder, summary, arguments, chooser.is_none(), &catalog, out)
}

/// True if the folder of an experiment was given instead of a config.
fn is_record(arguments: &RunArguments) -> bool {
    arguments.config.is_dir() && store::is_experiment(&arguments.config)
}

/// Reads and plans the config, or that of the last session in a folder.
pub(crate) fn planned(
    arguments: &RunArguments,
    name: Option<&str>,
    catalog: &Workbench,
) -> Result<PlannedExperiment, Failure> {
    let root = arguments.root.path();
    let is_of_record = arguments.sample.is_some() || arguments.only.is_some();
    if arguments.programs && !is_of_record && !is_record(arguments) {
        return Err(Failure::Input(
            "--programs: the programs that a config on the command line names need no permission; leave it out".into(),
        ));
    }
    let planning = Planning::new(arguments.quiet);
    let planned = if is_record(arguments) {
        let catalog = catalog.with_permission(permission(arguments.programs));
        PlannedExperiment::of_record(root, &arguments.config, name, &catalog)
    } else {
        let config = common::config_file(root, &arguments.config)?;
        PlannedExperiment::read(root, &config, name, catalog)
    };
    drop(planning);
    let planned = planned.map_err(Failure::input)?;
    common::print_notes(&planned.config);
    report::check(root, &planned, catalog)?;
    Ok(planned)
}

/// A plan with the rows that are there, as JSON.
#[derive(Serialize)]
struct PlanOutput<'a> {
    #[serde(flatten)]
    summary: &'a PlanSummary,
    recorded: RecordedJobs,
    warnings: Vec<String>,
}

pub(crate) fn plan(
    arguments: &RunArguments,
    planned: &PlannedExperiment,
    out: &mut dyn Write,
) -> CommandResult {
    let PlannedExperiment { plan, config, .. } = planned;
    let (sessions, found) = planned.found().map_err(Failure::input)?;
    let recorded = planned.recorded(&found);
    let threads = note_of_threads(&plan.jobs, config.parallel);
    let is_mixed = recorded.new > 0 && recorded.reused > 0;
    let others = if is_mixed { other_than(&here(planned), &sessions.environments()) } else { None };
    let shared = cores::shared((config.parallel as usize).min(recorded.new));
    let notes = threads.into_iter().chain(shared);
    let warnings = notes.chain(ranking_warnings(&plan.jobs)).chain(others).collect::<Vec<_>>();
    if arguments.json {
        print_json(&PlanOutput { summary: plan.summary(), recorded, warnings }, out)?;
    } else {
        writeln!(out, "{}", plan.summary())?;
        if recorded.reused + recorded.no_longer_planned > 0 {
            writeln!(out, "  recorded   {recorded}")?;
        }
        warn(plan.summary().absent.iter().map(ToString::to_string).chain(warnings), out)?;
    }
    // A plan as JSON has nothing after it.
    if let Err(refusal) = planned.refuse(&found) {
        let _ = writeln!(terminal::stderr(), "WARNING: a run would be refused: {refusal}");
    }
    common::warn_of_damage(&sessions.warnings());
    Ok(ExitCode::SUCCESS)
}

/// The kind of this machine, under a config.
fn here(planned: &PlannedExperiment) -> MachineKind {
    MachineKind::of(&Environment::here(provenance::here(), &planned.catalog, [], 1))
}

/// A warning where new rows would be measured on another kind of machine than the rows that are there.
fn other_machine(here: &MachineKind, experiment: &Experiment) -> Option<String> {
    if experiment.missing().is_empty() || experiment.done() == 0 {
        return None;
    }
    other_than(here, &experiment.sessions().environments())
}

/// A warning where some of these sessions ran on another kind of machine.
fn other_than(here: &MachineKind, sessions: &[Environment]) -> Option<String> {
    let other = sessions.iter().map(MachineKind::of).find(|kind| kind != here)?;
    Some(format!(
        "earlier rows were measured on {other}, and this machine is {here}: reports then compare no times of solvers; \
         measure all of it here under another name by --name"
    ))
}

/// Runs a shard of a config. It is a success if each of its jobs has its row then.
fn shard(
    arguments: &RunArguments,
    shard: Shard,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let planned = planned(arguments, arguments.name.as_deref(), catalog)?;
    let experiment = planned.open(Some(shard)).map_err(Failure::input)?;
    common::warn_of_damage(&experiment.sessions().warnings());
    let (done, missing) = (experiment.done(), counted(experiment.missing().len(), "job"));
    let name = experiment.name();
    writeln!(out, "{name}, shard {shard}: {missing} to run, {done} have their rows already")?;
    print_notes(&experiment, out)?;
    let Some(summary) = measure(experiment, &[], None, arguments.quiet, out)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if summary.unsettled > 0 {
        return Err(Failure::Work(unsettled(summary)));
    }
    if summary.skipped > 0 {
        let skipped = counted(summary.skipped, "job");
        return Err(Failure::Work(format!(
            "{skipped} skipped: the solver or engine is not installed on this machine; `bezzel run CONFIG --plan` names it"
        )));
    }
    writeln!(out, "{} added: the shard is done", counted(summary.added, "row"))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the missing jobs, and returns nothing if the run was stopped. The time left is estimated from rows
/// that are there and from those of a record.
fn measure(
    experiment: Experiment,
    record: &[Row],
    chooser: Option<&dyn JobChooser>,
    quiet: bool,
    out: &mut dyn Write,
) -> Result<Option<RunSummary>, Failure> {
    phase::begin(Phase::Measuring);
    let cancel = interrupt::run_begins();
    let found = experiment.found().by_key.values();
    let progress = Progress::new(experiment.missing(), found.chain(record), quiet);
    let workers = progress.workers(WorkerProcesses::new(PROGRAM));
    let observe = |row: &Row| {
        progress.row(row);
        if let Some(chooser) = chooser {
            chooser.take(row);
        }
    };
    let wants = chooser.map(|chooser| move |job: &Job| chooser.wants(job));
    let wants = wants.as_ref().map(|wants| wants as &WantedJobs<'_>);
    let summary = experiment.run(provenance::call(), &workers, cancel, wants, observe);
    progress.finish();
    let summary = summary.map_err(Failure::work)?;
    if summary.cancelled {
        let added = counted(summary.added, "row");
        writeln!(out, "stopped; {added} added and kept: the same command continues")?;
        return Ok(None);
    }
    Ok(Some(summary))
}

/// Renders the report, and prints the warnings of the run and, if wanted, the answer.
fn conclude(
    folder: &Path,
    summary: RunSummary,
    arguments: &RunArguments,
    prints_answer: bool,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Writing);
    let root = arguments.root.path();
    let record = if is_record(arguments) {
        let record = ExperimentRecord::open(folder, catalog).map_err(Failure::work)?;
        report::stated(record, root, None, catalog, out)?
    } else {
        let config = common::config_file(root, &arguments.config)?;
        report::by_config(folder, root, &config, catalog, out)?
    };
    let report = report::render(&record, catalog, root, arguments.quiet).map_err(|failure| {
        let Failure::Input(problem) = failure else { return failure };
        let command = if report::is_found_by_name(root, &record) {
            format!("`bezzel report {}`", record.name)
        } else {
            "the same command".to_owned()
        };
        Failure::Input(format!(
            "{problem}\nthe evidence is kept: correct this file, and {command} writes the report \
             without a new run"
        ))
    })?;
    writeln!(out, "evidence: {}", shown(folder))?;
    if summary.added > 0 {
        print_noise(&record, out)?;
    }
    for ended in at_limits(&record.rows) {
        writeln!(out, "{ended}")?;
    }
    let unmeasured = print_skipped(&record.rows, out)?;
    let failed = print_failed(&record.rows, out)?;
    let faults = print_faults(&record, out);
    if prints_answer {
        print_answer(&report, out)?;
    }
    report::warn_unconfirmed(&record.name, &report, out)?;
    writeln!(out, "report: {}", shown(&report.index))?;
    let unsettled = (summary.unsettled > 0).then(|| unsettled(summary));
    let problems: Vec<String> = unsettled.into_iter().chain(unmeasured).chain(failed).collect();
    if problems.is_empty() {
        return faults;
    }
    let problems = problems.join("\n");
    match faults {
        Ok(_) => Err(Failure::Work(problems)),
        Err(faults) => {
            writeln!(out, "{problems}")?;
            Err(faults)
        }
    }
}

/// Prints the author's answer, or else the computed one, and its evidence. An answer without a table is followed by the
/// main table.
fn print_answer(report: &Paths, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(answer) = &report.answer {
        writeln!(out, "\n{}", answer.plain(TABLE_WIDTH))?;
    } else {
        writeln!(out, "\n{}", report.computed.plain(TABLE_WIDTH))?;
        if let (None, Some(table)) = (&report.computed.table, &report.main) {
            writeln!(out, "{}", table.plain(TABLE_WIDTH))?;
        }
    }
    writeln!(out, "{}\n", report.trust.wrapped(TABLE_WIDTH))?;
    Ok(())
}

fn unsettled(summary: RunSummary) -> String {
    format!(
        "{} without an answer: their processes were killed from outside each time, perhaps by the kernel \
         for want of memory; the same command tries again",
        counted(summary.unsettled, "job")
    )
}

/// Prints the noise of the machine in the session that has just ended.
fn print_noise(record: &ExperimentRecord, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(noise) = noise(&record.readings).last() {
        let warning = if noise.is_too_high() || !noise.same_effort { "WARNING: " } else { "" };
        writeln!(out, "{warning}noise of the machine: {noise}")?;
    }
    Ok(())
}

/// Prints the number of jobs that are there already and that are missing.
fn greet(experiment: &Experiment, out: &mut dyn Write) -> Result<(), Failure> {
    let name = experiment.name();
    let (done, missing) = (experiment.done(), experiment.missing().len());
    match (done, missing) {
        (_, 0) => writeln!(out, "{name}: every job has its row, {done} in all")?,
        (0, _) => writeln!(out, "{name}: {} to run", counted(missing, "job"))?,
        _ => {
            let missing = counted(missing, "job");
            writeln!(out, "{name}: {missing} to run; {done} have their rows already")?;
        }
    }
    warn(experiment.sessions().warnings(), out)?;
    print_notes(experiment, out)
}

fn print_notes(experiment: &Experiment, out: &mut dyn Write) -> Result<(), Failure> {
    for note in experiment.notes() {
        writeln!(out, "{note}")?;
    }
    out.flush()?;
    Ok(())
}

/// Makes a folder to see that it can be made, and leaves none behind that is empty.
fn try_folder(folder: &Path) -> Result<(), Failure> {
    bezzel_report::make_folder(folder).map_err(cannot("make the folder", folder))?;
    // This removes only empty folders.
    for folder in folder.ancestors().take(2) {
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// Prints warnings, one line each.
fn warn(
    warnings: impl IntoIterator<Item: std::fmt::Display>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for warning in warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    Ok(())
}

/// Names the solvers and engines that are not installed. Their jobs were skipped. Returns a problem if nothing of one of
/// them is measured.
fn print_skipped(rows: &[Row], out: &mut dyn Write) -> Result<Option<String>, Failure> {
    let mut skipped: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.termination == Termination::Skipped) {
        let note = row.note.as_deref().unwrap_or_default();
        skipped.entry(&row.job.solver).or_insert((0, note)).0 += 1;
    }
    for (solver, (jobs, note)) in &skipped {
        writeln!(out, "skipped: {} of {solver}: {note}", counted(*jobs, "job"))?;
    }
    let is_measured = |row: &Row| row.termination != Termination::Skipped;
    for row in rows.iter().filter(|row| is_measured(row)) {
        skipped.remove(&*row.job.solver);
    }
    let names: Vec<&str> = skipped.into_keys().collect();
    Ok((!names.is_empty()).then(|| {
        format!(
            "nothing of {} is measured: install what is missing, or remove it from the config",
            names.join(", ")
        )
    }))
}

/// Names the solvers, engines and encoders with jobs that failed, each with the reason of its first one. Returns a problem
/// if there are some.
fn print_failed(rows: &[Row], out: &mut dyn Write) -> Result<Option<String>, Failure> {
    let mut failed: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.termination == Termination::Crashed) {
        let note = row.note.as_deref().unwrap_or("no reason is known");
        failed.entry((&row.job.solver, &row.job.encoding)).or_insert((0, note)).0 += 1;
    }
    for ((solver, encoding), (jobs, note)) in &failed {
        let jobs = counted(*jobs, "job");
        writeln!(out, "failed: {jobs} of {solver} with {encoding}: {}", harmless(note))?;
    }
    let all: usize = failed.values().map(|(jobs, _)| jobs).sum();
    Ok((all > 0).then(|| {
        format!(
            "{} failed; `bezzel report NAME --rows` has the reason of each in `note`",
            counted(all, "job")
        )
    }))
}
