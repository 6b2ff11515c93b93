//! Tasks on all solutions: an engine finds them or their number, and each listed solution is checked by the rules of
//! the instance.

use std::mem;
use std::ops::ControlFlow;
use std::time::Instant;

use bezzel_count::Halt;
use bezzel_encode::Auxiliaries;
use bezzel_problem::Candidate;
use bezzel_process::usage;
use bezzel_solve::{Effort, SessionOptions};

use super::solve::left;
use super::{JobObserver, JobWatch, ResolvedJob, Step, WorkError, peak_bytes};
use crate::backend::{
    self, Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind,
    NumberedFormula, Observer, PreparedFormula, Query, QueryInput,
};
use crate::check::solution_collector::SolutionCollector;
use crate::model::all_solutions::{AllSolutions, Count};
use crate::model::job::{Job, Task};
use crate::model::message::Message;
use crate::model::row::{FormulaSize, Termination};

/// Runs the job and reports each step.
pub(super) fn all(
    resolved: &ResolvedJob<'_>,
    engine: &dyn Backend,
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<(), WorkError> {
    let ResolvedJob { job, encoding, permission, projection, .. } = *resolved;
    let unable = |reason: String| WorkError::Unable { engine: job.solver.clone(), reason };
    let query = engine
        .capabilities()
        .query(job.task)
        .ok_or_else(|| unable(Capabilities::lack(job.task).to_owned()))?;
    engine.fits(&job.instance, encoding).map_err(|unsupported| unable(unsupported.to_string()))?;
    let start_of_all = Instant::now();
    let watch = JobWatch::arm(resolved, engine, &session_options.interrupt)?;

    let problem = backend::instance_of_formula(job).problem();
    let prepared = encoding
        .filter(|_| engine.reads() != InputKind::Instance)
        .map(|encoding| PreparedFormula::new(encoding, &problem, &job.numbering));
    if prepared.is_none() && engine.reads() != InputKind::Instance {
        return Err(unable("it reads an encoding, and the job has none".into()));
    }
    // A circuit has gates and no clauses, so there is no formula to measure.
    if let Some(prepared) = prepared.as_ref().filter(|_| engine.reads() == InputKind::Clauses) {
        let formula = FormulaSize::of(prepared.stats().clone());
        let generate_cpu_s = prepared.generate_cpu_s();
        observer.message(Message::Measured { formula, generate_cpu_s })?;
    }
    // An engine that reads the instance has nothing to load before it searches.
    observer.begins(if prepared.is_some() { Step::Loading } else { Step::Searching });
    let formula = prepared.as_ref().map(PreparedFormula::formula);
    refuse_projection(resolved, engine, formula).map_err(unable)?;

    let session_options =
        SessionOptions { budget: Some(left(&job.limits, start_of_all)), ..session_options };
    let conditions = Conditions {
        options: &job.options,
        nodes: job.limits.nodes,
        session_options: &session_options,
        permission,
    };
    let question = QueryInput { instance: &job.instance, formula, query, projection };
    let (begun, begun_in_all) = (cpu_s(job), usage::cpu_s());
    let mut engine_observer = EngineObserver {
        collector: SolutionCollector::new(&job.instance),
        max_solutions: job.max_solutions.filter(|_| job.task == Task::Enumerate),
        job,
        begun,
        loaded: None,
        spent: Effort::default(),
        observer,
        failure: None,
    };
    let outcome = engine.run(&question, &conditions, &mut engine_observer);
    let ended = cpu_s(job);
    let EngineObserver { collector, loaded, spent, observer, failure, .. } = engine_observer;
    observer.begins(Step::Checking);
    if let Some(error) = failure {
        return Err(error);
    }
    let begun_finding = loaded.unwrap_or(begun);
    // An engine that was stopped cannot report the time of its other threads.
    let used_in_all = usage::cpu_s() - begun_in_all - (begun_finding - begun);
    let used_here = ended - begun_finding;
    let found_s = if outcome.is_ok() { used_here } else { used_here.max(used_in_all) };
    let solve_cpu_s = found_s - collector.check_cpu_s();
    let collected = collector.finish();
    let (outcome, stop, note) = match outcome {
        Ok(outcome) => (Some(outcome), Termination::Finished, None),
        Err(BackendError::Options(error)) => return Err(error.into()),
        Err(BackendError::Halt(halt)) => {
            (None, termination_of_halt(halt), (halt == Halt::Thread).then(|| halt.to_string()))
        }
        Err(BackendError::Program(error)) => (None, error.kind.into(), Some(error.note)),
    };
    // A number that arrives after a limit does not count.
    let stop = watch.disarm_or(stop);
    let whole = outcome.is_some() && stop == Termination::Finished;
    let BackendResult { count, diagram, effort, usage: used } =
        outcome.unwrap_or_else(|| BackendResult { effort: spent, ..BackendResult::default() });
    let listed = query == Query::List;
    let count = if listed {
        Count::from(collected.count)
    } else {
        count.map_or_else(Count::default, Count)
    };
    let solve_cpu_s = solve_cpu_s.max(0.0) + used.map_or(0.0, |used| used.cpu_s);
    let digest = listed.then_some(collected.digest);
    let check_cpu_s = listed.then_some(collected.check_cpu_s);
    let is_of_models = job.task == Task::Models;
    let auxiliaries = encoding.filter(|_| is_of_models).map(|encoding| {
        match encoding.info().auxiliaries {
            // Nothing defines the variables of a group whose condition does not hold.
            Auxiliaries::Defined if problem.has_conditions() => Auxiliaries::Free,
            declared => declared,
        }
    });
    let all = AllSolutions { count, whole, digest, diagram, auxiliaries };
    observer.message(Message::Solved { answer: all.answer(), solve_cpu_s, effort })?;
    observer.message(Message::Found { all, violation: collected.violation, check_cpu_s })?;
    let memory_peak_bytes = peak_bytes().max(used.and_then(|used| used.memory_peak_bytes));
    if resolved.ends_process {
        // The process ends here. Freeing the memory first would count as time of the job.
        mem::forget(prepared);
    }
    if let Some(note) = note {
        observer.message(Message::Failed { stop, note })?;
    }
    observer.message(Message::Ended { stop, memory_peak_bytes })
}

/// Refuses a projection for an engine that does not read it, and to candidates that have several variables.
fn refuse_projection(
    resolved: &ResolvedJob<'_>,
    engine: &dyn Backend,
    formula: Option<NumberedFormula<'_>>,
) -> Result<(), String> {
    let ResolvedJob { job, projection, .. } = *resolved;
    if projection.is_some() && !engine.name().starts_with("blocking") {
        return Err("it projects no solutions, as `blocking` does".to_owned());
    }
    let Some(map) = formula.map(|formula| formula.map) else { return Ok(()) };
    let mut candidates = projection.unwrap_or_default().iter();
    candidates.find(|&&candidate| map.cube(candidate).len() != 1).map_or(Ok(()), |&candidate| {
        let (encoding, label) = (&job.encoding, job.instance.label(candidate));
        Err(format!(
            "`{encoding}` has several variables for `{label}`, so it is not projected: take an encoding with one, as \
             `product`"
        ))
    })
}

/// Returns the end of a job whose engine gave up.
fn termination_of_halt(halt: Halt) -> Termination {
    match halt {
        Halt::Nodes(_) => Termination::NodeLimit,
        Halt::Bytes(_) => Termination::MemoryLimit,
        // No thread was started. Otherwise only the watch stops an engine, and it reports the limit.
        _ => Termination::Crashed,
    }
}

/// Returns the CPU time used so far, in seconds: of the process if the engine may use several threads, else of this
/// thread.
fn cpu_s(job: &Job) -> f64 {
    if backend::threads(&job.options) > 1 { usage::cpu_s() } else { usage::thread_cpu_s() }
}

/// Observes the engine: counts and checks the solutions, and passes them on.
struct EngineObserver<'a> {
    collector: SolutionCollector,
    max_solutions: Option<u64>,
    job: &'a Job,
    begun: f64,
    loaded: Option<f64>,
    spent: Effort,
    observer: &'a mut dyn JobObserver,
    failure: Option<WorkError>,
}

impl Observer for EngineObserver<'_> {
    fn loaded(&mut self, clause_digest: Option<String>) {
        let now = cpu_s(self.job);
        if let Some(clause_digest) = clause_digest {
            let load_cpu_s = now - self.begun;
            let loaded = Message::Loaded { clause_digest, load_cpu_s };
            self.failure = self.observer.message(loaded).err();
        }
        self.observer.begins(Step::Searching);
        self.loaded = Some(cpu_s(self.job));
    }

    fn halted(&mut self, effort: Effort) {
        self.spent = effort;
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.collector.add(chosen);
        let enough =
            self.max_solutions.is_some_and(|max_solutions| self.collector.shown() >= max_solutions);
        if self.observer.found(chosen).is_break() || enough || self.failure.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
