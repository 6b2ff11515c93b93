//! `bezzel status`: what of an experiment is done, at work, and missing.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use bezzel_cluster::Slurm;
use bezzel_lab::Workbench;
use bezzel_lab::evidence::RecordError;
use bezzel_lab::status::{self, Status, Stock};
use bezzel_lab::submission::Submission;

use super::common::{self, counted, print_json};
use super::report;
use super::submit::{tell_held, under_way};
use crate::arguments::StatusArguments;
use crate::failure::{Done, Failure};
use bezzel_lab::quantity::duration;

pub(crate) fn run(arguments: &StatusArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    let (slurm, mut held, mut unasked) = (Slurm::here(), Vec::new(), None);
    let stock = status::take(&folder, workbench, |submission| -> Result<_, RecordError> {
        if unasked.is_some() {
            return at_work(submission);
        }
        under_way(&slurm, submission, &mut held).or_else(|error| {
            unasked.get_or_insert(error.to_string());
            at_work(submission)
        })
    });
    let Stock { status, unlisted, .. } = stock.map_err(Failure::input)?;
    if arguments.json {
        let told = Told { status: &status, held: held.len(), unasked: unasked.as_deref() };
        print_json(&told, out)?;
        common::warn_of_unlisted(&unlisted, &mut io::stderr())?;
        return Ok(ExitCode::SUCCESS);
    }
    tell(&status, out)?;
    common::warn_of_unlisted(&unlisted, out)?;
    tell_held(&held, out)?;
    if let Some(error) = unasked {
        writeln!(out, "Slurm does not tell what waits or runs, so attempts were asked: {error}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is told as JSON.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    status: &'a Status,
    /// Tasks that Slurm holds back until somebody releases them.
    held: usize,
    /// Why Slurm was not asked, if it should have been.
    unasked: Option<&'a str>,
}

/// The shards of which attempts say that they are at work.
fn at_work(submission: &Submission) -> Result<BTreeSet<u32>, RecordError> {
    let attempts = submission.attempts()?;
    let held = attempts.iter().filter(|files| files.holder().is_some());
    Ok(held.map(|files| files.attempt.shard()).collect())
}

fn tell(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let Status {
        name,
        planned,
        done,
        failed,
        running,
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
    line("missing", *missing, of(killed, "killed by somebody else before they answered"))?;
    if done < planned {
        let left = duration(expected_s.ceil());
        let rests = match (guessed, planned - done) {
            (0, _) => String::new(),
            (guessed, left) if *guessed == left => {
                ", which is a guess: nothing like it was measured".into()
            }
            (guessed, _) => {
                format!(", a guess for {guessed} of which nothing like them was measured")
            }
        };
        writeln!(out, "  the rest may take {left}, one job after the other{rests}")?;
    }
    Ok(())
}
