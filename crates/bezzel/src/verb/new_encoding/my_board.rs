//! The my-board encoding of a whole board: REPLACE by what it does, in one sentence.
//!
//! *Idea.* REPLACE: what the variables mean, and how two queens on a line come to contradict each
//! other.
//!
//! *Clauses.* Every row, and on a square board every column: at least one of its squares. ¬x ∨ ¬y
//! for each two squares x and y of a line. REPLACE by yours, as implications.
//!
//! *Size.* One variable for each square; n(n − 1)/2 clauses for each line of n squares, and one for
//! each line that holds a queen. REPLACE.
//!
//! *Propagation.* Complete: REPLACE by why.
//!
//! *Models.* No auxiliary variable. REPLACE by whether the placement determines yours, and why.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: what is otherwise than in the source. None, if nothing is.

use bezzel_problem::{Board, Family, Square};

use super::Encoding;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MyBoard;

/// Whether lines of this family hold a queen each: rows do, and columns if there are as many.
fn holds_one(board: &Board, family: Family) -> bool {
    family == Family::Rows || family == Family::Columns && board.is_square()
}

impl Encoding for MyBoard {
    fn card(&self) -> Card {
        Card {
            id: "my-board".into(),
            title: "my-board".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The laws prove or refute both; guess, and read what `bezzel check` says.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: "REPLACE: rows and columns exactly one, diagonals at most one".into(),
            ..Card::default()
        }
    }

    // REPLACE. What all variables, clauses and literals come to; `None` if you do not know.
    fn size(&self, board: &Board) -> Option<Size> {
        let mut size = Size::new(board.squares().into(), 0, 0);
        for &family in board.families() {
            for line in board.lines(family) {
                let squares = line.len() as u128;
                if holds_one(board, family) {
                    size += Size::new(0, 1, squares);
                }
                let pairs = squares * squares.saturating_sub(1) / 2;
                size += Size::new(0, pairs, 2 * pairs);
            }
        }
        Some(size)
    }

    // REPLACE. The first `out.fresh(k)` makes the variables that say where the queens are, others
    // make auxiliary ones; `out.clause(&[…])` states a clause. The layout says what the first ones
    // mean. A board that cannot be encoded is refused by `fits`.
    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let squares = out.fresh(board.squares());
        for &family in board.families() {
            out.section(family.id());
            for line in board.lines(family) {
                let lit = |square: Square| squares.lit(square.index(board.columns()) as u32);
                let xs: Vec<_> = line.map(lit).collect();
                if holds_one(board, family) {
                    out.clause(&xs);
                }
                for (index, &first) in xs.iter().enumerate() {
                    for &second in &xs[index + 1..] {
                        // x → ¬y
                        out.clause(&[!first, !second]);
                    }
                }
            }
        }
        Layout::one_per_square(board, squares)
    }
}
