//! Support: a queen needs a square in every other row that it does not attack.
//!
//! *Idea.* A row is a variable of a constraint satisfaction problem, its columns the values, and
//! two rows a constraint between them. Instead of the pairs of squares that exclude each other, the
//! clauses say what a square needs: in every other row one of the squares that go with it, its
//! supports.
//!
//! *Clauses.* Every row: at least one square, and not both of each pair of squares. For every square
//! and every other row: x → y₁ ∨ … ∨ yₘ, over the squares of that row that x does not attack.
//!
//! *Size on the board of side n.* n² variables, n + n²(n − 1)/2 + n²(n − 1) clauses, and
//! n² + n²(n − 1) + n²(n − 1)(n + 1) − 2p literals, where p is the number of pairs of squares that
//! attack each other across rows: n(n − 1)(7n − 2)/6 on the plane, 3n²(n − 1)/2 on the torus, n²/2
//! fewer if n is even, n²(n − 1)/2 for rooks. At n = 8 on the plane: 64 variables, 680 clauses,
//! 3,536 literals. On R rows and C columns: RC variables, R + RC(C − 1)/2 + RC(R − 1) clauses and
//! RC + RC(C − 1) + RC(R − 1)(C + 1) − 2p literals; of m, the smaller number, and M, the larger,
//! p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, without the last term for rooks.
//!
//! The literals grow as n⁴, where those of pairwise grow as n³: at n = 100 there are 98 million.
//!
//! *Propagation.* Complete: a queen falsifies the squares of its row, and then every square in other
//! rows that has no support but those. More than that, unit propagation makes the rows arc
//! consistent: it rules out a square if and only if the square has no support in some row, those
//! ruled out before not counted. A square whose queen would take the last square of another row
//! is found so, where encodings made of lines find it by search.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* I. P. Gent, "Arc Consistency in SAT", European Conference on Artificial Intelligence
//! 2002, after S. Kasif, "On the Parallel Complexity of Discrete Relaxation in Constraint
//! Satisfaction Networks", Artificial Intelligence 45, 1990.
//!
//! *Departures.* None: the clauses are stated for both directions of each pair of rows, and every
//! row at most one, as Gent has it. No column is stated to hold a queen: n rows with one each, and
//! no column with two, leave none empty.

use rustsat::types::Lit;

use super::{Encoding, conflicts};
use crate::board::Board;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::line::Family;
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};
use crate::square::Square;

/// The section of the clauses that say what a square needs.
const SUPPORTS: &str = "supports";

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Support;

/// The squares of other rows that a queen on `square` attacks, row by row, each once.
fn attacked(board: &Board, square: Square, squares: &mut Vec<Square>) {
    let across = board.families().iter().filter(|&&family| family != Family::Rows);
    squares.clear();
    squares.extend(across.flat_map(|&family| board.line_through(square, family)));
    squares.retain(|&other| other != square);
    squares.sort_unstable();
    // Two lines of a torus may share a square.
    squares.dedup();
}

impl Encoding for Support {
    fn card(&self) -> Card {
        Card {
            id: "support".into(),
            title: "support".into(),
            idea: "A queen on a square needs, in every other row, one of the squares that it does \
                   not attack."
                .into(),
            citation: "Gent 2002; Kasif 1990".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints:
                "rows exactly one, columns and diagonals at most one, by what goes together".into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let [r, c] = [board.rows(), board.columns()].map(u128::from);
        let one = Size::new(0, 1, c) + Size::new(0, 1, 2) * pairs(c);
        // All squares of the other row, before the attacked ones are left out.
        let all = Size::new(0, 1, 1 + c) * (r * c * (r - 1));
        let mut size = Size::new(r * c, 0, 0) + one * r + all;
        size.literals -= 2 * conflicts::distinct(board);
        Some(size)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let columns = board.columns();
        out.section(Family::Rows.section());
        let squares = out.fresh(board.squares());
        let lit = |square: Square| squares.lit(square.index(columns) as u32);
        let mut clause: Vec<Lit> = Vec::with_capacity(columns as usize + 1);
        for mut row in board.lines(Family::Rows) {
            // Some square of the row.
            clause.clear();
            clause.extend(row.clone().map(lit));
            out.clause(&clause);
            while let Some(first) = row.next() {
                for second in row.clone() {
                    // Not both squares.
                    out.clause(&[!lit(first), !lit(second)]);
                }
            }
        }
        out.section(SUPPORTS);
        let mut conflicts: Vec<Square> = Vec::new();
        for square in board.each_square() {
            attacked(board, square, &mut conflicts);
            let mut rest = conflicts.iter().copied().peekable();
            for row in (0..board.rows()).filter(|&row| row != square.row) {
                // x → y₁ ∨ … ∨ yₘ
                clause.clear();
                clause.push(!lit(square));
                let mut from = Square::new(row, 0).index(columns) as u32;
                let end = from + columns;
                while let Some(conflict) = rest.next_if(|conflict| conflict.row == row) {
                    let at = conflict.index(columns) as u32;
                    clause.extend((from..at).map(|index| squares.lit(index)));
                    from = at + 1;
                }
                clause.extend((from..end).map(|index| squares.lit(index)));
                out.clause(&clause);
            }
        }
        Layout::one_per_square(board, squares)
    }
}
