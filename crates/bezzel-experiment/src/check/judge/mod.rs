//! The judge, which determines the verdict on an answer.
//!
//! The judge is in the runner, not in the worker that found the answer. It shares no code with encodings, solvers or
//! engines. Solutions are checked by the rules of the instance. "No solution" and numbers of solutions are compared
//! with published numbers and an exhaustive search, and denials with the finding of a proof checker. Sizes are
//! compared with closed forms, and the findings of unit propagation with an exhaustive search.

use bezzel_encode::Size;
use bezzel_problem::{Instance, Solution};
use bezzel_solve::Answer;

use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::measure::Truth;
use crate::model::row::{Evidence, EvidenceKind, ProofRecord, Row, Verdict};

mod all;
mod exhaustive;
mod first;
mod implied;
mod known;
mod measured;
mod optimum;

use known::{KnownFacts, SEARCH, SearchEffort};

/// The source of a verdict that rests on the rules of an instance.
fn rules(instance: &Instance) -> String {
    format!("rules of the {}", instance.noun())
}

/// The judge's result for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Its evidence.
    pub evidence: Option<Evidence>,
    /// A description of the fault.
    pub note: Option<String>,
    /// The facts about the instance that the findings of unit propagation were compared with.
    pub truth: Option<Truth>,
}

impl Judgement {
    fn new(verdict: Verdict, kind: EvidenceKind, source: impl Into<String>) -> Self {
        let evidence = Some(Evidence { kind, source: source.into() });
        Self { verdict, evidence, note: None, truth: None }
    }

    fn wrong(kind: EvidenceKind, source: impl Into<String>, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..Self::new(Verdict::Wrong, kind, source) }
    }

    fn unchecked() -> Self {
        Self { verdict: Verdict::Unchecked, evidence: None, note: None, truth: None }
    }
}

/// An answer, with the data for its judgement.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// The answer of the solver.
    pub answer: Answer,
    /// The solution that it found, if it claims one.
    pub solution: Option<&'a Solution>,
    /// A clause that its model does not satisfy.
    pub violated: Option<&'a [i32]>,
    /// The outcome of its proof.
    pub proof: Option<&'a ProofRecord>,
    /// The CPU time of solving, by which the search beside an accepted proof is bounded. If it is not known, the search
    /// is that of an answer without a proof.
    pub solve_cpu_s: Option<f64>,
    /// The task.
    pub task: Task,
    /// The number of solutions that suffices.
    pub max_solutions: Option<u64>,
    /// The best value of the objective, in digits, if the task asks for it.
    pub value: Option<&'a str>,
    /// The finding on all solutions, if the task asks for them.
    pub all: Option<&'a AllSolutions>,
    /// The first violation of the rules among the solutions, if there is one.
    pub violation: Option<&'a str>,
    /// The row, if a formula was measured and nothing was solved.
    pub measured: Option<&'a Row>,
    /// The closed form of the size of its formula's rules, if there is one.
    pub closed_form: Option<Size>,
}

impl<'a> Case<'a> {
    /// Returns the case of an answer and a solution, without further data.
    pub fn new(instance: &'a Instance, answer: Answer, solution: Option<&'a Solution>) -> Self {
        let (max_solutions, all) = (None, None);
        let (violated, proof, violation) = (None, None, None);
        let (measured, closed_form, solve_cpu_s) = (None, None, None);
        Self {
            instance,
            answer,
            solution,
            violated,
            proof,
            solve_cpu_s,
            task: Task::Solve,
            max_solutions,
            value: None,
            all,
            violation,
            measured,
            closed_form,
        }
    }

    /// Returns the case of a row's answer, with its solution.
    pub fn of(row: &'a Row, solution: Option<&'a Solution>) -> Self {
        Self {
            proof: row.proof.as_ref(),
            solve_cpu_s: row.solve_cpu_s,
            task: row.job.task,
            max_solutions: row.job.max_solutions,
            value: row.values.as_ref().and_then(|values| values.last()).map(|last| &*last.value),
            all: row.all.as_ref(),
            measured: (row.job.task.backend().is_none()).then_some(row),
            ..Self::new(&row.job.instance, row.status, solution)
        }
    }
}

/// A check of the row of a measured formula, which a plug-in adds to the judge. It returns none if it has nothing to
/// compare, and otherwise the source of its numbers and the difference, if there is one.
pub type SizeCheck = fn(&Row) -> Option<SizeComparison>;

/// The result of a [`SizeCheck`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeComparison {
    /// The source of the numbers.
    pub source: &'static str,
    /// The difference from the row; none if they are equal.
    pub difference: Option<String>,
}

/// Judges answers, and stores facts on instances: an instance with a verified solution has one, against any later
/// denial.
#[derive(Debug, Default)]
pub struct Judge {
    known: KnownFacts,
    size_checks: Vec<SizeCheck>,
}

impl Judge {
    /// Returns a judge without facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a judge without facts that has these checks as well.
    pub fn with_size_checks(size_checks: &[SizeCheck]) -> Self {
        Self { size_checks: size_checks.to_vec(), ..Self::default() }
    }

    /// Returns this judge with the facts that these rows verify.
    #[must_use]
    pub fn with_facts_of<'r>(mut self, rows: impl IntoIterator<Item = &'r Row>) -> Self {
        rows.into_iter().for_each(|row| self.add_facts(row));
        self
    }

    /// Judges the answer of a row again. If the row rests on a search, the search may take long; if it claims nothing
    /// or rests on an accepted proof, the instance is not searched.
    pub(crate) fn judge_again(&mut self, case: &Case<'_>, row: &Row) -> Judgement {
        let rests_on = |what: fn(&Evidence) -> bool| row.checked_by.as_ref().is_some_and(what);
        let effort = if !matches!(case.task, Task::Solve | Task::Optimise) {
            SearchEffort::Run
        } else if rests_on(|evidence| evidence.source == SEARCH) {
            SearchEffort::Patient
        } else if rests_on(|evidence| evidence.kind == EvidenceKind::Proof)
            || row.verdict == Verdict::Unchecked
        {
            SearchEffort::Recall
        } else {
            SearchEffort::Run
        };
        self.judge_with_effort(case, effort)
    }

    /// Returns true if it is known that the instance has a solution, or that it has none, after a search of a tenth of
    /// the time of solving. No proof is needed then.
    pub fn decides(&mut self, instance: &Instance, solve_cpu_s: f64) -> bool {
        instance.has_problem()
            && self.known.solvable(instance, SearchEffort::share(solve_cpu_s)).is_some()
    }

    /// Judges the answer of a solver, or the finding of an engine.
    pub fn judge(&mut self, case: &Case<'_>) -> Judgement {
        self.judge_with_effort(case, SearchEffort::Run)
    }

    fn judge_with_effort(&mut self, case: &Case<'_>, effort: SearchEffort) -> Judgement {
        // Without its file, the instance has no problem to check.
        if !case.instance.has_problem() {
            return Judgement::unchecked();
        }
        if let Some(row) = case.measured {
            return measured::judge(case, row, &mut self.known, &self.size_checks);
        }
        match (case.task, case.answer) {
            (Task::Solve, Answer::Unknown) => Judgement::unchecked(),
            (Task::Solve, Answer::Sat) => first::judge_solution(case, &mut self.known),
            (Task::Optimise, _) => optimum::judge(case, &mut self.known, effort),
            (Task::Solve, Answer::Unsat) => first::judge_denial(case, &mut self.known, effort),
            _ => all::judge(case, &mut self.known),
        }
    }

    /// Returns true if the listed solutions are the set that an exhaustive search finds.
    pub(crate) fn is_right_set(&mut self, case: &Case<'_>) -> bool {
        all::is_right_set(case, &mut self.known)
    }

    /// Adds the facts of a row that was judged before: a verified solution there is also one here.
    pub fn add_facts(&mut self, row: &Row) {
        if row.verdict == Verdict::Verified && row.status == Answer::Sat {
            self.known.remember_solution(&row.job.instance);
        }
    }
}

#[cfg(test)]
mod tests;
