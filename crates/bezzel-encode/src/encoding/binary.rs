//! Binary: ⌈log₂ n⌉ variables per row hold the number of the queen's column.
//!
//! *Idea.* A row holds one queen, so it needs no variable per square: with k = ⌈log₂ n⌉ bits it
//! names the column. A queen stands on a square if and only if all k bits agree with the column's
//! code. Column c, counted from 1, has code c mod 2ᵏ, so that column n has code 0 where n is a power
//! of two. Bit 0, the least significant, is the first variable of a row.
//!
//! *Clauses.* For every row and each of the 2ᵏ − n codes of no column: not this code, k literals.
//! For every column, diagonal and antidiagonal, and each pair of its squares: not both codes, 2k
//! literals.
//!
//! *Size on the board of side n.* n·k variables and n(2ᵏ − n) + p clauses, of n(2ᵏ − n)·k + 2pk
//! literals, for p pairs of squares on lines across rows: n(n − 1)(7n − 2)/6 on the plane,
//! 3n²(n − 1)/2 on the torus, n²(n − 1)/2 for rooks. On a torus of even side n²/2 pairs lie on two
//! lines and are stated twice, as pairwise does. At n = 8 on the plane: 24 variables, 504 clauses.
//! On R rows and C columns, of which m is the smaller number and M the larger, k = ⌈log₂ C⌉, and
//! there are R·k variables, R(2ᵏ − C) codes excluded, and CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3
//! pairs, without the last term for rooks.
//! At n = 1 there is no variable and no clause: its queen is there anyway.
//!
//! *Propagation.* Refuting: a queen falsifies the other squares of its row, but of a square
//! attacked across rows it leaves a clause of k literals; only a queen on both is refuted.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* The log encoding of T. Walsh, "SAT v CSP", Principles and Practice of Constraint
//! Programming 2000, with the codes of R. E. Bryant, "Supplement: Encoding the N-Queens Problem with
//! Boolean Formulas", 2019, to "Chain reduction for binary and zero-suppressed decision diagrams",
//! Journal of Automated Reasoning 2020: the placement BIN.
//!
//! *Departures.* Bryant builds a circuit over these variables (`bryant-circuit:binary`), in which
//! the rule that a row holds a queen excludes the codes of no column. Here they are excluded, and
//! conflicts stated, as clauses. As in Bryant's text, no column is stated to hold a queen: n rows with
//! one each, and no column with two, leave none empty.
//!
//! *Not to be confused* with [`bitwise`](crate::amo::bitwise), an at-most-one that others call
//! binary: there the squares keep their variables, and every line gets bits of its own besides.

use bezzel_problem::{Board, Family};
use rustsat::types::Lit;

use super::{Encoding, conflicts};
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::sink::{ClauseSink, VarRange};
use crate::size::{Size, bits};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Binary;

/// The literals that all hold if and only if the bits of a row read `code`.
fn reads(variables: VarRange, row: u32, width: u32, code: u64) -> impl Iterator<Item = Lit> {
    (0..width).map(move |place| {
        let bit = variables.lit(row * width + place);
        if code >> place & 1 == 1 { bit } else { !bit }
    })
}

/// Makes the bits of every row, and says which of them stand for which square.
pub(super) fn codes(board: &Board, out: &mut dyn ClauseSink) -> (VarRange, Layout) {
    let width = bits(board.columns().into());
    let variables = out.fresh(board.rows() * width);
    let cubes = board.each_square().flat_map(|square| {
        reads(variables, square.row, width, u64::from(square.column + 1) % (1 << width))
    });
    (variables, Layout::from_cubes(board, width as usize, cubes.collect()))
}

impl Encoding for Binary {
    fn card(&self) -> Card {
        Card {
            id: "binary".into(),
            title: "binary".into(),
            idea: "The column of a row's queen is a number in binary, a variable for each bit; of \
                   any two squares on a line, not both numbers are read."
                .into(),
            citation: "Walsh 2000; Bryant 2019, supplement on N-queens, placement BIN".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::None,
            constraints: "rows exactly one by their code, columns and diagonals at most one".into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let [r, c] = [board.rows(), board.columns()].map(u128::from);
        let k = u128::from(bits(board.columns().into()));
        let pairs = conflicts::stated(board);
        let excluded = r * ((1 << k) - c);
        Some(Size::new(r * k, excluded + pairs, excluded * k + 2 * pairs * k))
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        out.section(Family::Rows.id());
        let (variables, layout) = codes(board, out);
        let mut clause: Vec<Lit> = Vec::with_capacity(layout.width());
        let columns = u64::from(board.columns());
        let codes = 1_u64 << layout.width();
        for row in 0..board.rows() {
            // Columns have the codes 1 to C; where C is the number of codes, C reads as 0.
            for code in (0..codes).filter(|&code| code > columns || code == 0 && columns < codes) {
                clause.clear();
                clause.extend(reads(variables, row, layout.width() as u32, code).map(|lit| !lit));
                out.clause(&clause);
            }
        }
        conflicts::state(board, &layout, out);
        layout
    }
}
