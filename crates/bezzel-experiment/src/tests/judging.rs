//! Cases for the judge, and its judgements in brief.

use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::solution_collector::SolutionCollector;
use bezzel_experiment::{AllSolutions, Count, Task, Verdict};
use bezzel_problem::{Candidate, Instance};
use bezzel_solve::Answer;

/// Returns the record of a list of these solutions.
pub(crate) fn listed(instance: &Instance, solutions: &[Vec<Candidate>]) -> AllSolutions {
    let mut collector = SolutionCollector::new(instance);
    for chosen in solutions {
        collector.add(chosen);
    }
    let collected = collector.finish();
    AllSolutions { count: collected.count.into(), digest: Some(collected.digest), ..counted(0) }
}

pub(crate) fn counted(count: u64) -> AllSolutions {
    AllSolutions {
        count: count.into(),
        whole: true,
        digest: None,
        diagram: None,
        auxiliaries: None,
    }
}

pub(crate) fn case<'a>(instance: &'a Instance, task: Task, all: &'a AllSolutions) -> Case<'a> {
    let answer = match (all.count == Count::default(), all.whole) {
        (false, _) => Answer::Sat,
        (true, true) => Answer::Unsat,
        (true, false) => Answer::Unknown,
    };
    Case { task, all: Some(all), ..Case::new(instance, answer, None) }
}

/// Returns the verdict, its source, and the note.
pub(crate) fn judge_case(case: &Case<'_>) -> (Verdict, String, String) {
    judge_case_by(&mut Judge::new(), case)
}

pub(crate) fn judge_case_by(judge: &mut Judge, case: &Case<'_>) -> (Verdict, String, String) {
    let judged = judge.judge(case);
    let source = judged.evidence.map_or(String::new(), |evidence| evidence.source);
    (judged.verdict, source, judged.note.unwrap_or_default())
}

pub(crate) fn words(verdict: Verdict, source: &str, note: &str) -> (Verdict, String, String) {
    (verdict, source.into(), note.into())
}
