//! Encoding and solving: two passes into counter and solver, and a third that holds the model
//! against every clause.

use std::mem::{self, ManuallyDrop};
use std::time::Instant;

use bezzel_encode::{ClauseSink, Digest, Encoding, Lit, Tally, Tee, VarRange};
use bezzel_external::{Watch, usage};
use bezzel_solve::{Answer, Budget, Interrupt, Session, Terms, Trouble, TroubleKind};

use super::additions::Collector;
use super::{WorkError, at_limit, peak_bytes, soft, watch};
use crate::backend::{Backend, Formula};
use crate::check::model_check::{Model, Trial};
use crate::model::job::{Job, Limits};
use crate::model::message::Message;
use crate::model::permission::Permission;
use crate::model::row::{FormulaSize, Stop};

/// Solves the job and tells each step.
pub(super) fn solve(
    job: &Job,
    solver: &dyn Backend,
    encoding: &dyn Encoding,
    terms: Terms,
    permission: &Permission,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let stop_loading = terms.interrupt.clone();
    let start_of_all = Instant::now();
    let watch = watch(job, solver, &terms.interrupt)?;

    // First pass: how large is it? Renaming must know the number of variables.
    let start = usage::thread_cpu_s();
    let mut tally = Tally::new();
    let problem = job.instance.problem();
    let map = encoding.encode(&problem, &mut tally);
    let generate_cpu_s = usage::thread_cpu_s() - start;
    let formula = FormulaSize::of(tally);
    let (variables, clauses) = (formula.variables as u32, formula.clauses);
    let (problem, numbering, primary) = (&problem, &job.numbering, formula.primary as u32);
    tell(&Message::Measured { formula, generate_cpu_s })?;

    // Second pass: the same clauses, into the solver. Layout and images are not given back, as below.
    let terms = Terms { budget: Some(left(&job.limits, start_of_all)), ..terms };
    let mut session = solver.open(&job.options, &terms, permission)?;
    let start = usage::thread_cpu_s();
    let images = numbering.images(problem, variables, &map);
    let (map, images) = (ManuallyDrop::new(map), ManuallyDrop::new(images));
    let (map, images) = (&*map, &*images);
    let formula =
        Formula { encoding, problem, map, numbering, images, variables, primary, clauses };
    session.expect(variables, clauses);
    session.set_primary(&mut images.range(0..primary));
    let sink = Tee(Digest::new(), session.as_mut());
    let mut sink = UntilRaised { interrupt: &stop_loading, sink };
    formula.write(&mut sink);
    let clause_digest = sink.sink.0.finish();

    let mut answer = Answer::Unknown;
    if watch.hit().is_none() {
        tell(&Message::Loaded { clause_digest, load_cpu_s: usage::thread_cpu_s() - start })?;
        let start = usage::thread_cpu_s();
        answer = session.solve();
        let own_cpu_s = usage::thread_cpu_s() - start;
        let solve_cpu_s = own_cpu_s + session.usage().map_or(0.0, |used| used.cpu_s);
        tell(&Message::Solved { answer, solve_cpu_s, effort: session.effort() })?;
        session.end_proof();
    }
    // An answer that comes after a limit is none, and what follows is no part of the search.
    let stop = watch.disarm().map_or(Stop::Finished, at_limit);
    let used_peak_bytes = session.usage().and_then(|used| used.memory_peak_bytes);
    let memory_peak_bytes = peak_bytes().max(used_peak_bytes);

    if answer == Answer::Sat {
        read_model(&formula, session.as_mut(), tell)?;
    }
    let trouble = session.trouble();
    // A program does not tell what it makes of a formula.
    if job.simplified && solver.program().is_none() && stop == Stop::Finished {
        // Two sessions at a time would need twice the memory that the job may have.
        drop(session);
        simplify(job, &formula, solver, permission, start_of_all, tell)?;
    } else {
        // The process ends here; giving every clause back first would be counted as the job's time.
        mem::forget(session);
    }
    if let Some(Trouble { kind, note }) = trouble {
        tell(&Message::Failed { stop: stop_of(kind), note })?;
        return tell(&Message::Ended { stop: stop_of(kind), memory_peak_bytes });
    }
    tell(&Message::Ended { stop, memory_peak_bytes })
}

/// Reads the solution off the model, and checks every clause against the model.
fn read_model(
    formula: &Formula<'_>,
    session: &mut dyn Session,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let start = usage::thread_cpu_s();
    let solution = formula.map.decode(|lit| session.holds(formula.images.of(lit)));
    let chosen = solution.chosen().to_vec();
    tell(&Message::Decoded { chosen, decode_cpu_s: usage::thread_cpu_s() - start })?;
    if session.is_whole() {
        let start = usage::thread_cpu_s();
        let mut trial = Trial::new(Model::of(formula.variables, |lit| session.holds(lit)));
        formula.write(&mut trial);
        let violated = trial.finish();
        tell(&Message::Checked { violated, check_cpu_s: usage::thread_cpu_s() - start })?;
    }
    Ok(())
}

/// Measures what preprocessing leaves of the formula, in a session of its own, so that the search
/// knows nothing of it.
fn simplify(
    job: &Job,
    formula: &Formula<'_>,
    solver: &dyn Backend,
    permission: &Permission,
    start_of_all: Instant,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let interrupt = Interrupt::default();
    let raise = interrupt.clone();
    // A second of CPU time beyond the limit lies well within the fences, which know nothing of this; the
    // runner's own of wall time goes on, and an answer must not be lost to it.
    let mut limits = soft(&job.limits);
    limits.cpu_s += 1.0;
    limits.wall_s -= start_of_all.elapsed().as_secs_f64();
    let watch = Watch::arm(limits, move |_| raise.raise())?;
    let mut session = solver.open(&job.options, &interrupt.clone().into(), permission)?;
    session.expect(formula.variables, 0);
    formula.write(&mut UntilRaised { interrupt: &interrupt, sink: session.as_mut() });
    let Formula { problem, map, images, variables, .. } = *formula;
    let mut additions = Collector::new(problem, map, images, variables);
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
            // Without re-encoding there is nothing to tell.
            let additions = additions.map(|additions| additions.finish());
            let additions = additions.filter(|additions| additions.variables > 0);
            tell(&Message::Simplified { simplified, additions })
        }
        _ => Ok(()),
    }
}

/// How a job ends whose solver is a program in trouble.
pub(super) fn stop_of(trouble: TroubleKind) -> Stop {
    match trouble {
        TroubleKind::Cpu => Stop::CpuLimit,
        TroubleKind::Wall => Stop::WallLimit,
        TroubleKind::Memory => Stop::MemoryLimit,
        TroubleKind::Fault => Stop::Crashed,
        TroubleKind::Host => Stop::HostError,
    }
}

/// The limits as a solver that is a program gets to know them, some of the wall time being gone.
pub(super) fn left(limits: &Limits, start_of_all: Instant) -> Budget {
    let Limits { cpu_s, wall_s, memory_bytes, .. } = *limits;
    Budget { cpu_s, wall_s: wall_s - start_of_all.elapsed().as_secs_f64(), memory_bytes }
}

/// Hands clauses on until a limit is passed: a formula too large for its limit must not fill the
/// memory up to the fence. What is loaded then is no formula, and is not solved.
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
