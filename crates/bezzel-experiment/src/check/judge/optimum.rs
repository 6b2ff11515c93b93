//! The judgement on the best value of an objective.
//!
//! The solution is checked by the constraints, and its value is evaluated again; the transcript has checked those before it.
//! That no value is better is judged as "no
//! solution" of the file with the bound that only better values meet.

use bezzel_solve::Answer;

use super::known::{KnownFacts, SearchEffort};
use super::{Case, Judgement, first, rules};
use crate::model::job::Task;
use crate::model::row::{EvidenceKind, Verdict};

pub(super) fn judge(case: &Case<'_>, known: &mut KnownFacts, effort: SearchEffort) -> Judgement {
    let instance = case.instance;
    let denial = |instance, known: &mut KnownFacts| {
        let case =
            Case { instance, solution: None, answer: Answer::Unsat, task: Task::Solve, ..*case };
        first::judge_denial(&case, known, effort)
    };
    let Some(file) = instance.file() else { return Judgement::unchecked() };
    if let Some(violation) = case.violation {
        return Judgement::wrong(EvidenceKind::Rules, rules(instance), violation);
    }
    let Some(solution) = case.solution else {
        return match case.answer {
            Answer::Sat => first::judge_solution(case, known),
            Answer::Unsat => denial(instance, known),
            Answer::Unknown => Judgement::unchecked(),
        };
    };
    let checked = first::judge_solution(case, known);
    if checked.verdict == Verdict::Wrong {
        return checked;
    }
    let value = file.value(solution);
    let stated = case.value.and_then(|value| value.parse().ok());
    if value.is_none() || stated != value {
        let found = value.map_or("none".to_owned(), |value| value.to_string());
        let note =
            format!("the value {} is stated, and it is {found}", case.value.unwrap_or("none"));
        return Judgement::wrong(EvidenceKind::Rules, rules(instance), note);
    }
    if case.answer != Answer::Sat {
        return Judgement::unchecked();
    }
    let better = file.objective().zip(value).map(|(objective, value)| objective.better(&value));
    match better.map(|bound| file.with_bound(&bound)) {
        Some(Ok(bounded)) => denial(&bounded.into(), known),
        _ => Judgement::unchecked(),
    }
}
