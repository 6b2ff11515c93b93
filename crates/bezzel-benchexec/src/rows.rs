//! A run of BenchExec as a row, and what is to be believed of it.

use bezzel_encode::{Images, Lit, VarMap};
use bezzel_solve::Answer;

use super::logs::Said;
use super::results::{Run, RunSet};
use super::tasks::Formula;
use super::value;
use super::value::whole;
use bezzel_lab::job::Limits;
use bezzel_lab::job::Planned;
use bezzel_lab::judge::{Case, Judge};
use bezzel_lab::model_check::{Model, Trial};
use bezzel_lab::row::{FormulaSize, Isolation, Row, Stop, Verdict};

/// Where a run is told.
pub(super) struct Source<'a> {
    pub(super) results: &'a RunSet,
    pub(super) run: &'a Run,
}

/// The version of a solver that does not tell one.
const UNTOLD: &str = "unknown";

/// The row of a job, as BenchExec measured it. None where it was not done to its end, was stopped by
/// somebody, or has no times: nothing is known of the job then.
pub(super) fn unjudged(planned: &Planned, source: &Source<'_>) -> Option<Row> {
    let Source { results, run } = source;
    let cpu_limit_s = results.time_limit.as_deref().and_then(value::seconds);
    let (answer, stop, note) = value::outcome(run, cpu_limit_s)?;
    let cpu_s = value::seconds(run.cpu.as_deref()?)?;
    let wall_s = value::seconds(run.wall.as_deref()?)?;
    if stop == Stop::HostError {
        return None;
    }
    let memory_peak_bytes = run.memory.as_deref().and_then(value::bytes);
    let (stop, note) = match beyond(&planned.job.limits, cpu_s, wall_s, memory_peak_bytes) {
        // BenchExec may have ended it for one limit while it was beyond another one.
        Some((limit, told)) if matches!(stop, Stop::Finished | Stop::Crashed) => {
            let status = run.status.as_deref().unwrap_or_default();
            (limit, Some(format!("BenchExec: {status}, {told}")))
        }
        _ => (stop, note),
    };
    let version = results.version.clone().unwrap_or_else(|| UNTOLD.to_owned());
    let start = run.start.as_deref().or(results.start.as_deref());
    let planned = Planned {
        key: planned.job.key(planned.encoding_revision, &version),
        solver_version: version,
        ..planned.clone()
    };
    Some(Row {
        answer,
        note,
        // Its whole process solves, and reads the formula.
        solve_cpu_s: Some(cpu_s),
        cpu_s,
        wall_s,
        memory_peak_bytes,
        isolation: Isolation::Benchexec,
        started_unix_s: start.and_then(value::moment).unwrap_or(0.0),
        ..Row::blank(planned, stop)
    })
}

/// The limit that a run exceeded, and a note with its use and the limit. BenchExec has limits of time in
/// whole seconds.
fn beyond(
    limits: &Limits,
    cpu_s: f64,
    wall_s: f64,
    memory_bytes: Option<u64>,
) -> Option<(Stop, String)> {
    let (most_cpu_s, most_wall_s) = (whole(limits.cpu_s) as f64, whole(limits.wall_s) as f64);
    let most_bytes = limits.memory_bytes;
    if cpu_s > most_cpu_s {
        let note = format!("after {cpu_s} s of CPU time (limit {most_cpu_s} s)");
        return Some((Stop::CpuLimit, note));
    }
    if wall_s > most_wall_s {
        let note = format!("after {wall_s} s of wall time (limit {most_wall_s} s)");
        return Some((Stop::WallLimit, note));
    }
    let bytes = memory_bytes.filter(|&bytes| bytes > most_bytes)?;
    let note = format!("with {bytes} bytes of memory (limit {most_bytes} bytes)");
    Some((Stop::MemoryLimit, note))
}

/// Judges a row by what the solver said in its log.
///
/// An answer that its log contradicts is none. A solution that is claimed and not shown is not
/// checked, unless the board is known to have none.
pub(super) fn judge(
    row: &mut Row,
    said: Option<Said>,
    formula: &Formula,
    (map, images, size): &(VarMap, Images, FormulaSize),
    judge: &mut Judge,
) {
    row.formula = Some(size.clone());
    row.clause_digest = Some(formula.clause_digest.clone());
    let Said { answer, model, effort, fault } = said.unwrap_or_default();
    row.effort = effort;
    let contradicted =
        answer.filter(|&answer| row.answer != Answer::Unknown && answer != row.answer);
    let fault = fault.or(contradicted
        .map(|answer| format!("it answers {answer}, and BenchExec's result is {}", row.answer)));
    if let Some(fault) = fault {
        row.answer = Answer::Unknown;
        row.stop = if row.stop == Stop::Finished { Stop::Crashed } else { row.stop };
        row.note = Some(format!("the solver's log makes no sense: {fault}"));
        return;
    }
    let mut violated = None;
    if let (Answer::Sat, Some(model)) = (row.answer, model) {
        match Values::of(&model, size.variables) {
            Ok(values) => {
                let solution = map.decode(|lit| values.holds(images.of(lit)));
                row.set_solution(&solution);
                violated = values.violated(formula, images);
            }
            Err(fault) => {
                row.stop = if row.stop == Stop::Finished { Stop::Crashed } else { row.stop };
                row.note = Some(format!("the solver's model makes no sense: {fault}"));
                return;
            }
        }
    }
    let solution = row.solution();
    let case = Case::new(&row.job.instance, row.answer, solution.as_ref());
    let judgement = if row.answer == Answer::Sat && solution.is_none() {
        // Nothing is shown. Is the opposite known?
        let denied = judge.judge(&Case { answer: Answer::Unsat, ..case });
        if denied.verdict != Verdict::Verified {
            // A limit that was passed says more.
            row.note.get_or_insert_with(|| "a solution is claimed, and no log shows it".into());
            return;
        }
        row.verdict = Verdict::Wrong;
        row.evidence = denied.evidence;
        row.note = Some(format!("the {} has no solution", row.job.instance.noun()));
        return;
    } else {
        judge.judge(&Case { violated: violated.as_deref(), ..case })
    };
    row.verdict = judgement.verdict;
    row.evidence = judgement.evidence;
    row.note = judgement.note.or(row.note.take());
}

/// Whether a row claims a solution and shows none.
pub(super) fn is_without_model(row: &Row) -> bool {
    row.answer == Answer::Sat && !row.has_solution() && row.verdict == Verdict::Unchecked
}

/// A model by the numbers of variables; those that it does not mention are false.
struct Values {
    /// 1 is true, -1 false, 0 not mentioned.
    of: Vec<i8>,
}

impl Values {
    fn of(model: &[Lit], variables: u64) -> Result<Self, String> {
        let mut of = vec![0_i8; variables as usize];
        for lit in model {
            let number = lit.vidx() + 1;
            let Some(value) = of.get_mut(lit.vidx()) else {
                return Err(format!("the variable {number} is beyond the formula's {variables}"));
            };
            let told = if lit.is_pos() { 1 } else { -1 };
            if *value == -told {
                return Err(format!("the variable {number} is both true and false"));
            }
            *value = told;
        }
        Ok(Self { of })
    }

    fn holds(&self, lit: Lit) -> bool {
        (self.of[lit.vidx()] == 1) == lit.is_pos()
    }

    /// The first clause that the model does not satisfy. A model that leaves variables open is held
    /// against the rules of the board alone.
    fn violated(&self, formula: &Formula, images: &Images) -> Option<Vec<i32>> {
        if self.of.contains(&0) {
            return None;
        }
        let model = Model::of(self.of.len() as u32, |lit| self.holds(lit));
        let mut trial = Trial::new(model);
        let Formula { numbering, encoding, instance, .. } = formula;
        numbering.encode(encoding.as_ref(), &instance.problem(), images, &mut trial);
        trial.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_beyond_a_limit_tells_which_limit_it_was() {
        let limits = Limits { cpu_s: 1.5, wall_s: 6.0, memory_bytes: 1 << 30, nodes: None };
        let of = |cpu_s, wall_s, bytes| beyond(&limits, cpu_s, wall_s, bytes).map(|found| found.0);
        // BenchExec was given 2 s.
        assert_eq!(of(2.0, 6.0, Some(1 << 30)), None);
        assert_eq!(of(1.9, 1.9, None), None);
        assert_eq!(of(2.001, 2.1, None), Some(Stop::CpuLimit));
        assert_eq!(of(1e6, 1.0, None), Some(Stop::CpuLimit));
        assert_eq!(of(0.1, 6.001, None), Some(Stop::WallLimit));
        assert_eq!(of(0.1, 0.1, Some((1 << 30) + 1)), Some(Stop::MemoryLimit));
    }
}
