//! Clauses from which unit propagation derives that no piece stands on a square.
//!
//! The clauses are those of the rules, by the pairwise encoding, with a unit clause for each placed piece and each
//! blocked square. With a piece on the square, unit propagation ends in a conflict. A clause that the conflict does
//! not need is left out, one after the other: the set is minimal under deletion, and not always a smallest one. As
//! more clauses never propagate less, one pass is enough.

use std::sync::Arc;

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::encoding::direct::Direct;
use bezzel_encode::propagate::{Propagator, Step};
use bezzel_encode::{AtMostOne, ClauseSink, Constraints, Encoding, Formula, Lit};
use bezzel_problem::{Board, Square};

use super::propagation_view::{PropagationStep, SectionedFormula};
use super::without_pieces;

/// Returns the clauses by which these pieces rule a square out, in the order of propagation, up to the conflict;
/// `None` if unit propagation does not show it.
pub(super) fn clauses(
    board: &Board,
    pieces: &[Square],
    square: Square,
) -> Option<Vec<PropagationStep>> {
    let board = without_pieces(board).with_placed(pieces.iter().copied()).ok()?;
    let pairwise: Arc<dyn AtMostOne> = Arc::new(Pairwise);
    let encoding = Direct::new(&pairwise, Constraints::default_on(&board));
    let mut formula = SectionedFormula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    let assumed = map.cube(board.candidate(square));
    let propagator = Propagator::new(&formula.formula);
    let all: Vec<u32> = (0..formula.formula.len() as u32).collect();
    let mut steps = refute(&propagator, assumed, &all)?;
    let used = |steps: &[Step]| -> Vec<u32> { steps.iter().map(|step| step.clause).collect() };
    for &clause in used(&steps).iter().rev() {
        let mut fewer = used(&steps);
        fewer.retain(|&other| other != clause);
        if fewer.len() < steps.len()
            && let Some(found) = refute(&propagator, assumed, &fewer)
        {
            steps = found;
        }
    }
    Some(formula.named_steps(&steps, &propagator, &board, &map))
}

/// Returns the steps of unit propagation from some clauses of a formula, and these literals, up to a conflict; `None`
/// without a conflict. The literals themselves are no steps.
fn refute(propagator: &Propagator, assumed: &[Lit], clauses: &[u32]) -> Option<Vec<Step>> {
    let mut formula = Formula::new();
    formula.fresh(propagator.variables());
    for &clause in clauses {
        formula.clause(propagator.clause(clause));
    }
    for &lit in assumed {
        formula.clause(&[lit]);
    }
    let mut steps = Vec::new();
    let observe = |Step { clause, gives }: Step| {
        if let Some(&clause) = clauses.get(clause as usize) {
            steps.push(Step { clause, gives });
        }
    };
    Propagator::observed(&formula, observe).is_refuted().then_some(steps)
}
