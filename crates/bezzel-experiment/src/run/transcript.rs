//! Conversion of the messages of a job, and of its end, to its row.

use std::time::SystemTime;

use bezzel_encode::Size;
use bezzel_problem::Solution;
use bezzel_process::EndCause;
use bezzel_process::{Exit, Outcome, StopReason};
use bezzel_solve::{Answer, ProofFormat};
use thiserror::Error;

use crate::check::consistent;
use crate::check::judge::{Case, Judge};
use crate::model::job::PlannedJob;
use crate::model::job::{BackendKind, Job};
use crate::model::measure::Propagation;
use crate::model::message::Message;
use crate::model::quantity::unix_s;
use crate::model::row::{Finding, Isolation, ObjectiveValue, ProofRecord, Row, Termination};

/// A worker refused its job, which the plan should have excluded.
#[derive(Debug, Error)]
#[error("the worker refused a job of {encoding} on {instance}: {reason}")]
pub struct RefusedJob {
    /// The job's encoding.
    pub encoding: String,
    /// The job's instance.
    pub instance: String,
    /// The worker's reason.
    pub reason: String,
}

/// The output of a job: its row, which is not judged yet, and further data for the judge.
#[derive(Clone, Debug)]
pub struct JobOutput {
    /// The row, unchecked.
    pub row: Row,
    /// A clause that the model does not satisfy.
    pub violated: Option<Vec<i32>>,
    /// The first violation of the rules among the solutions, if there is one.
    pub violation: Option<String>,
}

impl JobOutput {
    /// Judges the answer, and returns the row with its verdict. `closed_form` is the size of the formula's rules, if
    /// the formula was measured and the encoding has a closed form.
    pub fn judged(self, judge: &mut Judge, closed_form: Option<Size>) -> Row {
        let Self { mut row, violated, violation } = self;
        let solution = row.solution();
        let judgement = judge.judge(&Case {
            closed_form,
            violation: violation.as_deref(),
            violated: violated.as_deref(),
            ..Case::of(&row, solution.as_ref())
        });
        row.verdict = judgement.verdict;
        if let Some(propagation) = &mut row.propagation {
            propagation.truth = judgement.truth;
        }
        row.checked_by = judgement.evidence;
        row.note = judgement.note.or(row.note);
        row
    }
}

/// The start and the place of a run.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The time of its start.
    pub started: SystemTime,
    /// The enforcement of its limits.
    pub isolation: Isolation,
    /// The core that it was bound to.
    pub core: Option<usize>,
}

/// The row of a job whose worker has ended.
///
/// # Errors
///
/// When the worker refused the job as invalid.
pub fn read(
    planned: PlannedJob,
    provenance: &Provenance,
    outcome: &Outcome,
    killer: EndCause,
) -> Result<JobOutput, RefusedJob> {
    refuse(&planned.job, outcome)?;
    let mut transcript = Transcript::new(planned, provenance);
    for message in messages(outcome) {
        match message {
            Ok(message) => transcript.add(message),
            Err(error) => {
                transcript.row.note = Some(format!("the worker sent an invalid message: {error}"));
            }
        }
    }
    let is_well = outcome.exit == Exit::Code(0) && transcript.is_whole();
    let death = (!is_well).then(|| cause(outcome, killer));
    Ok(transcript.finish((outcome.cpu_s, outcome.wall_s), death))
}

/// The messages of a job, on their way to a row.
#[derive(Clone, Debug)]
pub struct Transcript {
    row: Row,
    ended: Option<Termination>,
    failure_note: Option<String>,
    violated: Option<Vec<i32>>,
    violation: Option<String>,
}

impl Transcript {
    /// Returns the transcript of a job that begins.
    pub fn new(planned: PlannedJob, provenance: &Provenance) -> Self {
        let row = Row {
            isolation: provenance.isolation,
            core: provenance.core,
            started_unix_s: unix_s(provenance.started),
            ..Row::blank(planned, Termination::Crashed)
        };
        Self { row, ended: None, failure_note: None, violated: None, violation: None }
    }

    /// True if the job stated its end, and no message was invalid.
    fn is_whole(&self) -> bool {
        self.ended.is_some() && self.row.note.is_none()
    }

    /// Adds the next message.
    pub fn add(&mut self, message: Message) {
        let row = &mut self.row;
        match message {
            Message::Measured { formula, generate_cpu_s } => {
                row.formula = Some(formula);
                row.generate_cpu_s = Some(generate_cpu_s);
            }
            Message::Loaded { clause_digest, load_cpu_s } => {
                row.clause_digest = Some(clause_digest);
                row.load_cpu_s = Some(load_cpu_s);
            }
            Message::Improved { value, chosen } => {
                let solution = chosen.into_iter().collect();
                let fault = || fault_of_value(row, &value, &solution);
                self.violation = self.violation.take().or_else(fault);
                row.values.get_or_insert_default().push(value);
                row.set_solution(&solution);
            }
            Message::Solved { answer, solve_cpu_s, effort } => {
                row.status = answer;
                row.solve_cpu_s = Some(solve_cpu_s);
                row.solver_stats = effort;
            }
            Message::Found { all, violation, check_cpu_s } => {
                if row.all.replace(all).is_some() {
                    row.note = Some("the worker reported its result twice".into());
                }
                self.violation = violation;
                row.check_cpu_s = check_cpu_s;
            }
            Message::Decoded { chosen, decode_cpu_s } => {
                row.set_solution(&chosen.into_iter().collect());
                row.decode_cpu_s = Some(decode_cpu_s);
            }
            Message::Checked { violated, check_cpu_s } => {
                self.violated = violated;
                row.check_cpu_s = Some(check_cpu_s);
            }
            Message::Simplified { simplified, additions } => {
                row.simplified = Some(simplified);
                row.additions = additions;
            }
            Message::Counted(operations) => row.circuit = Some(operations),
            // Only the judge determines the facts.
            Message::Propagated(propagation) => {
                row.propagation = Some(Propagation { truth: None, ..propagation });
            }
            Message::Failed { stop, note } => {
                self.ended = Some(stop);
                self.failure_note = Some(note);
            }
            Message::Ended { stop, memory_peak_bytes } => {
                self.ended = Some(stop);
                row.memory_peak_bytes = memory_peak_bytes;
            }
            Message::ProofChecked(_) => {
                row.note = Some("the worker reported a proof that was not requested".into());
            }
        }
    }

    /// Returns the row of a job that used this CPU time and wall time, in seconds. `death` is the end of a job that did
    /// not state its end, with the reason.
    pub fn finish(
        self,
        (cpu_s, wall_s): (f64, f64),
        death: Option<(Termination, String)>,
    ) -> JobOutput {
        let Self { mut row, ended, failure_note, violated, violation } = self;
        (row.cpu_s, row.wall_s) = (cpu_s, wall_s);
        row.termination = ended.unwrap_or(Termination::Crashed);
        if let Some((stop, note)) = death {
            row.termination = stop;
            row.note = row.note.or(Some(note));
        }
        row.note = row.note.or(failure_note);
        let has_result = row.has_solution() || row.all.is_some();
        let needs_result =
            row.status == Answer::Sat || row.job.task.backend() == Some(BackendKind::Engine);
        if needs_result && !has_result && row.termination != Termination::Finished {
            // The solver is not wrong if the worker was ended before it reported the solution.
            row.status = Answer::Unknown;
        }
        if let Some(what) = consistent::contradiction(&row) {
            row.note = Some(format!("the worker contradicts itself: {what}"));
            row.termination = if row.termination == Termination::Finished {
                Termination::Crashed
            } else {
                row.termination
            };
            (row.status, row.places, row.all) = (Answer::Unknown, None, None);
            (row.chosen, row.values) = (None, None);
            (row.circuit, row.propagation) = (None, None);
        }
        JobOutput { row, violated, violation }
    }
}

/// Returns the fault of a value: its solution breaks the constraints or has another value, or it is not better than the
/// one before. Without the file nothing is checked.
fn fault_of_value(row: &Row, value: &ObjectiveValue, solution: &Solution) -> Option<String> {
    let file = row.job.instance.file().filter(|file| file.is_read())?;
    if let Err(violation) = row.job.instance.check(solution) {
        return Some(format!("a solution breaks the rules: {violation}"));
    }
    let found = file.value(solution)?;
    if found.to_string() != value.value {
        return Some(format!("the value {} is stated, and it is {found}", value.value));
    }
    let last = row.values.as_ref()?.last()?.value.parse().ok()?;
    let is_better = file.objective()?.better(&last).is_met(&found);
    (!is_better).then(|| format!("the value {found} follows {last}, and only better ones may"))
}

/// Returns the record of a proof of `bytes` bytes whose checker has ended.
///
/// # Errors
///
/// When the checker refused the job as invalid.
pub fn read_proof(
    job: &Job,
    format: ProofFormat,
    bytes: Option<u64>,
    outcome: &Outcome,
    killer: EndCause,
) -> Result<ProofRecord, RefusedJob> {
    refuse(job, outcome)?;
    let mut record = ProofRecord::unchecked(format, bytes, "");
    let (mut is_checked, mut failure, mut ended) = (false, None, None);
    for message in messages(outcome) {
        match message {
            Ok(Message::ProofChecked(checked)) => (record, is_checked) = (checked, true),
            Ok(Message::Ended { memory_peak_bytes, .. }) => ended = Some(memory_peak_bytes),
            Ok(Message::Failed { note, .. }) => failure = Some(note),
            _ => {}
        }
    }
    let note = match (outcome.exit, is_checked, failure) {
        (Exit::Code(0), true, _) if ended.is_some() => None,
        (Exit::Code(0), false, Some(note)) => Some(note),
        _ => Some(format!("the proof's checker was {}", cause(outcome, killer).1)),
    };
    if note.is_some() {
        (record.finding, record.note) = (Finding::Unchecked, note);
    }
    (record.check_cpu_s, record.check_memory_peak_bytes) = (Some(outcome.cpu_s), ended.flatten());
    Ok(record)
}

/// Returns an error for exit codes without a run: a worker exits with 2 for bad input, and the system with 126 or 127
/// if it cannot start a worker.
fn refuse(job: &Job, outcome: &Outcome) -> Result<(), RefusedJob> {
    if matches!(outcome.exit, Exit::Code(2 | 126 | 127)) {
        let reason = outcome.stderr.text().trim().to_owned();
        let (encoding, instance) = (job.encoding.clone(), job.instance.to_string());
        return Err(RefusedJob { encoding, instance, reason });
    }
    Ok(())
}

fn messages(outcome: &Outcome) -> impl Iterator<Item = Result<Message, serde_json::Error>> {
    let lines = outcome.stdout.tail.split(|&byte| byte == b'\n');
    lines.filter(|line| !line.is_empty()).map(serde_json::from_slice)
}

/// Returns the reason of a worker's end that the worker did not report, by the available evidence.
fn cause(outcome: &Outcome, killer: EndCause) -> (Termination, String) {
    let stderr = outcome.stderr.text();
    // The report of a panic ends with advice that is not needed here.
    let is_report = |line: &&str| !line.trim().is_empty() && !line.starts_with("note:");
    let last = stderr.lines().rev().find(is_report).unwrap_or("");
    // The messages of Rust, C++ and CaDiCaL's own allocator when memory is refused.
    let refusals = ["memory allocation of", "bad_alloc", "out of memory"];
    let out_of_memory = refusals.iter().any(|refusal| stderr.contains(refusal));
    match (killer, outcome.exit) {
        (EndCause::Limit(StopReason::Wall), _) => {
            (Termination::WallLimit, "killed at the hard wall limit".into())
        }
        _ if out_of_memory => (Termination::MemoryLimit, format!("memory was refused: {last}")),
        (EndCause::Limit(StopReason::Cpu), _) => {
            (Termination::CpuLimit, "killed at the hard CPU limit".into())
        }
        (EndCause::Limit(StopReason::Memory), _) => {
            (Termination::MemoryLimit, "killed by the kernel at the memory limit".into())
        }
        (EndCause::Host { .. }, _) => (Termination::HostError, killer.to_string()),
        (_, Exit::Signal(signal)) => {
            (Termination::Crashed, format!("killed by signal {signal}: {last}"))
        }
        (_, Exit::Code(code)) => {
            (Termination::Crashed, format!("ended with exit code {code}: {last}"))
        }
    }
}

#[cfg(test)]
mod tests;
