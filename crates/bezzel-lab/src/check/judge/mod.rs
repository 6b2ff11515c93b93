//! The judge: the worth of an answer.
//!
//! The judge is in the runner, not in the worker that found the answer. It shares no code with encodings, solvers or
//! engines. Solutions are checked by the rules of the instance. "No solution" and numbers of solutions are compared
//! with published numbers and an exhaustive search, and denials with the finding of a proof checker. Sizes are
//! compared with closed forms, and the findings of unit propagation with an exhaustive search.

use bezzel_encode::{Size, Symmetry};
use bezzel_problem::{Instance, Solution};
use bezzel_solve::Answer;

use crate::check::counted::symmetry;
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

use known::{Known, SEARCH, SearchEffort};

/// The source of a verdict that rests on the rules of an instance.
fn rules(instance: &Instance) -> String {
    format!("rules of the {}", instance.noun())
}

/// What the judge makes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Right, wrong, or neither shown.
    pub verdict: Verdict,
    /// What that rests on.
    pub evidence: Option<Evidence>,
    /// What is wrong, in words.
    pub note: Option<String>,
    /// What is true of the board, by which unit propagation was judged.
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

/// An answer, with what was found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// What the solver answered.
    pub answer: Answer,
    /// The solution that it found, if it claims one.
    pub solution: Option<&'a Solution>,
    /// A clause that its model does not satisfy.
    pub violated: Option<&'a [i32]>,
    /// What became of its proof.
    pub proof: Option<&'a ProofRecord>,
    /// What was asked.
    pub task: Task,
    /// How many solutions were enough.
    pub most: Option<u64>,
    /// How many of the placements that are images of each other its formula leaves.
    pub symmetry: Symmetry,
    /// What was found of all solutions, where they were asked for.
    pub all: Option<&'a AllSolutions>,
    /// What is wrong with the first of them that breaks the rules, if one does.
    pub violation: Option<&'a str>,
    /// The row, where a formula was measured and nothing was solved.
    pub measured: Option<&'a Row>,
    /// The closed form of the size of its formula's rules, if there is one.
    pub closed_form: Option<Size>,
}

impl<'a> Case<'a> {
    /// An answer of which no more is known than the solution.
    pub fn new(instance: &'a Instance, answer: Answer, solution: Option<&'a Solution>) -> Self {
        let (task, symmetry) = (Task::First, Symmetry::None);
        let (most, all) = (None, None);
        let (violated, proof, violation) = (None, None, None);
        let (measured, closed_form) = (None, None);
        Self {
            instance,
            answer,
            solution,
            violated,
            proof,
            task,
            most,
            symmetry,
            all,
            violation,
            measured,
            closed_form,
        }
    }

    /// The answer of a row, with its solution.
    pub fn of(row: &'a Row, solution: Option<&'a Solution>) -> Self {
        Self {
            proof: row.proof.as_ref(),
            task: row.job.task,
            most: row.job.most,
            symmetry: symmetry(&row.job),
            all: row.all.as_ref(),
            measured: (row.job.task.backend().is_none()).then_some(row),
            ..Self::new(&row.job.instance, row.answer, solution)
        }
    }
}

/// Judges answers, and remembers what it found out about boards: a board on which a placement was
/// verified has a solution, whoever says otherwise later.
#[derive(Debug, Default)]
pub struct Judge {
    known: Known,
}

impl Judge {
    /// A judge that has not seen a board yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A judge that knows what these rows tell.
    pub fn knowing<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Self {
        let mut judge = Self::new();
        rows.into_iter().for_each(|row| judge.learn(row));
        judge
    }

    /// Judges the answer of a row that was judged before. Where the row rests on a search, the search may take long;
    /// where it claims nothing or rests on an accepted proof, the instance is not searched.
    pub(crate) fn judge_again(&mut self, case: &Case<'_>, row: &Row) -> Judgement {
        let rests_on = |what: fn(&Evidence) -> bool| row.evidence.as_ref().is_some_and(what);
        self.known.effort = if case.task != Task::First {
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
        let judgement = self.judge(case);
        self.known.effort = SearchEffort::Run;
        judgement
    }

    /// Judges what a solver answered, or what an engine found.
    pub fn judge(&mut self, case: &Case<'_>) -> Judgement {
        // A file that this process has not read shows nothing.
        if !case.instance.has_problem() {
            return Judgement::unchecked();
        }
        if let Some(row) = case.measured {
            return measured::judge(case, row, &mut self.known);
        }
        match (case.task, case.answer) {
            (Task::First, Answer::Unknown) => Judgement::unchecked(),
            (Task::First, Answer::Sat) => first::judge_solution(case, &mut self.known),
            (Task::First, Answer::Unsat) => first::judge_denial(case, &mut self.known),
            _ => all::judge(case, &mut self.known),
        }
    }

    /// Whether what was listed is the set that an exhaustive search finds.
    pub(crate) fn is_right_set(&mut self, case: &Case<'_>) -> bool {
        all::is_right_set(case, &mut self.known)
    }

    /// Learns from a row that was judged before: what is verified there holds here.
    pub fn learn(&mut self, row: &Row) {
        if row.verdict == Verdict::Verified && row.answer == Answer::Sat {
            self.known.remember_solution(&row.job.instance);
        }
    }
}

#[cfg(test)]
mod tests;
