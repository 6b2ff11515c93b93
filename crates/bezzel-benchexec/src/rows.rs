//! A run of BenchExec as a row, and the check of its answer.

use bezzel_encode::{Images, Lit, VarMap};
use bezzel_solve::Answer;

use super::logs::LogContent;
use super::results::{Run, RunSet};
use super::tasks::TaskFormula;
use super::value;
use super::value::whole;
use bezzel_experiment::job::Limits;
use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::model_check::{ClauseCheck, VariableValues};
use bezzel_experiment::row::{FormulaSize, Isolation, Row, Termination, Verdict};

/// The record of a run.
pub(super) struct RunSource<'a> {
    pub(super) results: &'a RunSet,
    pub(super) run: &'a Run,
}

/// The version of a solver that does not report one.
const UNKNOWN_VERSION: &str = "unknown";

/// Returns the row of a job, as BenchExec measured it. Returns `None` if the run was not finished, was stopped by a
/// user, or has no times: such a run gives no information on the job.
pub(super) fn unjudged(planned: &PlannedJob, source: &RunSource<'_>) -> Option<Row> {
    let RunSource { results, run } = source;
    let cpu_limit_s = results.time_limit.as_deref().and_then(value::seconds);
    let (answer, termination, note) = value::outcome(run, cpu_limit_s)?;
    let cpu_s = value::seconds(run.cpu.as_deref()?)?;
    let wall_s = value::seconds(run.wall.as_deref()?)?;
    if termination == Termination::HostError {
        return None;
    }
    let memory_peak_bytes = run.memory.as_deref().and_then(value::bytes);
    let (termination, note) = match beyond(&planned.job.limits, cpu_s, wall_s, memory_peak_bytes) {
        // BenchExec may have ended it for one limit after it had exceeded another one.
        Some((limit, reason))
            if matches!(termination, Termination::Finished | Termination::Crashed) =>
        {
            let status = run.status.as_deref().unwrap_or_default();
            (limit, Some(format!("BenchExec: {status}, {reason}")))
        }
        _ => (termination, note),
    };
    let version = results.version.clone().unwrap_or_else(|| UNKNOWN_VERSION.to_owned());
    let start = run.start.as_deref().or(results.start.as_deref());
    let planned = PlannedJob {
        key: planned.job.key(planned.encoding_revision, &version),
        solver_version: version,
        ..planned.clone()
    };
    Some(Row {
        status: answer,
        note,
        // The whole process counts as solving, including reading the formula.
        solve_cpu_s: Some(cpu_s),
        cpu_s,
        wall_s,
        memory_peak_bytes,
        isolation: Isolation::Benchexec,
        started_unix_s: start.and_then(value::moment).unwrap_or(0.0),
        ..Row::blank(planned, termination)
    })
}

/// Returns the limit that a run exceeded, and a note with its use and the limit. BenchExec has limits of time in
/// whole seconds.
fn beyond(
    limits: &Limits,
    cpu_s: f64,
    wall_s: f64,
    memory_bytes: Option<u64>,
) -> Option<(Termination, String)> {
    let (limit_cpu_s, limit_wall_s) = (whole(limits.cpu_s) as f64, whole(limits.wall_s) as f64);
    let limit_bytes = limits.memory_bytes;
    if cpu_s > limit_cpu_s {
        let note = format!("after {cpu_s} s of CPU time (limit {limit_cpu_s} s)");
        return Some((Termination::CpuLimit, note));
    }
    if wall_s > limit_wall_s {
        let note = format!("after {wall_s} s of wall time (limit {limit_wall_s} s)");
        return Some((Termination::WallLimit, note));
    }
    let bytes = memory_bytes.filter(|&bytes| bytes > limit_bytes)?;
    let note = format!("with {bytes} bytes of memory (limit {limit_bytes} bytes)");
    Some((Termination::MemoryLimit, note))
}

/// Checks the answer of a row against the solver's log.
///
/// An answer that its log contradicts is dropped. An answer SAT without a solution is not checked, unless the board
/// is known to have none.
pub(super) fn judge(
    row: &mut Row,
    log: Option<LogContent>,
    formula: &TaskFormula,
    (map, images, size): &(VarMap, Images, FormulaSize),
    judge: &mut Judge,
) {
    row.formula = Some(size.clone());
    row.clause_digest = Some(formula.clause_digest.clone());
    let LogContent { answer, model, effort, fault } = log.unwrap_or_default();
    row.solver_stats = effort;
    let contradicted =
        answer.filter(|&answer| row.status != Answer::Unknown && answer != row.status);
    let fault = fault.or(contradicted
        .map(|answer| format!("it answers {answer}, and BenchExec's result is {}", row.status)));
    if let Some(fault) = fault {
        row.status = Answer::Unknown;
        row.termination = if row.termination == Termination::Finished {
            Termination::Crashed
        } else {
            row.termination
        };
        row.note = Some(format!("the solver's log is invalid: {fault}"));
        return;
    }
    let mut violated = None;
    if let (Answer::Sat, Some(model)) = (row.status, model) {
        match PartialModel::of(&model, size.variables) {
            Ok(values) => {
                let solution = map.decode(|lit| values.holds(images.of(lit)));
                row.set_solution(&solution);
                violated = values.violated(formula, images);
            }
            Err(fault) => {
                row.termination = if row.termination == Termination::Finished {
                    Termination::Crashed
                } else {
                    row.termination
                };
                row.note = Some(format!("the solver's model is invalid: {fault}"));
                return;
            }
        }
    }
    let solution = row.solution();
    let case = Case::new(&row.job.instance, row.status, solution.as_ref());
    let judgement = if row.status == Answer::Sat && solution.is_none() {
        // Without a solution, the answer is wrong only if the board is known to have none.
        let denied = judge.judge(&Case { answer: Answer::Unsat, ..case });
        if denied.verdict != Verdict::Verified {
            // A limit that was passed is more informative.
            row.note.get_or_insert_with(|| "a solution is claimed, and no log shows it".into());
            return;
        }
        row.verdict = Verdict::Wrong;
        row.checked_by = denied.evidence;
        row.note = Some(format!("the {} has no solution", row.job.instance.noun()));
        return;
    } else {
        judge.judge(&Case { violated: violated.as_deref(), ..case })
    };
    row.verdict = judgement.verdict;
    row.checked_by = judgement.evidence;
    row.note = judgement.note.or(row.note.take());
}

/// Returns true if a row has the answer SAT and no solution.
pub(super) fn is_without_model(row: &Row) -> bool {
    row.status == Answer::Sat && !row.has_solution() && row.verdict == Verdict::Unchecked
}

/// A model by the numbers of variables; variables that it does not contain are false.
struct PartialModel {
    /// 1 is true, -1 false, 0 absent.
    of: Vec<i8>,
}

impl PartialModel {
    fn of(model: &[Lit], variables: u64) -> Result<Self, String> {
        let mut of = vec![0_i8; variables as usize];
        for lit in model {
            let number = lit.vidx() + 1;
            let Some(value) = of.get_mut(lit.vidx()) else {
                return Err(format!("the variable {number} is beyond the formula's {variables}"));
            };
            let sign = if lit.is_pos() { 1 } else { -1 };
            if *value == -sign {
                return Err(format!("the variable {number} is both true and false"));
            }
            *value = sign;
        }
        Ok(Self { of })
    }

    fn holds(&self, lit: Lit) -> bool {
        (self.of[lit.vidx()] == 1) == lit.is_pos()
    }

    /// Returns the first clause that the model does not satisfy. A model that leaves variables open is checked
    /// against the rules of the board only.
    fn violated(&self, formula: &TaskFormula, images: &Images) -> Option<Vec<i32>> {
        if self.of.contains(&0) {
            return None;
        }
        let model = VariableValues::of(self.of.len() as u32, |lit| self.holds(lit));
        let mut clause_check = ClauseCheck::new(model);
        let TaskFormula { numbering, encoding, instance, .. } = formula;
        numbering.encode(encoding.as_ref(), &instance.problem(), images, &mut clause_check);
        clause_check.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_beyond_a_limit_determines_the_termination() {
        let limits = Limits { cpu_s: 1.5, wall_s: 6.0, memory_bytes: 1 << 30, nodes: None };
        let of = |cpu_s, wall_s, bytes| beyond(&limits, cpu_s, wall_s, bytes).map(|found| found.0);
        // BenchExec had the limit 2 s.
        assert_eq!(of(2.0, 6.0, Some(1 << 30)), None);
        assert_eq!(of(1.9, 1.9, None), None);
        assert_eq!(of(2.001, 2.1, None), Some(Termination::CpuLimit));
        assert_eq!(of(1e6, 1.0, None), Some(Termination::CpuLimit));
        assert_eq!(of(0.1, 6.001, None), Some(Termination::WallLimit));
        assert_eq!(of(0.1, 0.1, Some((1 << 30) + 1)), Some(Termination::MemoryLimit));
    }
}
