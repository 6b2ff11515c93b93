//! Rows as BenchExec's table-generator reads them: XML of results for each arm, with BenchExec's
//! columns.
//!
//! The property of every run is that there is a solution, as in what `bezzel benchexec export` writes: `true` is
//! an answer with a solution, `false` one without. The category tells what Bezzel makes of it:
//! `correct` is verified, `wrong` is wrong, `missing` is an answer that nobody checked. Times are
//! those of the whole process, as BenchExec means them.
//!
//! *Source.* BenchExec, `doc/run-results.md` and `result.dtd`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use bezzel_lab::{ExperimentRecord, Row, Stop, Task, Verdict};
use bezzel_solve::Answer;

use super::arm::{Arm, arms};
use crate::error::ReportError;
use crate::escape::xml;
use crate::{files, lineup};

/// Writes results for each arm of a record into a folder, which is made if it is not there, and returns the
/// files. A job that was skipped is a run without results; nothing is left out.
///
/// # Errors
///
/// When a file cannot be written.
pub fn benchexec(record: &ExperimentRecord, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    files::folder(folder)?;
    let write = |arm: Arm<'_>| {
        let text = results(&record.name, &arm);
        files::write(folder, &format!("{}.results.xml", arm.file), text.as_bytes())
    };
    arms(&record.rows).into_iter().map(write).collect()
}

fn results(experiment: &str, arm: &Arm<'_>) -> String {
    let limits = arm.rows.iter().map(|(_, row)| row.job.limits);
    let cpu_s = limits.clone().map(|limits| limits.cpu_s).fold(0.0, f64::max);
    let memory_bytes = limits.map(|limits| limits.memory_bytes).max().unwrap_or(0);
    let version = arm.rows.first().map_or("", |(_, row)| &row.solver_version);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <result benchmarkname=\"{}\" name=\"{}\" tool=\"{}\" version=\"{}\" options=\"{}\" \
         toolmodule=\"bezzel\" generator=\"bezzel\" timelimit=\"{cpu_s}s\" memlimit=\"{memory_bytes}B\">\n",
        xml(experiment),
        xml(&arm.name),
        xml(&arm.solver),
        xml(version),
        xml(&arm.numbering),
    );
    text.push_str("  <columns><column title=\"status\"/><column title=\"cputime\"/>");
    text.push_str("<column title=\"walltime\"/><column title=\"memory\"/></columns>\n");
    for (instance, row) in &arm.rows {
        run(instance, row, &mut text);
    }
    text.push_str("</result>\n");
    text
}

fn run(instance: &str, row: &Row, text: &mut String) {
    let name = xml(instance);
    let outcome = Outcome::of(row);
    if outcome == Outcome::Skipped {
        let _ = writeln!(text, "  <run name=\"{name}\" files=\"[]\"/>");
        return;
    }
    let _ = writeln!(text, "  <run name=\"{name}\" files=\"[]\">");
    let (status, reason) = status(row, outcome);
    let mut columns = vec![
        ("status", Some(status)),
        ("category", Some(category(row, outcome).to_owned())),
        ("cputime", Some(format!("{}s", row.cpu_s))),
        ("walltime", Some(format!("{}s", row.wall_s))),
        ("memory", row.memory_peak_bytes.map(|bytes| format!("{bytes}B"))),
        ("terminationreason", reason.map(str::to_owned)),
    ];
    let solved = outcome == Outcome::Solved;
    let count = |number: Option<u64>| number.map(|number| number.to_string());
    let formula = row.formula.as_ref();
    columns.extend([
        ("comparedtime", time_s(row).filter(|_| solved).map(|time| format!("{time}s"))),
        ("solutions", row.all.as_ref().map(|all| all.count.to_string())),
        ("variables", count(formula.map(|formula| formula.variables))),
        ("clauses", count(formula.map(|formula| formula.clauses))),
        ("conflicts", count(row.effort.conflicts)),
        ("decisions", count(row.effort.decisions)),
        ("propagations", count(row.effort.propagations)),
    ]);
    for (title, value) in columns {
        if let Some(value) = value {
            let value = xml(&value);
            let _ = writeln!(text, "    <column title=\"{title}\" value=\"{value}\"/>");
        }
    }
    text.push_str("  </run>\n");
}

/// What came of a run in BenchExec's words, and why it was ended.
fn status(row: &Row, outcome: Outcome) -> (String, Option<&'static str>) {
    let answer = match row.answer {
        Answer::Sat => Some("true"),
        Answer::Unsat => Some("false"),
        Answer::Unknown if row.job.task.backend().is_none() && row.solved() => Some("done"),
        Answer::Unknown => None,
    };
    // An answer behind a limit came too late.
    let late = |what: &str| match answer {
        Some(answer) => format!("{what} ({answer})"),
        None => what.to_owned(),
    };
    match row.stop {
        _ if outcome == Outcome::HostError => (late("KILLED"), Some("killed")),
        Stop::CpuLimit => (late("TIMEOUT"), Some("cputime")),
        Stop::WallLimit => (late("TIMEOUT"), Some("walltime")),
        Stop::MemoryLimit => (late("OUT OF MEMORY"), Some("memory")),
        Stop::NodeLimit => (late("OUT OF NODES"), None),
        Stop::Crashed => (late("ERROR"), None),
        _ => (answer.unwrap_or("unknown").to_owned(), None),
    }
}

fn category(row: &Row, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "correct",
        Outcome::Wrong => "wrong",
        Outcome::Unchecked => "missing",
        _ if row.stop == Stop::Finished => "unknown",
        _ => "error",
    }
}

/// The outcome of a row in BenchExec's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// A verified answer, or a verified measurement.
    Solved,
    /// A limit, a crash, or an answer that says nothing.
    Unsolved,
    Wrong,
    Unchecked,
    Skipped,
    HostError,
}

impl Outcome {
    fn of(row: &Row) -> Self {
        match (row.stop, row.verdict) {
            (Stop::Skipped, _) => Self::Skipped,
            (Stop::HostError, _) => Self::HostError,
            (_, Verdict::Wrong) => Self::Wrong,
            (_, Verdict::Verified) if row.solved() => Self::Solved,
            (_, Verdict::Unchecked) if row.solved() => Self::Unchecked,
            _ => Self::Unsolved,
        }
    }
}

/// The CPU seconds that a report compares: of solving; where all solutions are looked for, of making,
/// loading and finding; where nothing is solved, of what was measured.
fn time_s(row: &Row) -> Option<f64> {
    match row.job.task {
        Task::First => row.solve_cpu_s,
        Task::Size => row.generate_cpu_s,
        Task::Propagate => row.propagation.as_ref().map(|found| found.propagate_cpu_s),
        _ => lineup::cpu_s(row),
    }
}
