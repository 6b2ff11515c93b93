//! Jobs of a record that are run again: a sample, which is compared with the record, or one job.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use bezzel_experiment::experiment::{Experiment, RepeatedJob, Sample};
use bezzel_experiment::quantity::{grouped, time};
use bezzel_experiment::runner::WorkerProcesses;
use bezzel_experiment::{Catalog, Row, StoredResults, Termination, Verdict};
use bezzel_report::RecordComparison;

use super::{PROGRAM, measure, planned, print_notes};
use crate::Workbench;
use crate::arguments::RunArguments;
use crate::command::common::counted;
use crate::command::{permission, report};
use crate::failure::{CommandResult, Failure};
use crate::interrupt::{self, INTERRUPTED};

/// Runs a sample of a record again, and compares.
pub(super) fn sample(
    arguments: &RunArguments,
    minutes: f64,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let root = arguments.root.path();
    let (folder, catalog) = recorded(arguments, catalog)?;
    let sample = Sample::draw(&folder, 60.0 * minutes, arguments.seed, catalog);
    let sample = sample.map_err(Failure::input)?;
    let record = &sample.record;
    let name = arguments.name.clone().unwrap_or_else(|| format!("{}-reproduced", record.name));
    let experiment = sample.open(root, &name).map_err(Failure::input)?;
    greet_sample(&sample, &experiment, out)?;
    if measure(experiment, &record.rows, None, arguments.quiet, out)?.is_none() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let again = StoredResults::open(&Experiment::folder(root, &name));
    let again = again.map_err(Failure::work)?;
    let comparison = RecordComparison::new(record, &again);
    writeln!(out, "full comparison: bezzel report {} --against {name}", record.name)?;
    writeln!(out, "{}{}", comparison.conclusion(), partial(&sample))?;
    Ok(ExitCode::from(u8::from(!comparison.is_reproduction())))
}

/// The folder of the record that a config or a name means, and the catalog with the permission of its programs.
fn recorded(arguments: &RunArguments, catalog: &Workbench) -> Result<(PathBuf, Catalog), Failure> {
    let (folder, catalog) = if arguments.config.is_file() {
        let planned = planned(arguments, None, catalog)?;
        let (_, found) = planned.found().map_err(Failure::input)?;
        planned.refuse(&found).map_err(Failure::input)?;
        (planned.folder, planned.catalog)
    } else {
        (report::find(arguments.root.path(), &arguments.config, catalog)?, catalog.catalog.clone())
    };
    let all = arguments.programs.then(|| catalog.with_permission(permission(true)));
    Ok((folder, all.unwrap_or(catalog)))
}

/// Runs one job of a record again, and prints its row. Nothing is stored.
pub(super) fn only(
    arguments: &RunArguments,
    key: &str,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let (folder, catalog) = recorded(arguments, catalog)?;
    let job = RepeatedJob::find(&folder, key, &catalog).map_err(Failure::input)?;
    if !arguments.json {
        writeln!(out, "{}", job.recorded.job.words())?;
        print_answer("recorded", &job.recorded, out)?;
    }
    let cancel = interrupt::run_begins();
    let Some(row) = job.run(&WorkerProcesses::new(PROGRAM), cancel).map_err(Failure::work)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&row).map_err(Failure::work)?)?;
    } else {
        print_answer("now", &row, out)?;
    }
    let has_failed = row.verdict == Verdict::Wrong
        || matches!(
            row.termination,
            Termination::Crashed | Termination::HostError | Termination::Skipped
        );
    Ok(ExitCode::from(u8::from(has_failed)))
}

/// Prints the status of a row, its CPU time and its conflicts.
fn print_answer(when: &str, row: &Row, out: &mut dyn Write) -> Result<(), Failure> {
    let Row { status, verdict, cpu_s, solver_stats, .. } = row;
    let conflicts =
        solver_stats.conflicts.map(|count| format!(", {} conflicts", grouped(count.into())));
    let (verdict, conflicts) = (verdict.id(), conflicts.unwrap_or_default());
    writeln!(out, "{when:<8}  {status}, {verdict}; {} of CPU time{conflicts}", time(*cpu_s))?;
    Ok(out.flush()?)
}

/// Prints the size of a sample and the jobs that are left out.
fn greet_sample(
    sample: &Sample,
    experiment: &Experiment,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Sample { record, drawn, .. } = sample;
    let time = if drawn.seconds < 120.0 {
        format!("{:.1} s", drawn.seconds)
    } else {
        format!("{:.0} min", drawn.seconds / 60.0)
    };
    let (name, jobs) = (&record.name, drawn.jobs.len());
    let of = drawn.of;
    writeln!(out, "{name}: {jobs} of {of} jobs drawn, which took {time} when they were recorded")?;
    if experiment.done() > 0 {
        writeln!(out, "{} of them were run again already", experiment.done())?;
    }
    let left_out = [
        (drawn.unanswered, "without an answer that could be found again"),
        (drawn.unable, "of solvers, engines or encodings that are not run here"),
    ];
    for (number, why) in left_out.iter().filter(|(number, _)| *number > 0) {
        writeln!(out, "left out: {} {why}", counted(*number, "job"))?;
    }
    super::warn(record.sessions.warnings(), out)?;
    print_notes(experiment, out)
}

/// The end of the conclusion where not all jobs of the record were run again.
fn partial(sample: &Sample) -> String {
    let Sample { record, drawn, .. } = sample;
    let unable = match drawn.unable {
        0 => String::new(),
        unable => format!(", {unable} of them since they cannot be run here or name programs"),
    };
    let jobs = record.rows.len();
    match jobs.saturating_sub(drawn.jobs.len()) {
        0 => String::new(),
        left_out => format!("; partial: {left_out} of {jobs} jobs were not run again{unable}"),
    }
}
