//! The reason why a square is ruled out: placed pieces that do it together, and clauses that show it.
//!
//! A set of pieces rules a square out if no solution has all of them and a piece on the square. A piece without which
//! the others still do is left out, one after the other: no piece of the rest can be left out, though a smaller set
//! may exist.
//!
//! The clauses are those of the rules, by the pairwise encoding, with a unit clause for each placed piece and each
//! blocked square. With a piece on the square, unit propagation ends in a conflict. A clause that the conflict does
//! not need is left out, one after the other: the set is minimal under deletion, and not always a smallest one. As
//! more clauses never propagate less, one pass is enough.

use std::sync::Arc;

use crate::{Board, Family, Geometry, Square};
use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::encoding::direct::Direct;
use bezzel_encode::propagate::{Propagator, Step};
use bezzel_encode::{AtMostOne, ClauseSink, Constraints, Encoding, Formula, Lit};
use serde::Serialize;
use thiserror::Error;

use super::propagation::{PropagationStep, SectionedFormula};
use super::solutions::Search;
use super::{Stopped, position, theorem, without_pieces};

/// The reason why a square is ruled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The square.
    pub square: Square,
    /// Placed pieces that rule it out, none of which can be left out; empty if the board alone does.
    pub queens: Vec<Square>,
    /// The line in which a placed piece attacks it, if one does.
    pub attack: Option<Attack>,
    /// The clauses from which unit propagation derives that no piece stands on the square, none of which can be left
    /// out. They are steps from a piece on the square to a conflict. `None` if propagation does not show it.
    pub clauses: Option<Vec<PropagationStep>>,
    /// The whole reason in a sentence.
    pub text: String,
}

/// A line in which a piece attacks a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attack {
    /// The line: `row 3`, `column 2`, `diagonal down to the right from (1, 2)`.
    pub line: String,
    /// The squares of the line from the piece to the attacked square, both included.
    pub squares: Vec<Square>,
}

/// The reason why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyError {
    /// A piece stands there.
    #[error(
        "the square ({}, {}) is not ruled out: a piece stands there",
        .0.row + 1, .0.column + 1
    )]
    Taken(Square),
    /// Some solution uses it.
    #[error(
        "the square ({}, {}) is not ruled out: some solution uses it",
        .0.row + 1, .0.column + 1
    )]
    Open(Square),
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns the reason why the square of the board is ruled out. `search` is that of the board.
///
/// # Errors
///
/// The square is not ruled out, or the search was stopped.
pub fn why(board: &Board, square: Square, search: &mut Search) -> Result<Why, WhyError> {
    if board.placed().contains(&square) {
        return Err(WhyError::Taken(square));
    }
    let attacker = board.placed().iter().copied().find(|&piece| board.attacks(piece, square));
    let attack = attacker.and_then(|piece| attack(board, piece, square));
    let is_blocked = board.blocked().contains(&square);
    let queens = match attacker {
        _ if is_blocked || search.solution(&[square])?.is_none() => Vec::new(),
        Some(piece) => vec![piece],
        None => needed(board, square, search)?,
    };
    let clauses = clauses(board, &queens, square);
    let text = if is_blocked {
        format!("The square {} is blocked.", position(square))
    } else if let (Some(Attack { line, .. }), [piece]) = (&attack, &queens[..]) {
        let the = if line.starts_with("diagonal") { "the " } else { "" };
        let (name, piece, square) = (board.piece().id(), position(*piece), position(square));
        format!("The {name} on {piece} attacks {square} along {the}{line}.")
    } else if let Some(theorem) = theorem(board) {
        format!("No solution uses {}, since this board has none: {theorem}.", position(square))
    } else {
        sentence(board, square, &queens, clauses.as_deref())
    };
    Ok(Why { square, queens, attack, clauses, text })
}

/// Returns placed pieces that no solution has together with a piece on the square, none of which can be left out.
fn needed(board: &Board, square: Square, search: &mut Search) -> Result<Vec<Square>, WhyError> {
    let mut rules_out = |pieces: &[Square]| {
        let solution = search.solution(&[pieces, &[square]].concat())?;
        Ok::<_, Stopped>(solution.is_none())
    };
    let mut kept = board.placed().to_vec();
    if !rules_out(&kept)? {
        return Err(WhyError::Open(square));
    }
    for &piece in board.placed() {
        let fewer: Vec<Square> = kept.iter().copied().filter(|&other| other != piece).collect();
        if rules_out(&fewer)? {
            kept = fewer;
        }
    }
    Ok(kept)
}

/// Returns the line in which a piece attacks a square.
fn attack(board: &Board, piece: Square, square: Square) -> Option<Attack> {
    let start = |square, family| board.line_through(square, family).start();
    let families = board.families().iter().copied();
    let family =
        families.into_iter().find(|&family| start(piece, family) == start(square, family))?;
    let first = position(start(square, family));
    let line = match family {
        Family::Rows => format!("row {}", square.row + 1),
        Family::Columns => format!("column {}", square.column + 1),
        Family::Diagonals => format!("diagonal down to the right from {first}"),
        Family::Antidiagonals => format!("diagonal down to the left from {first}"),
    };
    Some(Attack { line, squares: path(board, piece, square, family) })
}

/// Returns the squares from a piece to a square on the same line of a family; on a torus the shorter way around.
fn path(board: &Board, piece: Square, square: Square, family: Family) -> Vec<Square> {
    let line: Vec<Square> = board.line_through(piece, family).collect();
    let place = |wanted: Square| line.iter().position(|&on| on == wanted);
    let (Some(from), Some(to)) = (place(piece), place(square)) else { return Vec::new() };
    let length = line.len();
    let forward = (to + length - from) % length;
    let is_forward = match board.geometry() {
        Geometry::Plane => from <= to,
        Geometry::Torus => 2 * forward <= length,
    };
    if is_forward {
        (0..=forward).map(|step| line[(from + step) % length]).collect()
    } else {
        (0..=length - forward).map(|step| line[(from + length - step) % length]).collect()
    }
}

/// Returns the reason in a sentence, if it is neither a line nor a theorem.
fn sentence(
    board: &Board,
    square: Square,
    queens: &[Square],
    clauses: Option<&[PropagationStep]>,
) -> String {
    let piece = board.piece().id();
    let square = position(square);
    let squares: Vec<_> = queens.iter().copied().map(position).collect();
    let listed = squares.join(" and ");
    let named = if squares.len() == 1 { piece.to_owned() } else { format!("{piece}s") };
    match (clauses, queens.is_empty()) {
        (Some(clauses), is_alone) => {
            let with =
                if is_alone { String::new() } else { format!(" beside the {named} on {listed}") };
            let number = clauses.len();
            format!(
                "A {piece} on {square}{with} breaks the rules: unit propagation shows it by {number} clauses."
            )
        }
        (None, true) => format!("No solution of this board uses {square}, whatever is placed."),
        (None, false) => {
            let rule = if squares.len() == 1 { "alone rules" } else { "together rule" };
            format!(
                "No solution with the placed {piece}s uses {square}: the {named} on {listed} {rule} it out."
            )
        }
    }
}

/// Returns the clauses by which these pieces rule a square out, in the order of propagation, up to the conflict;
/// `None` if unit propagation does not show it.
fn clauses(board: &Board, pieces: &[Square], square: Square) -> Option<Vec<PropagationStep>> {
    let board = without_pieces(board).with_placed(pieces.iter().copied()).ok()?;
    let pairwise: Arc<dyn AtMostOne> = Arc::new(Pairwise);
    let encoding = Direct::new(&pairwise, Constraints::default_on(&board.problem()));
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
