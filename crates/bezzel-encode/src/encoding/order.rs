//! Order: a variable says whether a row's queen stands in this column or to the left of it.
//!
//! *Idea.* A row is a number, its queen's column, and the variable q(r,c) says q ≤ c, for c = 1 to
//! n − 1; that it is at most n goes without saying. A queen stands on square (r,c) if and only if
//! q(r,c) holds and q(r,c−1) does not: two literals, and one at either edge of the board.
//!
//! *Clauses.* For every row and c = 1 to n − 2: q(r,c) → q(r,c+1). For every column, diagonal and
//! antidiagonal, and each pair of its squares: not both, four literals, and one less for each
//! square at an edge.
//!
//! *Size on the board of side n ≥ 2.* n(n − 1) variables and n(n − 2) + p clauses, where p is the
//! number of pairs of squares on lines across rows:
//!
//! | | p | literals |
//! |---|---|---|
//! | plane | n(n − 1)(7n − 2)/6 | 2n(n − 2) + 2n(n − 1)(7n − 8)/3 |
//! | torus | 3n²(n − 1)/2 | 2n(n − 2) + 6n(n − 1)² |
//! | rooks | n²(n − 1)/2 | 2n(n − 2) + 2n(n − 1)² |
//!
//! On a torus of even side n²/2 pairs lie on two lines and are stated twice, as pairwise does. At
//! n = 8 on the plane: 56 variables, 552 clauses and 1,888 literals. On R rows and C ≥ 2 columns, of
//! which m is the smaller number and M the larger, there are R(C − 1) variables, R(C − 2) + p clauses
//! and 2R(C − 2) + 4p − e literals, with p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, and
//! e = 2R(R − 1) + 4·(min(0, C − 1) + min(1, C − 1) + … + min(R − 1, C − 1)) for the squares at the
//! edges; rooks go without the last term of both. On one column there is no variable: one queen is
//! there anyway, and two are the empty clause, once for each pair.
//!
//! *Propagation.* Refuting: a queen rules out the other squares of its row, and attacked squares at
//! the edges; of an attacked square elsewhere it leaves q(r,c) → q(r,c−1), and only a queen on both
//! is refuted. What order variables are good at, bounds, no rule of the board asks for.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* N. Tamura, A. Taga, S. Kitagawa, M. Banbara, "Compiling finite linear CSP into SAT",
//! Constraints 14, 2009, who took up the variables of J. M. Crawford, A. B. Baker, "Experimental
//! results on the application of satisfiability algorithms to scheduling problems", AAAI 1994.
//!
//! *Departures.* Tamura and others encode comparisons of sums, and would cut q ≠ q' in two by a
//! further variable. Here each pair of conflicting columns is a clause, as in their treatment of
//! constraints that are given by tables. As in [`binary`](super::binary), no column is stated to
//! hold a queen: n rows with one each, and no column with two, leave none empty.

use bezzel_problem::{Board, Family, Geometry, Piece, Square};

use super::{Encoding, conflicts};
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Order;

/// How often a square at the left or the right edge is one of a conflict's two, where there are
/// two edges.
fn at_edges(board: &Board) -> u128 {
    let [r, c] = [board.rows(), board.columns()].map(u128::from);
    let diagonal = match (board.piece(), board.geometry()) {
        (Piece::Rook, _) => 0,
        // From the row at distance i of the upper or the lower end, a diagonal of this length.
        (Piece::Queen, Geometry::Plane) => 4 * (pairs(r.min(c)) + r.saturating_sub(c) * (c - 1)),
        (Piece::Queen, Geometry::Torus) => 4 * r * (r - 1),
    };
    2 * r * (r - 1) + diagonal
}

impl Encoding for Order {
    fn card(&self) -> Card {
        Card {
            id: "order".into(),
            title: "order".into(),
            idea: "A variable for each row and column says that the row's queen stands in this \
                   column or left of it; a queen stands where it changes."
                .into(),
            citation: "Tamura, Taga, Kitagawa, Banbara 2009; Crawford, Baker 1994".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::None,
            constraints: "rows exactly one by their order, columns and diagonals at most one"
                .into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let [r, c] = [board.rows(), board.columns()].map(u128::from);
        let conflicts = conflicts::stated(board);
        if c == 1 {
            return Some(Size::new(0, conflicts, 0));
        }
        let chain = r * (c - 2);
        let literals = 2 * chain + 4 * conflicts - at_edges(board);
        Some(Size::new(r * (c - 1), chain + conflicts, literals))
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let steps = board.columns() - 1;
        out.section(Family::Rows.id());
        let variables = out.fresh(board.rows() * steps);
        // q ≤ c, with columns counted from 0, where that is not always so.
        let up_to =
            |row: u32, column: u32| (column < steps).then(|| variables.lit(row * steps + column));
        for row in 0..board.rows() {
            for column in 1..steps {
                // q ≤ c − 1 → q ≤ c
                let [left, here] = [column - 1, column].map(|c| variables.lit(row * steps + c));
                out.clause(&[!left, here]);
            }
        }
        let cubes = board.each_square().map(|Square { row, column }| {
            // q ≤ c, and not q ≤ c − 1
            let left = column.checked_sub(1).and_then(|left| up_to(row, left));
            up_to(row, column).into_iter().chain(left.map(|left| !left))
        });
        let layout = Layout::from_uneven_cubes(board, cubes);
        conflicts::state(board, &layout, out);
        layout
    }
}
