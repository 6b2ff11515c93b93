//! Messages that several commands print about rows and attempts.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_lab::store::Unlisted;
use bezzel_lab::{ExperimentRecord, NO_ENCODING, Verdict, merge, store};
use serde::Serialize;

use crate::failure::{Done, Failure};

/// Prints a value as JSON, on lines of their own for its parts.
pub(super) fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::work)?;
    Ok(writeln!(out, "{text}")?)
}

/// A number with its noun: `1 job`, `2 jobs`.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Names every wrong answer and every contradiction; there must be none for the run to be a success.
pub(super) fn tell_faults(record: &ExperimentRecord, out: &mut dyn Write) -> Done {
    let wrong: Vec<_> = record.rows.iter().filter(|row| row.verdict == Verdict::Wrong).collect();
    for row in &wrong {
        let job = &row.job;
        let note = row.note.as_deref().unwrap_or_default();
        if job.task.backend().is_none() {
            let (encoding, board) = (job.encoding_label(), &job.board);
            writeln!(out, "WRONG: {} of {encoding} on {board}: {note}", job.task)?;
            continue;
        }
        let formula = match job.encoding.as_str() {
            NO_ENCODING => String::new(),
            _ => format!(" with {} ({})", job.encoding_label(), job.numbering.id()),
        };
        writeln!(
            out,
            "WRONG: {} on {}{} answered {}: {}",
            job.solver, job.board, formula, row.answer, note
        )?;
    }
    for contradiction in &record.contradictions {
        writeln!(out, "CONTRADICTION: {contradiction}")?;
    }
    match (wrong.len(), record.contradictions.len()) {
        (0, 0) => Ok(ExitCode::SUCCESS),
        (0, 1) => Err(Failure::Work("two answers contradict each other".into())),
        (0, _) => Err(Failure::Work("answers contradict each other".into())),
        (1, _) => Err(Failure::Work("1 answer is wrong".into())),
        (wrong, _) => Err(Failure::Work(format!("{wrong} answers are wrong"))),
    }
}

/// Reports a torn last line of the rows that was set aside, if it has bytes.
pub(super) fn tell_torn(bytes: u64, out: &mut dyn Write) -> Result<(), Failure> {
    if bytes > 0 {
        writeln!(out, "a torn last line of {bytes} bytes was set aside in rows.torn")?;
    }
    Ok(())
}

/// Warns of attempts that are not part of the experiment in this folder yet.
pub(super) fn warn_of_unmerged(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let unmerged = merge::unmerged(folder).map_err(Failure::work)?;
    if unmerged > 0 {
        let attempts = counted(unmerged, "attempt");
        writeln!(out, "WARNING: {attempts} at shards not merged yet are left out: `bezzel merge`")?;
    }
    Ok(())
}

/// Warns of rows whose sessions are not known.
pub(super) fn warn_of_unlisted(unlisted: &Unlisted, out: &mut dyn Write) -> Result<(), Failure> {
    if !unlisted.is_empty() {
        writeln!(out, "WARNING: {unlisted}")?;
    }
    Ok(())
}

/// Warns of rows in this folder whose sessions are not known, on the standard error.
pub(super) fn warn_of_lost(folder: &Path) -> Result<(), Failure> {
    let unlisted = store::unlisted(folder).map_err(Failure::input)?;
    warn_of_unlisted(&unlisted, &mut io::stderr())
}
