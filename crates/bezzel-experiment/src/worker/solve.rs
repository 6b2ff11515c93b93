//! Encoding and solving: a pass that counts, a pass that loads the solver, and a pass that checks every clause against
//! the model.

use std::mem;
use std::time::Instant;

use bezzel_encode::{ClauseHash, ClauseSink, Encoding, FormulaStats, Lit, Tee, VarRange};
use bezzel_process::{Watch, usage};
use bezzel_solve::{Answer, Budget, Interrupt, Session, SessionOptions, SolverError};

use super::additions::AdditionsCollector;
use super::{JobObserver, JobWatch, ResolvedJob, Step, WorkError, peak_bytes, soft};
use crate::backend::{Backend, NumberedFormula};
use crate::check::model_check::{ClauseCheck, VariableValues};
use crate::model::job::{Job, Limits};
use crate::model::message::Message;
use crate::model::permission::Permission;
use crate::model::row::{FormulaSize, Termination};

/// Solves the job and reports each step.
pub(super) fn solve(
    resolved: &ResolvedJob<'_>,
    (solver, encoding): (&dyn Backend, &dyn Encoding),
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let ResolvedJob { job, permission, .. } = *resolved;
    let stop_loading = session_options.interrupt.clone();
    let start_of_all = Instant::now();
    let watch = JobWatch::arm(resolved, solver, &session_options.interrupt)?;

    // First pass: the size of the formula. Renaming needs the number of variables.
    let start = usage::thread_cpu_s();
    let mut stats = FormulaStats::new();
    let problem = job.instance.problem();
    let map = encoding.encode(&problem, &mut stats);
    let generate_cpu_s = usage::thread_cpu_s() - start;
    let formula = FormulaSize::of(stats);
    let (variables, clauses) = (formula.variables as u32, formula.clauses);
    let (problem, numbering, primary) = (&problem, &job.numbering, formula.primary as u32);
    observer.message(Message::Measured { formula, generate_cpu_s })?;

    // Second pass: the same clauses, into the solver.
    observer.begins(Step::Loading);
    let session_options =
        SessionOptions { budget: Some(left(&job.limits, start_of_all)), ..session_options };
    let mut session = solver.open(&job.options, &session_options, permission)?;
    let start = usage::thread_cpu_s();
    let images = numbering.images(problem, variables, &map);
    let kept = (map, images);
    let (map, images) = (&kept.0, &kept.1);
    let formula =
        NumberedFormula { encoding, problem, map, numbering, images, variables, primary, clauses };
    session.expect(variables, clauses);
    session.set_primary(&mut images.range(0..primary));
    let sink = Tee(ClauseHash::new(), session.as_mut());
    let mut sink = UntilRaised { interrupt: &stop_loading, sink };
    formula.write(&mut sink);
    let clause_digest = sink.sink.0.finish();

    let mut answer = Answer::Unknown;
    if !watch.is_hit() {
        observer.message(Message::Loaded {
            clause_digest,
            load_cpu_s: usage::thread_cpu_s() - start,
        })?;
        observer.begins(Step::Searching);
        let start = usage::thread_cpu_s();
        answer = session.solve();
        let own_cpu_s = usage::thread_cpu_s() - start;
        let solve_cpu_s = own_cpu_s + session.usage().map_or(0.0, |used| used.cpu_s);
        observer.message(Message::Solved { answer, solve_cpu_s, effort: session.effort() })?;
        observer.begins(Step::Checking);
        session.end_proof();
    }
    // An answer that arrives after a limit does not count, and the following steps are not part of the search.
    let stop = watch.disarm_or(Termination::Finished);
    let used_peak_bytes = session.usage().and_then(|used| used.memory_peak_bytes);
    let memory_peak_bytes = peak_bytes().max(used_peak_bytes);

    if answer == Answer::Sat {
        read_model(&formula, session.as_mut(), observer)?;
    }
    let solver_error = session.error();
    if solver_error.is_none() {
        observer.answered(answer, &formula, session.as_mut())?;
    }
    // A program does not report its simplified formula.
    if job.simplified && solver.program().is_none() && stop == Termination::Finished {
        // Two sessions at a time would need twice the memory that the job may have.
        drop(session);
        simplify(job, &formula, solver, permission, start_of_all, observer)?;
    } else if resolved.ends_process {
        // The process ends here. Freeing every clause first would count as time of the job.
        mem::forget(session);
    }
    if resolved.ends_process {
        mem::forget(kept);
    }
    if let Some(SolverError { kind, note }) = solver_error {
        observer.message(Message::Failed { stop: kind.into(), note })?;
        return observer.message(Message::Ended { stop: kind.into(), memory_peak_bytes });
    }
    observer.message(Message::Ended { stop, memory_peak_bytes })
}

/// Decodes the solution from the model, and checks every clause against the model.
fn read_model(
    formula: &NumberedFormula<'_>,
    session: &mut dyn Session,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let start = usage::thread_cpu_s();
    let solution = formula.map.decode(|lit| session.holds(formula.images.of(lit)));
    let chosen = solution.chosen().to_vec();
    observer.message(Message::Decoded { chosen, decode_cpu_s: usage::thread_cpu_s() - start })?;
    if session.is_whole() {
        let start = usage::thread_cpu_s();
        let mut clause_check =
            ClauseCheck::new(VariableValues::of(formula.variables, |lit| session.holds(lit)));
        formula.write(&mut clause_check);
        let violated = clause_check.finish();
        observer
            .message(Message::Checked { violated, check_cpu_s: usage::thread_cpu_s() - start })?;
    }
    Ok(())
}

/// Measures the formula after preprocessing, in a separate session, so that the search is independent of it.
fn simplify(
    job: &Job,
    formula: &NumberedFormula<'_>,
    solver: &dyn Backend,
    permission: &Permission,
    start_of_all: Instant,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    // A second of CPU time beyond the limit lies well within the hard limits, which remain unchanged. The runner's wall
    // limit remains as well, and the answer must not be lost to it.
    let mut limits = soft(&job.limits);
    limits.cpu_s += 1.0;
    limits.wall_s -= start_of_all.elapsed().as_secs_f64();
    let watch = Watch::arm(limits, move |_| raise.raise())?;
    let mut session = solver.open(&job.options, &interrupt.clone().into(), permission)?;
    session.expect(formula.variables, 0);
    formula.write(&mut UntilRaised { interrupt: &interrupt, sink: session.as_mut() });
    let NumberedFormula { problem, map, images, variables, .. } = *formula;
    let mut additions = AdditionsCollector::new(problem, map, images, variables);
    let simplified = if interrupt.is_raised() {
        None
    } else {
        session.simplify(&mut |clause| {
            if let Some(additions) = &mut additions {
                additions.clause(clause);
            }
        })
    };
    mem::forget(session);
    match (watch.disarm(), simplified) {
        (None, Some(simplified)) => {
            // Without re-encoding there are no additions to report.
            let additions = additions.map(|additions| additions.finish());
            let additions = additions.filter(|additions| additions.variables > 0);
            observer.message(Message::Simplified { simplified, additions })
        }
        _ => Ok(()),
    }
}

/// Returns the limits that a solver program receives: the wall time is reduced by the time used so far.
pub(super) fn left(limits: &Limits, start_of_all: Instant) -> Budget {
    let Limits { cpu_s, wall_s, memory_bytes, .. } = *limits;
    Budget { cpu_s, wall_s: wall_s - start_of_all.elapsed().as_secs_f64(), memory_bytes }
}

/// Passes clauses on until a limit is reached: a formula too large for its limit must not fill the memory up to the
/// hard limit. A formula loaded after that is incomplete and is not solved.
struct UntilRaised<'a, S> {
    interrupt: &'a Interrupt,
    sink: S,
}

impl<S: ClauseSink> ClauseSink for UntilRaised<'_, S> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.sink.fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if !self.interrupt.is_raised() {
            self.sink.clause(lits);
        }
    }
}
