//! Runs the engine within its limits, and judges its result.

use std::time::Instant;

use bezzel_count::Halt;
use bezzel_experiment::backend::{
    self, BackendError, BackendResult, Conditions, InputKind, PreparedFormula, Query, QueryInput,
};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{AllSolutions, Count, Task};
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_process::{SoftLimit, SoftLimits, Watch, usage};
use bezzel_solve::{Answer, Budget, Interrupt, SessionOptions, SolverErrorKind};

use super::listing_observer::{ListingObserver, ListingOutcome, Show};
use super::{EngineRequest, EngineResult, Limits};
use crate::failure::Failure;
use crate::interrupt;

/// Runs the engine. Solutions that count are passed to `show`, if it is given.
pub(crate) fn run<'a>(
    request: &'a EngineRequest,
    show: Option<Show<'a>>,
) -> Result<EngineResult, Failure> {
    let EngineRequest { instance, task, engine, limits, .. } = request;
    let interrupt = interrupt::count_begins();
    let start = Instant::now();
    let start_cpu_s = usage::cpu_s();
    let watch = watch(*limits, interrupt.clone())?;

    let problem = backend::formula_instance(&engine.name(), &request.options, instance).problem();
    let prepared = request.encoding.as_ref();
    let prepared = prepared
        .map(|encoding| PreparedFormula::new(encoding.as_ref(), &problem, &request.numbering));
    let formula = prepared.as_ref().map(PreparedFormula::formula);
    debug_assert_eq!(formula.is_some(), engine.reads() != InputKind::Board);
    let budget = Budget {
        // As many cores as there may be, for the whole time limit.
        cpu_s: limits.wall_s * f64::from(request.threads()),
        wall_s: limits.wall_s - start.elapsed().as_secs_f64(),
        memory_bytes: limits.memory_bytes,
    };
    let session_options =
        SessionOptions { interrupt, budget: Some(budget), ..SessionOptions::default() };
    let conditions = Conditions {
        options: &request.options,
        nodes: limits.nodes,
        session_options: &session_options,
        permission: &request.permission,
    };
    let question = QueryInput { instance, formula, query: request.query };

    let board = instance.board().filter(|_| *task == Task::Fundamental);
    let group = board.map(|board| (board, stabilizer(board)));
    let mut observer = ListingObserver::new(instance, group, request.max_solutions, show);
    let outcome = engine.run(&question, &conditions, &mut observer);
    let ListingOutcome { collected, failure } = observer.finish();
    let hit = watch.disarm();
    let (cpu_s, wall_s) = (usage::cpu_s() - start_cpu_s, start.elapsed().as_secs_f64());
    if let Some(failure) = failure {
        return Err(failure);
    }
    if interrupt::stop_requested() {
        let so_far =
            if request.query == Query::List { so_far(collected.count) } else { String::new() };
        return Err(Failure::Interrupted(format!("stopped{so_far}")));
    }
    let outcome = match (outcome, hit) {
        (Ok(outcome), None) => outcome,
        (Err(BackendError::Options(error)), _) => return Err(Failure::input(error)),
        (Err(BackendError::Program(solver_error)), None) => {
            let message = format!("the engine `{}`: {}", engine.name(), solver_error.note);
            return Err(match solver_error.kind {
                SolverErrorKind::Cpu | SolverErrorKind::Wall | SolverErrorKind::Memory => {
                    Failure::Spent(message)
                }
                SolverErrorKind::Fault | SolverErrorKind::Host => Failure::Work(message),
            });
        }
        (outcome, hit) => {
            let halt = match outcome {
                Err(BackendError::Halt(halt)) => Some(halt),
                _ => None,
            };
            let so_far =
                if request.query == Query::List { so_far(collected.count) } else { String::new() };
            let reason = spent(*limits, halt, hit);
            return Err(Failure::Spent(format!("{reason}{so_far}")));
        }
    };
    let BackendResult { count, diagram, effort, usage: used } = outcome;
    let listed = request.query == Query::List;
    let count = if listed { Some(Count::from(collected.count)) } else { count.map(Count) };
    let count = count.ok_or_else(|| {
        Failure::Work(format!("the engine `{}` ended without a count", engine.name()))
    })?;
    let answer = if count.0.bits() > 0 { Answer::Sat } else { Answer::Unsat };
    // The first `max_solutions` fundamental solutions are a part of all solutions, and are judged as such.
    let enough = request.max_solutions.is_some_and(|max_solutions| count.0 == max_solutions.into());
    let judged_as = if enough && *task == Task::Fundamental { Task::Enumerate } else { *task };
    let digest = (listed && judged_as != Task::Fundamental).then_some(collected.digest);
    let all = AllSolutions { count, whole: true, digest, diagram, auxiliaries: None };
    let judgement = Judge::new().judge(&Case {
        task: judged_as,
        max_solutions: request.max_solutions,
        symmetry: request.symmetry,
        all: Some(&all),
        violation: collected.violation.as_deref(),
        ..Case::new(instance, answer, None)
    });
    let own_peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
    Ok(EngineResult {
        all,
        judgement,
        effort,
        cpu_s: cpu_s + used.map_or(0.0, |used| used.cpu_s),
        wall_s,
        memory_peak_bytes: own_peak_bytes.max(used.and_then(|used| used.memory_peak_bytes)),
    })
}

/// Enforces the limits that can be enforced from outside the engine.
pub(crate) fn watch(limits: Limits, interrupt: Interrupt) -> Result<Watch, Failure> {
    let Limits { memory_bytes, wall_s, .. } = limits;
    let limits = SoftLimits { cpu_s: f64::INFINITY, wall_s, memory_bytes };
    Watch::arm(limits, move |_| interrupt.raise()).map_err(Failure::work)
}

/// The limit that was reached, and the option that raises it.
pub(crate) fn spent(limits: Limits, halt: Option<Halt>, hit: Option<SoftLimit>) -> String {
    let memory_spent = || {
        let bytes = memory(limits.memory_bytes.into());
        format!("more than {bytes} of memory would be needed: `--memory` allows more")
    };
    match (halt, hit) {
        (Some(Halt::Nodes(nodes)), _) => format!(
            "more than {} nodes would have to be kept: `--nodes` allows more",
            grouped(nodes.into())
        ),
        (Some(Halt::Bytes(_)), _) | (_, Some(SoftLimit::Memory)) => memory_spent(),
        (_, Some(SoftLimit::Wall | SoftLimit::Cpu)) => {
            format!("it took longer than {} s: `--timeout` allows more", limits.wall_s)
        }
        (Some(halt), None) => halt.to_string(),
        (None, None) => "it did not end".to_owned(),
    }
}

/// The number of solutions that were listed before the end.
fn so_far(count: u64) -> String {
    format!("; {} found so far", super::engine_result::solutions(count.into(), ""))
}
