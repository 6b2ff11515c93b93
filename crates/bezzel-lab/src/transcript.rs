//! From what a worker said, and how it ended, to the row of its job.

use std::time::SystemTime;

use bezzel_external::{Cause, Exit, Outcome};
use bezzel_solve::{Answer, Effort};
use thiserror::Error;

use crate::job::Limits;
use crate::judge::Judge;
use crate::message::Message;
use crate::plan::Planned;
use crate::row::{Isolation, Row, Stop, Verdict};

/// A worker refused its job, which the plan should have found out.
#[derive(Debug, Error)]
#[error("the worker refused a job of {encoding} on board {board}: {reason}")]
pub struct Refused {
    /// The job's encoding.
    pub encoding: String,
    /// The job's board.
    pub board: String,
    /// What the worker said.
    pub reason: String,
}

/// The row of a job whose worker has ended, judged.
///
/// # Errors
///
/// When the worker refused the job as one that it does not understand.
pub fn row(
    planned: Planned,
    session: usize,
    started: SystemTime,
    outcome: &Outcome,
    judge: &mut Judge,
) -> Result<Row, Refused> {
    let Planned { job, key, encoding_revision, solver_version, .. } = planned;
    if outcome.exit == Exit::Code(2) {
        let reason = outcome.stderr.text().trim().to_owned();
        let (encoding, board) = (job.encoding, job.board.to_string());
        return Err(Refused { encoding, board, reason });
    }
    let mut row = Row {
        key,
        encoding_revision,
        solver_version,
        answer: Answer::Unknown,
        verdict: Verdict::Unchecked,
        evidence: None,
        stop: Stop::Crashed,
        note: None,
        formula: None,
        clause_digest: None,
        generate_cpu_s: None,
        load_cpu_s: None,
        solve_cpu_s: None,
        cpu_s: outcome.cpu_s,
        wall_s: outcome.wall_s,
        memory_peak_bytes: None,
        effort: Effort::default(),
        queens: None,
        isolation: Isolation::Rlimits,
        started_unix_s: started
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0.0, |since| since.as_secs_f64()),
        session,
        job,
    };
    let mut ended = None;
    for line in outcome.stdout.tail.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(Message::Measured { formula, generate_cpu_s }) => {
                row.formula = Some(formula);
                row.generate_cpu_s = Some(generate_cpu_s);
            }
            Ok(Message::Loaded { clause_digest, load_cpu_s }) => {
                row.clause_digest = Some(clause_digest);
                row.load_cpu_s = Some(load_cpu_s);
            }
            Ok(Message::Solved { answer, queens, solve_cpu_s, effort }) => {
                row.answer = answer;
                row.queens = queens;
                row.solve_cpu_s = Some(solve_cpu_s);
                row.effort = effort;
            }
            Ok(Message::Ended { stop, memory_peak_bytes }) => {
                ended = Some(stop);
                row.memory_peak_bytes = memory_peak_bytes;
            }
            Err(error) => row.note = Some(format!("the worker said what makes no sense: {error}")),
        }
    }
    match (outcome.exit, ended) {
        (Exit::Code(0), Some(stop)) if row.note.is_none() => row.stop = stop,
        _ => {
            let (stop, note) = cause(outcome, &row.job.limits);
            row.stop = stop;
            row.note = row.note.or(Some(note));
        }
    }
    let judgement = judge.judge(&row.job.board, row.answer, row.placement().as_ref());
    row.verdict = judgement.verdict;
    row.evidence = judgement.evidence;
    row.note = judgement.note.or(row.note);
    Ok(row)
}

/// Why a worker ended that did not say so itself, by the evidence there is.
fn cause(outcome: &Outcome, limits: &Limits) -> (Stop, String) {
    let stderr = outcome.stderr.text();
    let last = stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
    // What Rust and C++ say when memory is refused to them.
    let out_of_memory = stderr.contains("memory allocation of") || stderr.contains("bad_alloc");
    match (outcome.killed_by, outcome.exit) {
        (Some(Cause::Wall), _) => (Stop::WallLimit, "killed at the wall limit's fence".into()),
        _ if out_of_memory => (Stop::MemoryLimit, format!("memory was refused: {last}")),
        (_, exit @ Exit::Signal(_)) if exit.is_cpu_fence() || outcome.cpu_s >= limits.cpu_s => {
            (Stop::CpuLimit, "killed at the CPU limit's fence".into())
        }
        (_, Exit::Signal(signal)) => (Stop::Crashed, format!("killed by signal {signal}: {last}")),
        (_, Exit::Code(code)) => (Stop::Crashed, format!("ended with exit code {code}: {last}")),
    }
}
