//! Asks the engine, within its limits, and has the judge look at what it found.

use std::time::Instant;

use bezzel_count::Halt;
use bezzel_external::{Limit, SoftLimits, Watch, usage};
use bezzel_lab::backend::{
    self, BackendError, Conditions, Outcome, Prepared, Query, Question, Reads,
};
use bezzel_lab::judge::{Case, Judge};
use bezzel_lab::quantity::{grouped, memory};
use bezzel_lab::{AllSolutions, Count, Task};
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_solve::{Answer, Budget, Interrupt, Terms, TroubleKind};

use super::looker::{Looked, Looker, Show};
use super::{Asked, Found, Limits};
use crate::failure::Failure;
use crate::interrupt;

/// Has the engine find what is asked for; solutions that count are shown to `show`, if there is
/// somebody.
pub(crate) fn run<'a>(asked: &'a Asked, show: Option<Show<'a>>) -> Result<Found, Failure> {
    let Asked { instance, task, engine, limits, .. } = asked;
    let interrupt = interrupt::count_begins();
    let start = Instant::now();
    let start_cpu_s = usage::cpu_s();
    let watch = watch(*limits, interrupt.clone())?;

    let problem = backend::formula_instance(&engine.name(), &asked.options, instance).problem();
    let prepared = asked.encoding.as_ref();
    let prepared =
        prepared.map(|encoding| Prepared::new(encoding.as_ref(), &problem, &asked.numbering));
    let formula = prepared.as_ref().map(Prepared::formula);
    debug_assert_eq!(formula.is_some(), engine.reads() != Reads::Board);
    let budget = Budget {
        // As many cores as there may be, for as long as it may last.
        cpu_s: limits.wall_s * f64::from(asked.threads()),
        wall_s: limits.wall_s - start.elapsed().as_secs_f64(),
        memory_bytes: limits.memory_bytes,
    };
    let terms = Terms { interrupt, budget: Some(budget), ..Terms::default() };
    let conditions = Conditions {
        options: &asked.options,
        nodes: limits.nodes,
        terms: &terms,
        permission: &asked.permission,
    };
    let question = Question { instance, formula, query: asked.query };

    let board = instance.board().filter(|_| *task == Task::Fundamental);
    let group = board.map(|board| (board, stabilizer(board)));
    let mut looker = Looker::new(instance, group, asked.most, show);
    let outcome = engine.run(&question, &conditions, &mut looker);
    let Looked { seen, failure } = looker.finish();
    let hit = watch.disarm();
    let (cpu_s, wall_s) = (usage::cpu_s() - start_cpu_s, start.elapsed().as_secs_f64());
    if let Some(failure) = failure {
        return Err(failure);
    }
    if interrupt::was_asked() {
        let so_far = if asked.query == Query::List { so_far(seen.count) } else { String::new() };
        return Err(Failure::Interrupted(format!("stopped{so_far}")));
    }
    let outcome = match (outcome, hit) {
        (Ok(outcome), None) => outcome,
        (Err(BackendError::Options(error)), _) => return Err(Failure::input(error)),
        (Err(BackendError::Program(trouble)), None) => {
            let told = format!("the engine `{}`: {}", engine.name(), trouble.note);
            return Err(match trouble.kind {
                TroubleKind::Cpu | TroubleKind::Wall | TroubleKind::Memory => Failure::Spent(told),
                TroubleKind::Fault | TroubleKind::Host => Failure::Work(told),
            });
        }
        (outcome, hit) => {
            let halt = match outcome {
                Err(BackendError::Halt(halt)) => Some(halt),
                _ => None,
            };
            let so_far =
                if asked.query == Query::List { so_far(seen.count) } else { String::new() };
            let reason = spent(*limits, halt, hit);
            return Err(Failure::Spent(format!("{reason}{so_far}")));
        }
    };
    let Outcome { count, diagram, effort, usage: used } = outcome;
    let listed = asked.query == Query::List;
    let count = if listed { Some(Count::from(seen.count)) } else { count.map(Count) };
    let count = count.ok_or_else(|| {
        Failure::Work(format!("the engine `{}` ended without a count", engine.name()))
    })?;
    let answer = if count.0.bits() > 0 { Answer::Sat } else { Answer::Unsat };
    // So many of the fundamental solutions are some of all, and judged like these.
    let enough = asked.most.is_some_and(|most| count.0 == most.into());
    let judged_as = if enough && *task == Task::Fundamental { Task::Enumerate } else { *task };
    let digest = (listed && judged_as != Task::Fundamental).then_some(seen.digest);
    let all = AllSolutions { count, whole: true, digest, diagram, auxiliaries: None };
    let judgement = Judge::new().judge(&Case {
        task: judged_as,
        most: asked.most,
        symmetry: asked.symmetry,
        all: Some(&all),
        violation: seen.violation.as_deref(),
        ..Case::new(instance, answer, None)
    });
    let own_peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
    Ok(Found {
        all,
        judgement,
        effort,
        cpu_s: cpu_s + used.map_or(0.0, |used| used.cpu_s),
        wall_s,
        memory_peak_bytes: own_peak_bytes.max(used.and_then(|used| used.memory_peak_bytes)),
    })
}

/// Keeps the limits that can be kept from without.
pub(crate) fn watch(limits: Limits, interrupt: Interrupt) -> Result<Watch, Failure> {
    let Limits { memory_bytes, wall_s, .. } = limits;
    let limits = SoftLimits { cpu_s: f64::INFINITY, wall_s, memory_bytes };
    Watch::arm(limits, move |_| interrupt.raise()).map_err(Failure::work)
}

/// What ran out, and what would help.
pub(crate) fn spent(limits: Limits, halt: Option<Halt>, hit: Option<Limit>) -> String {
    let memory_spent = || {
        let bytes = memory(limits.memory_bytes.into());
        format!("more than {bytes} of memory would be needed: `--memory` allows more")
    };
    match (halt, hit) {
        (Some(Halt::Nodes(nodes)), _) => format!(
            "more than {} nodes would have to be kept: `--nodes` allows more",
            grouped(nodes.into())
        ),
        (Some(Halt::Bytes(_)), _) | (_, Some(Limit::Memory)) => memory_spent(),
        (_, Some(Limit::Wall | Limit::Cpu)) => {
            format!("it took longer than {} s: `--timeout` allows more", limits.wall_s)
        }
        (Some(halt), None) => halt.to_string(),
        (None, None) => "it came to no end".to_owned(),
    }
}

/// How many solutions were listed before the end.
fn so_far(count: u64) -> String {
    format!("; {} found so far", super::found::solutions(count.into(), ""))
}
