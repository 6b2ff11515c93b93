//! Runs the engine within its limits, and judges its result.

use std::time::Instant;

use bezzel_count::Halt;
use bezzel_experiment::backend::{
    self, BackendError, BackendResult, Conditions, InputKind, PreparedFormula, Query, QueryInput,
};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{AllSolutions, Count};
use bezzel_process::{StopReason, usage};
use bezzel_solve::{Answer, Budget, SessionOptions, SolverError, SolverErrorKind};

use super::listing_observer::{ListingObserver, ListingOutcome, Show};
use super::{EngineRequest, EngineResult, Limits};
use crate::failure::Failure;
use crate::phase::{self, Phase};
use crate::{interrupt, limited};

/// Runs the engine. Solutions that count are passed to `show`, if it is given.
pub(crate) fn run<'a>(
    request: &'a EngineRequest,
    show: Option<Show<'a>>,
) -> Result<EngineResult, Failure> {
    let EngineRequest { instance, task, engine, limits, .. } = request;
    let interrupt = interrupt::listing_begins();
    let start = Instant::now();
    let start_cpu_s = usage::cpu_s();
    phase::begin(Phase::Generating);
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

    let mut observer = ListingObserver::new(instance, request.max_solutions, show);
    // An engine that reads the board, or a program, has nothing to load before it searches.
    phase::begin(if question.formula.is_some() { Phase::Loading } else { Phase::Searching });
    let outcome = engine.run(&question, &conditions, &mut observer);
    let ListingOutcome { collected, failure } = observer.finish();
    let (cpu_s, wall_s) = (usage::cpu_s() - start_cpu_s, start.elapsed().as_secs_f64());
    if let Some(failure) = failure {
        return Err(failure);
    }
    let so_far = || {
        if request.query == Query::List { so_far(collected.count) } else { String::new() }
    };
    if let Some(reason) = interrupt::stop_reason() {
        return Err(limited::stopped(reason, &so_far()));
    }
    phase::begin(Phase::Checking);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(BackendError::Options(error)) => return Err(Failure::input(error)),
        Err(BackendError::Program(error)) => return Err(program_failure(&engine.name(), &error)),
        Err(BackendError::Halt(halt)) => {
            return Err(Failure::Spent(format!("{}{}", refused(*limits, halt), so_far())));
        }
        Err(error) => return Err(Failure::work(error)),
    };
    let BackendResult { count, diagram, effort, usage: used } = outcome;
    let listed = request.query == Query::List;
    let count = if listed { Some(Count::from(collected.count)) } else { count.map(Count) };
    let count = count.ok_or_else(|| {
        Failure::Work(format!("the engine `{}` ended without a count", engine.name()))
    })?;
    let answer = if count.0.bits() > 0 { Answer::Sat } else { Answer::Unsat };
    let digest = listed.then_some(collected.digest);
    let all = AllSolutions { count, whole: true, digest, diagram, auxiliaries: None };
    let judgement = Judge::new().judge(&Case {
        task: *task,
        max_solutions: request.max_solutions,
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

/// The failure of a program that an engine or a solver starts. A program has the same limits as the command.
pub(crate) fn program_failure(name: &str, error: &SolverError) -> Failure {
    match error.kind {
        SolverErrorKind::Cpu | SolverErrorKind::Wall => {
            limited::stopped_while(Phase::Searching, StopReason::Wall, "")
        }
        SolverErrorKind::Memory => limited::stopped_while(Phase::Searching, StopReason::Memory, ""),
        SolverErrorKind::Fault | SolverErrorKind::Host => {
            Failure::Work(format!("`{name}`: {}", error.note))
        }
    }
}

/// The reason why an engine refused to go on, and the option that raises its limit.
pub(crate) fn refused(limits: Limits, halt: Halt) -> String {
    match halt {
        Halt::Nodes(nodes) => format!(
            "more than {} nodes would have to be kept while searching: `--nodes` allows more",
            grouped(nodes.into())
        ),
        Halt::Bytes(_) => {
            let bytes = memory(limits.memory_bytes.into());
            format!(
                "more than {bytes} of memory would be needed while searching: `--memory` allows more"
            )
        }
        halt => halt.to_string(),
    }
}

/// The number of solutions that were listed before the end.
fn so_far(count: u64) -> String {
    format!("; {} found so far", super::engine_result::solutions(count.into()))
}
