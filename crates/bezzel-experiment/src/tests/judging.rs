//! Cases for the judge, and its judgements in brief. The tests of plug-ins include this file.

use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::solution_collector::SolutionCollector;
use bezzel_experiment::{AllSolutions, Count, EvidenceKind, Finding, ProofRecord, Task, Verdict};
use bezzel_problem::{Candidate, Instance};
use bezzel_solve::{Answer, ProofFormat};

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

pub(crate) fn verdict(case: &Case<'_>) -> Verdict {
    judge_case(case).0
}

pub(crate) fn words(verdict: Verdict, source: &str, note: &str) -> (Verdict, String, String) {
    (verdict, source.into(), note.into())
}

pub(crate) fn proof(finding: Finding, note: Option<&str>) -> ProofRecord {
    ProofRecord {
        format: ProofFormat::Lrat,
        finding,
        bytes: Some(10),
        steps: Some(1234),
        check_cpu_s: None,
        check_memory_peak_bytes: None,
        note: note.map(str::to_owned),
        translated: false,
        checker_version: None,
    }
}

/// Returns the verdict on a denial with this proof, the kind of its evidence, and the note.
pub(crate) fn judge_denial(
    instance: &Instance,
    proof: &ProofRecord,
) -> (Verdict, Option<EvidenceKind>, String) {
    let case = Case::new(instance, Answer::Unsat, None);
    let judged = Judge::new().judge(&Case { proof: Some(proof), ..case });
    let kind = judged.evidence.map(|evidence| evidence.kind);
    (judged.verdict, kind, judged.note.unwrap_or_default())
}
