//! The judgement on a measurement.
//!
//! A size is right if it equals the closed form, and a circuit if it has the exact totals of its source. The findings
//! of unit propagation must hold in every solution. Few findings show weak propagation, but no error.

use bezzel_encode::Size;
use bezzel_encode::formula_stats::Section;
use bezzel_queens::encode::accounting::accounts;
use bezzel_queens::encode::bryant::Positions;
use bezzel_queens::{Board, Geometry, Piece};

use super::known::{KnownFacts, SEARCH};
use super::{Case, Judgement};
use crate::model::job::{Job, Task};
use crate::model::measure::{Propagation, PropagationShare, SectionOperations};
use crate::model::quantity::grouped;
use crate::model::row::{EvidenceKind, FormulaSize, Row, Verdict};

pub(super) fn judge(case: &Case<'_>, row: &Row, known: &mut KnownFacts) -> Judgement {
    match (case.task, &row.propagation) {
        (Task::Size, _) => judge_size(row, case.closed_form),
        (_, Some(propagation)) => judge_propagation(&row.job, propagation, known),
        (_, None) => Judgement::unchecked(),
    }
}

fn judge_size(row: &Row, closed_form: Option<Size>) -> Judgement {
    const FORM: &str = "closed form of the formula's size";
    let Some(formula) = &row.formula else { return Judgement::unchecked() };
    let wrong = |source: &str, note| Judgement::wrong(EvidenceKind::ClosedForm, source, note);
    let mut sources = Vec::new();
    if let Some(form) = closed_form {
        let rules = size_of_rules(formula);
        if rules != form {
            let (rules, form) = (size_text(rules), size_text(form));
            return wrong(FORM, format!("the rules have {rules}, and by the closed form {form}"));
        }
        sources.push(FORM.to_owned());
    }
    let board = Board::of(&row.job.instance);
    if let (Some(circuit), Some(positions), Some(board)) =
        (&row.circuit, accounted(&row.job.encoding, board), board)
    {
        const TOTALS: &str = "exact totals of the operations in each section";
        if let Some(note) = unlike(circuit, positions, board) {
            return wrong(TOTALS, note);
        }
        sources.push(TOTALS.to_owned());
    }
    if sources.is_empty() {
        return Judgement::unchecked();
    }
    Judgement::new(Verdict::Verified, EvidenceKind::ClosedForm, sources.join(", "))
}

/// Returns the size of the formula without the clauses that the board adds to the rules.
fn size_of_rules(formula: &FormulaSize) -> Size {
    let of_rules = |name: &str| !matches!(name, "queens" | "given" | "blocked" | "excluded");
    formula.sections.iter().filter(|section| of_rules(&section.name)).map(Section::size).sum()
}

fn size_text(size: Size) -> String {
    let [variables, clauses, literals] = [size.variables, size.clauses, size.literals].map(grouped);
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}

/// Returns the kind of Bryant's circuit that an encoding uses, if its exact totals are known: on the square plane, as
/// in the paper, in any variant.
fn accounted(encoding: &str, board: Option<&Board>) -> Option<Positions> {
    let board = board?;
    let plane = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
    if !plane || !board.is_square() || board.rows() < 2 {
        return None;
    }
    let (circuit, variant) = encoding.split_once('+').unwrap_or((encoding, "columns"));
    match (circuit, variant) {
        ("bryant-circuit", "columns" | "plaisted-greenbaum") => Some(Positions::OneHot),
        ("bryant-circuit:binary", "columns" | "plaisted-greenbaum") => Some(Positions::Binary),
        _ => None,
    }
}

/// Returns the difference between a circuit and its exact totals, if there is one.
fn unlike(circuit: &[SectionOperations], positions: Positions, board: &Board) -> Option<String> {
    let n = board.rows().into();
    let accounts = accounts(positions);
    for account in &accounts {
        let counted = circuit.iter().find(|section| section.name == account.section);
        let (written, built) = counted.map_or((0, 0), |section| (section.written, section.built));
        for (counted, exact, how) in
            [(written, account.written, "as written"), (built, account.built, "as built")]
        {
            if i128::from(counted) != exact.at(n) {
                return Some(format!(
                    "{} has {counted} operations {how}, and {exact} makes {}",
                    account.section,
                    exact.at(n)
                ));
            }
        }
    }
    let is_known = |section: &&SectionOperations| {
        section.written + section.built > 0
            && accounts.iter().all(|account| account.section != section.name)
    };
    circuit
        .iter()
        .find(is_known)
        .map(|section| format!("the section {} has operations that no total knows", section.name))
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
            let word = if Board::of(&job.instance).is_some() { "square" } else { "candidate" };
            let plural = if count == 1 { "" } else { "s" };
            wrong(format!(
                "of {count} {word}{plural} propagation finds what is not so in all solutions"
            ))
        }
        // Every finding on a board without a solution holds in all of its solutions.
        _ => Judgement::new(Verdict::Verified, EvidenceKind::Cross, SEARCH),
    };
    Judgement { truth: Some(truth), ..judgement }
}

#[cfg(test)]
mod tests;
