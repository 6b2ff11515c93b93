//! `bezzel status`: the done, running, waiting and missing jobs of an experiment.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use bezzel_cluster::Slurm;
use bezzel_experiment::Catalog;
use bezzel_experiment::evidence::RecordError;
use bezzel_experiment::status::{self, ExperimentStatus, ShardsUnderWay, Status};
use bezzel_experiment::submission::Submission;

use super::common::{self, counted, print_json};
use super::report;
use super::submit::{print_held_tasks, under_way};
use crate::arguments::StatusArguments;
use crate::failure::{CommandResult, Failure};
use crate::terminal;
use bezzel_experiment::quantity::duration;

pub(crate) fn run(
    arguments: &StatusArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    let (slurm, mut held, mut unasked) = (Slurm::here(), Vec::new(), None);
    let experiment_status =
        status::read(&folder, catalog, |submission| -> Result<_, RecordError> {
            if unasked.is_some() {
                return at_work(submission);
            }
            under_way(&slurm, submission, &mut held).or_else(|error| {
                unasked.get_or_insert(error.to_string());
                at_work(submission)
            })
        });
    let ExperimentStatus { status, unlisted, .. } = experiment_status.map_err(Failure::input)?;
    if arguments.json {
        let output =
            StatusOutput { status: &status, held: held.len(), unasked: unasked.as_deref() };
        print_json(&output, out)?;
        common::warn_of_unlisted(&unlisted, &mut terminal::stderr())?;
        return Ok(ExitCode::SUCCESS);
    }
    print_status(&status, out)?;
    common::warn_of_unlisted(&unlisted, out)?;
    print_held_tasks(&held, out)?;
    if let Some(error) = unasked {
        writeln!(
            out,
            "Slurm does not report which tasks wait or run, so the locks of attempts \
                       were read: {error}"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The status as JSON.
#[derive(Serialize)]
struct StatusOutput<'a> {
    #[serde(flatten)]
    status: &'a Status,
    /// Tasks that Slurm holds until they are released.
    held: usize,
    /// The error of Slurm, if it gave no status.
    unasked: Option<&'a str>,
}

/// The shards with an attempt that holds its lock.
fn at_work(submission: &Submission) -> Result<ShardsUnderWay, RecordError> {
    let attempts = submission.attempts()?;
    let held = attempts.iter().filter(|files| files.holder().is_some());
    Ok(held.map(|files| (files.attempt.shard(), true)).collect())
}

fn print_status(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let Status {
        name,
        planned,
        done,
        failed,
        running,
        waiting,
        missing,
        killed,
        unmerged,
        expected_s,
        guessed,
        unlisted: _,
    } = status;
    writeln!(out, "{name}: {} planned", counted(*planned, "job"))?;
    let mut line =
        |what: &str, number: usize, more: String| writeln!(out, "  {what:<8} {number:>9}{more}");
    let of = |number: &usize, what: &str| match number {
        0 => String::new(),
        _ => format!("   {number} {what}"),
    };
    line("done", *done, of(unmerged, "of them not merged yet: `bezzel merge`"))?;
    line("failed", *failed, if *failed > 0 { "   of those done".into() } else { String::new() })?;
    line("running", *running, String::new())?;
    line("waiting", *waiting, String::new())?;
    line("missing", *missing, of(killed, "killed from outside before they answered"))?;
    if done < planned {
        let left = duration(expected_s.ceil());
        let rests = match (guessed, planned - done) {
            (0, _) => String::new(),
            (guessed, left) if *guessed == left => ", a guess: no similar job was measured".into(),
            (guessed, _) => {
                format!(", a guess for {guessed}: no similar jobs were measured")
            }
        };
        writeln!(out, "  estimated remaining time: {left}, one job after the other{rests}")?;
    }
    Ok(())
}
