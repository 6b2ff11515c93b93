//! Support: a queen needs a square in every other row that it does not attack.
//!
//! *Idea.* A row is a variable of a constraint satisfaction problem, its columns the values, and
//! two rows a constraint between them. Instead of the pairs of squares that exclude each other, the
//! clauses say what a square needs: in every other row one of the squares that go with it, its
//! supports.
//!
//! *Clauses.* Every row: at least one square, and not both of each pair of squares. For every square
//! and every other row: x → y₁ ∨ … ∨ yₘ, over the squares of that row that x does not attack.
//! `support+columns` looks at columns in the same way, on square boards: every column at least one,
//! and for every square and every other column x → y₁ ∨ … ∨ yₘ. That two squares of a column exclude
//! each other is known from the rows.
//!
//! *Size on the board of side n.* n² variables, n + n²(n − 1)/2 + n²(n − 1) clauses, and
//! n² + n²(n − 1) + n²(n − 1)(n + 1) − 2p literals, where p is the number of pairs of squares that
//! attack each other across rows: n(n − 1)(7n − 2)/6 on the plane, 3n²(n − 1)/2 on the torus, n²/2
//! fewer if n is even, n²(n − 1)/2 for rooks. At n = 8 on the plane: 64 variables, 680 clauses,
//! 3,536 literals. `+columns` adds n + n²(n − 1) clauses and n² + n²(n − 1)(n + 1) − 2p literals. On R
//! rows and C columns: RC variables, R + RC(C − 1)/2 + RC(R − 1) clauses and
//! RC + RC(C − 1) + RC(R − 1)(C + 1) − 2p literals; of m, the smaller number, and M, the larger,
//! p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, without the last term for rooks.
//!
//! The literals grow as n⁴, where those of pairwise grow as n³: at n = 100 there are 98 million.
//!
//! *Propagation.* Complete: a queen falsifies the squares of its row, and then every square in other
//! rows that has no support but those. More than that, unit propagation makes the rows arc
//! consistent: it rules out a square if and only if the square has no support in some row, those
//! ruled out before not counted; with `+columns`, in some row or column. A square whose queen would
//! attack all that is left of another row is found so, where encodings made of lines need search.
//! Over 400 boards of side 8 with one to four queens, of the squares that no queen attacks and no
//! solution uses propagation rules out 12 in 100, with `+columns` 18, and 7 under pairwise.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* I. P. Gent, "Arc Consistency in SAT", European Conference on Artificial Intelligence
//! 2002, after S. Kasif, "On the Parallel Complexity of Discrete Relaxation in Constraint
//! Satisfaction Networks", Artificial Intelligence 45, 1990.
//!
//! *Departures.* The clauses of `support` are Gent's, for both directions of each pair of rows. No
//! column is stated to hold a queen there: n rows with one each, and no column with two, leave none
//! empty. `+columns` is Bezzel's own.

use bezzel_problem::{Board, Family, Line, Square};
use rustsat::types::Lit;

use super::{Encoding, conflicts};
use crate::card::{Auxiliaries, Card, Propagation};
use crate::constraints::{Constraints, Misfit};
use crate::layout::Layout;
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// The section of the clauses that say what a square needs.
const SUPPORTS: &str = "supports";

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Support {
    /// Whether columns are looked at as rows are.
    pub columns: bool,
}

/// The number of a square's line in the family, rows or columns, and its place on the line.
fn place(family: Family, square: Square) -> (usize, usize) {
    let [row, column] = [square.row, square.column].map(|number| number as usize);
    if family == Family::Rows { (row, column) } else { (column, row) }
}

/// The squares that a queen on `square` attacks, by line and place, without those of its own line
/// in the family; each once.
fn attacked(board: &Board, family: Family, square: Square, places: &mut Vec<(usize, usize)>) {
    let across = board.families().iter().filter(|&&other| other != family);
    let squares = across.flat_map(|&other| board.line_through(square, other));
    places.clear();
    places.extend(squares.filter(|&other| other != square).map(|other| place(family, other)));
    places.sort_unstable();
    // Two lines of a torus may share a square.
    places.dedup();
}

/// x → y₁ ∨ … ∨ yₘ for every square and every other line of the family.
fn supports(board: &Board, family: Family, squares: &Layout, out: &mut dyn ClauseSink) {
    // A line's literals side by side, to be copied whole between two squares that are left out.
    let lits = |line: Line| line.flat_map(|square| squares.cube(square)).copied().collect();
    let lines: Vec<Vec<Lit>> = board.lines(family).map(lits).collect();
    let mut conflicts = Vec::new();
    let mut clause: Vec<Lit> = Vec::new();
    for square in board.each_square() {
        let (own, at) = place(family, square);
        attacked(board, family, square, &mut conflicts);
        let mut rest = conflicts.iter().copied().peekable();
        for (number, line) in lines.iter().enumerate().filter(|&(number, _)| number != own) {
            clause.clear();
            clause.push(!lines[own][at]);
            let mut from = 0;
            while let Some((_, conflict)) = rest.next_if(|&(other, _)| other == number) {
                clause.extend_from_slice(&line[from..conflict]);
                from = conflict + 1;
            }
            clause.extend_from_slice(&line[from..]);
            out.clause(&clause);
        }
    }
}

impl Encoding for Support {
    fn card(&self) -> Card {
        let (id, title, constraints) = if self.columns {
            ("support+columns", "support, rows and columns", Constraints::Full)
        } else {
            ("support", "support", Constraints::NoColumnAlo)
        };
        Card {
            id: id.into(),
            title: title.into(),
            idea: format!(
                "A queen on a square needs, in every other row{}, one of the squares that it does \
                 not attack.",
                if self.columns { " and column" } else { "" }
            ),
            citation: "Gent 2002; Kasif 1990".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: constraints.describe().into(),
            ..Card::default()
        }
    }

    fn fits(&self, board: &Board) -> Result<(), Misfit> {
        if board.is_square() || !self.columns {
            return Ok(());
        }
        let why = "that every column holds a queen is true with as many columns as rows only";
        Err(Misfit::new(format!("`{}`", self.card().id), board, why, "take `support`"))
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let [r, c] = [board.rows(), board.columns()].map(u128::from);
        let one = Size::new(0, 1, c);
        let not_two = Size::new(0, 1, 2) * pairs(c);
        // Of all squares of the other line the attacked ones are left out.
        let mut supports = Size::new(0, 1, 1 + c) * (r * c * (r - 1));
        supports.literals -= 2 * conflicts::distinct(board);
        let looks = if self.columns { 2 } else { 1 };
        Some(Size::new(r * c, 0, 0) + not_two * r + (one * r + supports) * looks)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        out.section(Family::Rows.id());
        let layout = Layout::one_per_square(board, out.fresh(board.squares()));
        let mut clause: Vec<Lit> = Vec::with_capacity(board.columns() as usize);
        let looks =
            if self.columns { &[Family::Rows, Family::Columns][..] } else { &[Family::Rows] };
        for &family in looks {
            out.section(family.id());
            for line in board.lines(family) {
                // Some square of the line.
                clause.clear();
                clause.extend(line.flat_map(|square| layout.cube(square)));
                out.clause(&clause);
                for (at, &first) in clause.iter().enumerate().filter(|_| family == Family::Rows) {
                    for &second in &clause[at + 1..] {
                        // Not both squares.
                        out.clause(&[!first, !second]);
                    }
                }
            }
            out.section(SUPPORTS);
            supports(board, family, &layout, out);
        }
        layout
    }
}
