//! The formulas of Nielsen and Faartoft for a diagram, with a variable for each square.
//!
//! For every square, row by row: a queen there, and none on any square that it attacks. Then for every row: a queen on
//! one of its squares.
//!
//! *Source.* T. Nielsen, M. Faartoft, "Solving the N-Queens Problem: Interactive Configuration using Binary Decision
//! Diagrams", IT University of Copenhagen.

use crate::{Board, Square};

use bezzel_count::Halt;
use bezzel_count::apply::{Rules, RulesError, Term, TermSource};

/// The formulas for one board.
#[derive(Clone, Debug)]
struct BySquare(Board);

impl TermSource for BySquare {
    fn each(&self, term: &mut dyn FnMut(Term<'_>) -> Result<(), Halt>) -> Result<(), Halt> {
        let Self(board) = self;
        let mut candidates = Vec::new();
        for here in board.each_square() {
            let attacked = board.each_square().filter(|&there| board.attacks(here, there));
            candidates.clear();
            candidates.extend(attacked.map(|there| board.candidate(there)));
            term(Term::ExcludedBy { chosen: board.candidate(here), others: &candidates })?;
        }
        for row in 0..board.rows() {
            candidates.clear();
            let squares = (0..board.columns()).map(|column| Square::new(row, column));
            candidates.extend(squares.map(|square| board.candidate(square)));
            term(Term::AnyOf(&candidates))?;
        }
        Ok(())
    }
}

/// The formulas of a board.
///
/// # Errors
///
/// When the board has too many squares.
pub fn rules(board: &Board) -> Result<Rules, RulesError> {
    Rules::terms(&board.problem(), BySquare(board.clone()))
}
