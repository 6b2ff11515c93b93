//! A sample of the jobs, run again by workers in the isolation of a run.
//!
//! Answers, sizes and digests must come out the same. So must the effort of a linked solver of the
//! same version under the same options, which is a matter of the formula alone; a program may be
//! free in this. Times are not compared: they are another machine's, or another day's.

use std::sync::atomic::AtomicBool;

use bezzel_solve::{Answer, Effort};

use super::lines::Found;
use super::outcome::{Outcome, Step};
use super::{VerifyError, Wanted};
use crate::job::MeasuredBy;
use crate::plan::Planned;
use crate::program::needs_programs;
use crate::row::{Row, Stop, Verdict};
use crate::runner::{self, Workers};
use crate::solver_program;
use crate::workbench::Workbench;

pub(super) fn check(
    found: &[Found],
    workbench: &Workbench,
    wanted: &Wanted,
    workers: &Workers,
    cancel: &AtomicBool,
    outcome: &mut Outcome,
    observe: &mut dyn FnMut(Step, usize, usize),
) -> Result<(), VerifyError> {
    let answered =
        |found: &&Found| found.row.stop == Stop::Finished && found.row.answer != Answer::Unknown;
    let (can, cannot): (Vec<_>, Vec<_>) =
        found.iter().filter(answered).partition(|found| can_be_run(&found.row, workbench, wanted));
    let left = cannot.len();
    let chosen = choose(can, wanted);
    if wanted.sample > 0 {
        outcome.leave_out(Step::Sample, left);
        if left > 0 {
            outcome.remark(format!(
                "{left} answers cannot be found again here: their encoding is of another revision, \
                 their solver of another version, or they name programs, which run only with --programs"
            ));
        }
    }
    let jobs: Vec<Planned> = chosen.iter().map(|found| planned(&found.row)).collect();
    let all = jobs.len();
    observe(Step::Sample, 0, all);
    runner::again(jobs, workers, cancel, |place, row| {
        let found = chosen[place];
        outcome.count(Step::Sample, 1);
        for what in compare(&found.row, &row, workbench) {
            outcome.fault(Step::Sample, found, what);
        }
        observe(Step::Sample, place + 1, all);
    })?;
    Ok(())
}

/// So many of them, the same by the same seed whatever else is in the file.
fn choose<'a>(mut found: Vec<&'a Found>, wanted: &Wanted) -> Vec<&'a Found> {
    found.sort_by_cached_key(|found| {
        let Row { key, .. } = &found.row;
        *blake3::hash(format!("{} {key}", wanted.seed).as_bytes()).as_bytes()
    });
    found.truncate(wanted.sample);
    found.sort_by_key(|found| found.line);
    found
}

fn can_be_run(row: &Row, workbench: &Workbench, wanted: &Wanted) -> bool {
    let job = &row.job;
    if job.measured_by != MeasuredBy::default() {
        return false;
    }
    // A program is asked for its version.
    if !is_linked(row, workbench) && !wanted.programs {
        return false;
    }
    let Ok(solver) = solver_program::find(&workbench.solvers, &job.solver) else { return false };
    if needs_programs(&job.encoding) {
        return wanted.programs && solver.card().version == row.solver_version;
    }
    let encoding = workbench.encodings.find(&job.encoding);
    encoding.is_ok_and(|found| found.card().revision == row.encoding_revision)
        && solver.card().version == row.solver_version
}

/// Whether the solver of a row is a part of this program.
fn is_linked(row: &Row, workbench: &Workbench) -> bool {
    workbench.solvers.find(&row.job.solver).is_ok()
}

fn planned(row: &Row) -> Planned {
    Planned {
        job: row.job.clone(),
        key: row.key.clone(),
        encoding_revision: row.encoding_revision,
        solver_version: row.solver_version.clone(),
        size: None,
    }
}

/// In what the row of a job and that of running it again differ and must not.
fn compare(then: &Row, now: &Row, workbench: &Workbench) -> Vec<String> {
    if now.stop != Stop::Finished {
        let note = now.note.as_deref().unwrap_or("a limit was met");
        return vec![format!("it was finished, and is not when it is run again: {note}")];
    }
    let mut differences = Vec::new();
    if now.answer != then.answer {
        let what = format!("it answered {}, and {} when it is run again", then.answer, now.answer);
        differences.push(what);
    }
    if now.formula != then.formula {
        differences.push("its formula has another size when it is run again".into());
    }
    if now.clause_digest != then.clause_digest {
        differences.push("its clauses have another digest when it is run again".into());
    }
    if now.verdict == Verdict::Wrong && then.verdict != Verdict::Wrong {
        let note = now.note.as_deref().unwrap_or_default();
        differences.push(format!("its answer is wrong when it is run again: {note}"));
    }
    // What one of them does not tell was not counted then, or is not any more.
    let unlike = |one: Option<u64>, other: Option<u64>| {
        one.zip(other).is_some_and(|(one, other)| one != other)
    };
    let Effort { conflicts, decisions, propagations, .. } = then.effort;
    if is_linked(then, workbench)
        && (unlike(conflicts, now.effort.conflicts)
            || unlike(decisions, now.effort.decisions)
            || unlike(propagations, now.effort.propagations))
    {
        differences.push(format!(
            "its effort was {}, and is {} when it is run again by the same version with the same options",
            told(&then.effort),
            told(&now.effort)
        ));
    }
    differences
}

fn told(effort: &Effort) -> String {
    let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    format!(
        "{} conflicts, {} decisions and {} propagations",
        number(effort.conflicts),
        number(effort.decisions),
        number(effort.propagations)
    )
}
