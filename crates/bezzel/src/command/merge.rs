//! `bezzel merge`: adds the rows of attempts at shards to their experiment.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bezzel_experiment::ExperimentRecord;
use bezzel_experiment::merge::{self, MergeResult};
use bezzel_experiment::store::{SkippedAttempt, StoreError, shard_folders};

use super::common::{counted, print_faults, print_torn_bytes, warn_of_unlisted};
use super::report;
use crate::Workbench;
use crate::arguments::MergeArguments;
use crate::failure::{CommandResult, Failure, harmless};

/// The time limit of waiting for another merge. Two arrays of one experiment may end at the same time.
const WAIT_LIMIT: Duration = Duration::from_secs(20);
/// The largest number of damaged lines or attempts that are shown. Of the others only the number is shown.
const SHOWN: usize = 5;

pub(crate) fn run(
    arguments: &MergeArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    let outcome = merge::merge(&folder, WAIT_LIMIT).map_err(refused)?;
    print_summary(&outcome, out)?;
    let whole = whole(&outcome);
    if !arguments.report {
        return match outcome.disagreeing.len() {
            0 => whole,
            1 => Err(Failure::Work("two rows of a job contradict each other".into())),
            number => Err(Failure::Work(format!("rows of {number} jobs contradict each other"))),
        };
    }
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::work)?;
    let record = report::stated(record, arguments.root.path(), None, catalog, out)?;
    let page = report::render(&record, catalog, arguments.root.path(), arguments.quiet)?.index;
    writeln!(out, "report:   {}", page.display())?;
    let faults = print_faults(&record, out);
    let settled = record.rows.iter().filter(|row| row.is_settled()).count();
    match (faults, record.planned - settled) {
        (faults, 0) => faults.and(whole),
        (Err(faults), _) => Err(faults),
        (Ok(_), missing) => Err(Failure::Work(format!(
            "{missing} of {} have no row yet; the report says so",
            counted(record.planned, "job")
        ))),
    }
}

/// Merges the rows of attempts, if the experiment was cut into shards.
pub(super) fn if_cut(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    if shard_folders(folder).map_err(Failure::work)?.is_empty() {
        return Ok(());
    }
    match merge::merge(folder, WAIT_LIMIT) {
        // No process has completed the beginning of the experiment.
        Err(StoreError::Missing(_)) => Ok(()),
        merged => {
            let merged = merged.map_err(refused)?;
            // A merge without new rows prints nothing.
            let MergeResult { merged: found, disagreeing, .. } = &merged;
            let is_news = found.added > 0
                || found.set_aside > 0
                || !found.torn.is_empty()
                || !found.left_out.is_empty()
                || !found.damaged.is_empty()
                || !disagreeing.is_empty();
            if is_news { print_summary(&merged, out) } else { Ok(()) }
        }
    }
}

/// A merge is a success if it took every row of every attempt.
fn whole(outcome: &MergeResult) -> CommandResult {
    match (outcome.merged.left_out.len(), outcome.merged.damaged.len()) {
        (0, 0) => Ok(ExitCode::SUCCESS),
        (0, lines) => Err(Failure::Work(format!("{} left out", counted(lines, "damaged line")))),
        (attempts, _) => Err(Failure::Work(format!(
            "{} left out, in whole or in part; all others are merged",
            counted(attempts, "attempt")
        ))),
    }
}

fn refused(error: StoreError) -> Failure {
    match error {
        StoreError::Busy { .. } | StoreError::Missing(_) => Failure::input(error),
        other => Failure::work(other),
    }
}

/// The first attempts by name, and the number of the others.
fn named(attempts: &[String]) -> String {
    let first = attempts.iter().take(SHOWN).map(|attempt| harmless(attempt));
    let first = format!("the attempt {}", first.collect::<Vec<_>>().join(", the attempt "));
    match attempts.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn print_summary(outcome: &MergeResult, out: &mut dyn Write) -> Result<(), Failure> {
    let MergeResult { merged, repeated, disagreeing } = outcome;
    let attempts = counted(merged.attempts, "attempt");
    writeln!(out, "merged: {} of {attempts} added", counted(merged.added, "row"))?;
    print_torn_bytes(merged.set_aside, out)?;
    if !merged.torn.is_empty() {
        let torn = named(&merged.torn);
        writeln!(out, "the last line of {torn} is not whole: still being written, or cut off")?;
    }
    if !merged.without_rows.is_empty() {
        let attempts = named(&merged.without_rows);
        writeln!(out, "no rows of {attempts}: ended before the first row, or the file is lost")?;
    }
    if *repeated > 0 {
        let jobs = counted(*repeated, "job");
        writeln!(out, "{jobs} done by several attempts: the first attempt counts")?;
    }
    for SkippedAttempt { attempt, rows, why } in &merged.left_out {
        let rows = rows.map_or_else(|| "its rows".into(), |rows| counted(rows as usize, "row"));
        let (attempt, why) = (harmless(attempt), harmless(why));
        writeln!(out, "WARNING: {rows} of the attempt {attempt} left out: {why}")?;
    }
    warn_of_unlisted(&merged.unlisted, out)?;
    for (path, line, damage) in merged.damaged.iter().take(SHOWN) {
        writeln!(
            out,
            "WARNING: line {line} of {} skipped: {damage}; its job is missing",
            path.display()
        )?;
    }
    if merged.damaged.len() > SHOWN {
        writeln!(out, "WARNING: {} damaged lines in all", merged.damaged.len())?;
    }
    for found in disagreeing {
        writeln!(out, "CONTRADICTION: job {}: {}, and {}", found.key, found.kept, found.other)?;
    }
    out.flush()?;
    Ok(())
}
