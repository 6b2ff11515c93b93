//! The judgement on a measurement.
//!
//! A size is right if it equals the closed form, and agrees with the numbers of the checks that plug-ins add. The
//! findings of unit propagation must hold in every solution. Few findings show weak propagation, but no error.

use bezzel_encode::Size;
use bezzel_encode::formula_stats::Section;
use bezzel_problem::{Instance, KindInfo};

use super::known::{KnownFacts, SEARCH};
use super::{Case, Judgement, SizeCheck};
use crate::model::job::{Job, Task};
use crate::model::measure::{Propagation, PropagationShare};
use crate::model::quantity::grouped;
use crate::model::row::{EvidenceKind, FormulaSize, Row, Verdict};

pub(super) fn judge(
    case: &Case<'_>,
    row: &Row,
    known: &mut KnownFacts,
    size_checks: &[SizeCheck],
) -> Judgement {
    match (case.task, &row.propagation) {
        (Task::Size, _) => judge_size(row, case.closed_form, size_checks),
        (_, Some(propagation)) => judge_propagation(&row.job, propagation, known),
        (_, None) => Judgement::unchecked(),
    }
}

fn judge_size(row: &Row, closed_form: Option<Size>, size_checks: &[SizeCheck]) -> Judgement {
    const FORM: &str = "closed form of the formula's size";
    let Some(formula) = &row.formula else { return Judgement::unchecked() };
    let wrong = |source: &str, note| Judgement::wrong(EvidenceKind::ClosedForm, source, note);
    let mut sources = Vec::new();
    if let Some(form) = closed_form {
        let rules = size_of_rules(formula, &row.job.instance);
        if rules != form {
            let (rules, form) = (size_text(rules), size_text(form));
            return wrong(FORM, format!("the rules have {rules}, and by the closed form {form}"));
        }
        sources.push(FORM.to_owned());
    }
    for comparison in size_checks.iter().filter_map(|check| check(row)) {
        if let Some(note) = comparison.difference {
            return wrong(comparison.source, note);
        }
        sources.push(comparison.source.to_owned());
    }
    if sources.is_empty() {
        return Judgement::unchecked();
    }
    Judgement::new(Verdict::Verified, EvidenceKind::ClosedForm, sources.join(", "))
}

/// Returns the size of the formula without the clauses that the instance adds to the rules.
fn size_of_rules(formula: &FormulaSize, instance: &Instance) -> Size {
    let KindInfo { given, excluded, .. } = instance.info();
    let of_rules = |name: &str| ![given, excluded].contains(&&name);
    formula.sections.iter().filter(|section| of_rules(&section.name)).map(Section::size).sum()
}

fn size_text(size: Size) -> String {
    let [variables, clauses, literals] = [size.variables, size.clauses, size.literals].map(grouped);
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}

fn judge_propagation(job: &Job, propagation: &Propagation, known: &mut KnownFacts) -> Judgement {
    let Some(truth) = known.truth(&job.instance) else { return Judgement::unchecked() };
    let wrong = |note: String| Judgement::wrong(EvidenceKind::Cross, SEARCH, note);
    let solvable = truth.solvable;
    let with_truth = Propagation { truth: Some(truth.clone()), ..propagation.clone() };
    let judgement = match PropagationShare::of(&job.instance, &with_truth) {
        _ if propagation.conflict && solvable => {
            let noun = job.instance.noun();
            wrong(format!("propagation comes to a conflict, and the {noun} has a solution"))
        }
        Some(share) if share.false_finds > 0 => {
            let count = share.false_finds;
            let plural = if count == 1 { "" } else { "s" };
            wrong(format!(
                "of {count} candidate{plural} propagation finds what is not so in all solutions"
            ))
        }
        // Every finding on an instance without a solution holds in all of its solutions.
        _ => Judgement::new(Verdict::Verified, EvidenceKind::Cross, SEARCH),
    };
    Judgement { truth: Some(truth), ..judgement }
}

#[cfg(test)]
mod tests;
