//! All solutions: an engine finds them or their number, and each listed solution is checked by the rules of the
//! instance.

use std::mem;
use std::ops::ControlFlow;
use std::time::Instant;

use bezzel_count::Halt;
use bezzel_encode::Encoding;
use bezzel_external::usage;
use bezzel_problem::Candidate;
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_solve::{Effort, Terms, Trouble};

use super::solve::{left, stop_of};
use super::{WorkError, at_limit, peak_bytes, watch};
use crate::backend::{
    self, Backend, BackendError, Capabilities, Conditions, Observer, Outcome, Prepared, Query,
    Question, Reads,
};
use crate::check::witness::Witness;
use crate::model::all_solutions::{AllSolutions, Count};
use crate::model::job::{Job, Task};
use crate::model::message::Message;
use crate::model::permission::Permission;
use crate::model::row::{FormulaSize, Stop};

/// Does the job and tells each step.
pub(super) fn all(
    job: &Job,
    engine: &dyn Backend,
    encoding: Option<&dyn Encoding>,
    terms: Terms,
    permission: &Permission,
    tell: &mut dyn FnMut(&Message) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let unable = |reason: String| WorkError::Unable { engine: job.solver.clone(), reason };
    let query = engine
        .capabilities()
        .query(job.task)
        .ok_or_else(|| unable(Capabilities::lack(job.task).to_owned()))?;
    engine.fits(&job.instance, encoding).map_err(|misfit| unable(misfit.to_string()))?;
    let start_of_all = Instant::now();
    let watch = watch(job, engine, &terms.interrupt)?;

    let problem = backend::instance_of_formula(job).problem();
    let prepared = encoding
        .filter(|_| engine.reads() != Reads::Board)
        .map(|encoding| Prepared::new(encoding, &problem, &job.numbering));
    if prepared.is_none() && engine.reads() != Reads::Board {
        return Err(unable("it reads an encoding, and the job has none".into()));
    }
    // A circuit has gates, and no clauses that would be read.
    if let Some(prepared) = prepared.as_ref().filter(|_| engine.reads() == Reads::Clauses) {
        let formula = FormulaSize::of(prepared.tally().clone());
        tell(&Message::Measured { formula, generate_cpu_s: prepared.generate_cpu_s() })?;
    }
    let formula = prepared.as_ref().map(Prepared::formula);

    let terms = Terms { budget: Some(left(&job.limits, start_of_all)), ..terms };
    let conditions =
        Conditions { options: &job.options, nodes: job.limits.nodes, terms: &terms, permission };
    let question = Question { instance: &job.instance, formula, query };
    let group = (job.task == Task::Fundamental)
        .then(|| job.instance.board().map_or_else(Vec::new, stabilizer));
    let (begun, begun_in_all) = (cpu_s(job), usage::cpu_s());
    let mut looker = Looker {
        witness: Witness::new(&job.instance, group),
        most: job.most.filter(|_| job.task == Task::Enumerate),
        job,
        begun,
        loaded: None,
        spent: Effort::default(),
        tell,
        failure: None,
    };
    let outcome = engine.run(&question, &conditions, &mut looker);
    let ended = cpu_s(job);
    let Looker { witness, loaded, spent, tell, failure, .. } = looker;
    if let Some(error) = failure {
        return Err(error);
    }
    let begun_finding = loaded.unwrap_or(begun);
    // What was used in other threads, an engine that came to no end cannot tell.
    let used_in_all = usage::cpu_s() - begun_in_all - (begun_finding - begun);
    let used_here = ended - begun_finding;
    let found_s = if outcome.is_ok() { used_here } else { used_here.max(used_in_all) };
    let solve_cpu_s = found_s - witness.check_cpu_s();
    let seen = witness.finish();
    let (outcome, stop, trouble) = match outcome {
        Ok(outcome) => (Some(outcome), Stop::Finished, None),
        Err(BackendError::Options(error)) => return Err(error.into()),
        Err(BackendError::Halt(halt)) => (None, of_halt(halt), None),
        Err(BackendError::Program(trouble)) => (None, stop_of(trouble.kind), Some(trouble)),
    };
    // A number that comes after a limit is none.
    let stop = watch.disarm().map_or(stop, at_limit);
    let whole = outcome.is_some() && stop == Stop::Finished;
    let Outcome { count, diagram, effort, usage: used } =
        outcome.unwrap_or_else(|| Outcome { effort: spent, ..Outcome::default() });
    let listed = query == Query::List;
    let count =
        if listed { Count::from(seen.count) } else { count.map_or_else(Count::default, Count) };
    let solve_cpu_s = solve_cpu_s.max(0.0) + used.map_or(0.0, |used| used.cpu_s);
    let digest = (listed && job.task != Task::Fundamental).then_some(seen.digest);
    let check_cpu_s = listed.then_some(seen.check_cpu_s);
    let is_of_models = job.task == Task::Models;
    let auxiliaries = encoding.filter(|_| is_of_models).map(|encoding| encoding.card().auxiliaries);
    let all = AllSolutions { count, whole, digest, diagram, auxiliaries };
    tell(&Message::Solved { answer: all.answer(), solve_cpu_s, effort })?;
    tell(&Message::Found { all, violation: seen.violation, check_cpu_s })?;
    let memory_peak_bytes = peak_bytes().max(used.and_then(|used| used.memory_peak_bytes));
    // The process ends here; giving everything back first would be counted as the job's time.
    mem::forget(prepared);
    if let Some(Trouble { note, .. }) = trouble {
        tell(&Message::Failed { stop, note })?;
    }
    tell(&Message::Ended { stop, memory_peak_bytes })
}

/// How a job ends whose engine gave up.
fn of_halt(halt: Halt) -> Stop {
    match halt {
        Halt::Nodes(_) => Stop::NodeLimit,
        Halt::Bytes(_) => Stop::MemoryLimit,
        // Only the watch stops an engine, and tells why.
        _ => Stop::Crashed,
    }
}

/// CPU time used so far, in seconds: of the process, if the engine may use several threads.
fn cpu_s(job: &Job) -> f64 {
    if backend::threads(&job.options) > 1 { usage::cpu_s() } else { usage::thread_cpu_s() }
}

/// Looks on for the worker.
struct Looker<'a> {
    witness: Witness,
    most: Option<u64>,
    job: &'a Job,
    begun: f64,
    loaded: Option<f64>,
    spent: Effort,
    tell: &'a mut dyn FnMut(&Message) -> Result<(), WorkError>,
    failure: Option<WorkError>,
}

impl Observer for Looker<'_> {
    fn loaded(&mut self, clause_digest: Option<String>) {
        let now = cpu_s(self.job);
        if let Some(clause_digest) = clause_digest {
            let load_cpu_s = now - self.begun;
            self.failure = (self.tell)(&Message::Loaded { clause_digest, load_cpu_s }).err();
        }
        self.loaded = Some(cpu_s(self.job));
    }

    fn halted(&mut self, effort: Effort) {
        self.spent = effort;
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.witness.add(chosen);
        let enough = self.most.is_some_and(|most| self.witness.shown() >= most);
        if enough || self.failure.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
