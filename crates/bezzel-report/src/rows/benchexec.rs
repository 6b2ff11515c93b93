//! Rows for BenchExec's table-generator: XML of results for each program, with BenchExec's columns.
//!
//! The property of every run is that there is a solution, as in the export of `bezzel benchexec export`: `true` is an
//! answer with a solution, `false` one without. The category is Bezzel's verdict: `correct` is verified, `wrong` is
//! wrong, `missing` is an unchecked answer. Times are those of the whole process, as BenchExec defines them.
//!
//! *Source.* BenchExec, `doc/run-results.md` and `result.dtd`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use bezzel_experiment::{ExperimentRecord, Row, Task, Termination, Verdict};
use bezzel_solve::Answer;

use super::program::{ProgramRows, programs};
use crate::error::ReportError;
use crate::escape::xml;
use crate::{counter_runs, files};

/// Writes results for each program of a record into a folder, which is made if it does not exist, and returns the files. A
/// skipped job is a run without results. No row is left out.
///
/// # Errors
///
/// When a file cannot be written.
pub fn benchexec(record: &ExperimentRecord, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    files::folder(folder)?;
    let write = |program: ProgramRows<'_>| {
        let text = results(&record.name, &program);
        files::write(folder, &format!("{}.results.xml", program.file), text.as_bytes())
    };
    programs(&record.rows).into_iter().map(write).collect()
}

fn results(experiment: &str, program: &ProgramRows<'_>) -> String {
    let limits = program.rows.iter().map(|(_, row)| row.job.limits);
    let cpu_s = limits.clone().map(|limits| limits.cpu_s).fold(0.0, f64::max);
    let memory_bytes = limits.map(|limits| limits.memory_bytes).max().unwrap_or(0);
    let version = program.rows.first().map_or("", |(_, row)| &row.solver_version);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <result benchmarkname=\"{}\" name=\"{}\" tool=\"{}\" version=\"{}\" options=\"{}\" \
         toolmodule=\"bezzel\" generator=\"bezzel\" timelimit=\"{cpu_s}s\" memlimit=\"{memory_bytes}B\">\n",
        xml(experiment),
        xml(&program.name),
        xml(&program.solver),
        xml(version),
        xml(&program.numbering),
    );
    text.push_str("  <columns><column title=\"status\"/><column title=\"cputime\"/>");
    text.push_str("<column title=\"walltime\"/><column title=\"memory\"/></columns>\n");
    for (instance, row) in &program.rows {
        run(instance, row, &mut text);
    }
    text.push_str("</result>\n");
    text
}

fn run(instance: &str, row: &Row, text: &mut String) {
    let name = xml(instance);
    let outcome = BenchexecOutcome::of(row);
    if outcome == BenchexecOutcome::Skipped {
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
    let solved = outcome == BenchexecOutcome::Solved;
    let count = |number: Option<u64>| number.map(|number| number.to_string());
    let formula = row.formula.as_ref();
    columns.extend([
        ("comparedtime", time_s(row).filter(|_| solved).map(|time| format!("{time}s"))),
        ("solutions", row.all.as_ref().map(|all| all.count.to_string())),
        ("variables", count(formula.map(|formula| formula.variables))),
        ("clauses", count(formula.map(|formula| formula.clauses))),
        ("conflicts", count(row.solver_stats.conflicts)),
        ("decisions", count(row.solver_stats.decisions)),
        ("propagations", count(row.solver_stats.propagations)),
    ]);
    for (title, value) in columns {
        if let Some(value) = value {
            let value = xml(&value);
            let _ = writeln!(text, "    <column title=\"{title}\" value=\"{value}\"/>");
        }
    }
    text.push_str("  </run>\n");
}

/// The status of a run in BenchExec's terms, and the reason for its end.
fn status(row: &Row, outcome: BenchexecOutcome) -> (String, Option<&'static str>) {
    let answer = match row.status {
        Answer::Sat => Some("true"),
        Answer::Unsat => Some("false"),
        Answer::Unknown if row.job.task.backend().is_none() && row.solved() => Some("done"),
        Answer::Unknown => None,
    };
    // An answer after a limit came too late.
    let late = |what: &str| match answer {
        Some(answer) => format!("{what} ({answer})"),
        None => what.to_owned(),
    };
    match row.termination {
        _ if outcome == BenchexecOutcome::HostError => (late("KILLED"), Some("killed")),
        Termination::CpuLimit => (late("TIMEOUT"), Some("cputime")),
        Termination::WallLimit => (late("TIMEOUT"), Some("walltime")),
        Termination::MemoryLimit => (late("OUT OF MEMORY"), Some("memory")),
        Termination::NodeLimit => (late("OUT OF NODES"), None),
        Termination::Crashed => (late("ERROR"), None),
        _ => (answer.unwrap_or("unknown").to_owned(), None),
    }
}

fn category(row: &Row, outcome: BenchexecOutcome) -> &'static str {
    match outcome {
        BenchexecOutcome::Solved => "correct",
        BenchexecOutcome::Wrong => "wrong",
        BenchexecOutcome::Unchecked => "missing",
        _ if row.termination == Termination::Finished => "unknown",
        _ => "error",
    }
}

/// The outcome of a row in BenchExec's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BenchexecOutcome {
    /// A verified answer, or a verified measurement.
    Solved,
    /// A limit, a crash, or an unknown answer.
    Unsolved,
    Wrong,
    Unchecked,
    Skipped,
    HostError,
}

impl BenchexecOutcome {
    fn of(row: &Row) -> Self {
        match (row.termination, row.verdict) {
            (Termination::Skipped, _) => Self::Skipped,
            (Termination::HostError, _) => Self::HostError,
            (_, Verdict::Wrong) => Self::Wrong,
            (_, Verdict::Verified) if row.solved() => Self::Solved,
            (_, Verdict::Unchecked) if row.solved() => Self::Unchecked,
            _ => Self::Unsolved,
        }
    }
}

/// The CPU seconds that a report compares: of solving; for all solutions, of making, loading and finding; for a
/// measurement without solving, of the measurement.
fn time_s(row: &Row) -> Option<f64> {
    match row.job.task {
        Task::Solve => row.solve_cpu_s,
        Task::Size => row.generate_cpu_s,
        Task::Propagate => row.propagation.as_ref().map(|found| found.propagate_cpu_s),
        _ => counter_runs::cpu_s(row),
    }
}
