//! Implication: a queen on a square implies none on each square that it attacks.
//!
//! *Idea.* One rule per square: x → ¬y₁ ∧ … ∧ ¬yₘ for all squares y on its lines. The plain
//! encoding expands every rule to one clause per attacked square, so each attacking pair is stated
//! from both of its ends, as the sources do. The variant `implication:later` leaves out each clause that
//! repeats an earlier one of its line. Its clauses are those of [`pairwise`](crate::amo::pairwise) in
//! another order, so that it separates the cost of the repetition from that of the order. The variant
//! `implication:auxiliary` has a variable *attacked* per square instead, and states each rule in one
//! clause.
//!
//! *Clauses* of `implication`. For every family of lines, every square x and every other square y
//! of its line: ¬x ∨ ¬y. Every row, and on a square board every column: at least one of its squares.
//!
//! *Clauses* of `implication:later`. The same with the squares y that come after x, row by row.
//!
//! *Clauses* of `implication:auxiliary`. aᵢ ↔ (x₁ ∨ … ∨ xₘ), over the m squares that attack square
//! i; xᵢ → ¬aᵢ; rows and columns as above. `implication:auxiliary+plaisted-greenbaum` states of the
//! equivalence only what keeps queens apart: xⱼ → aᵢ.
//!
//! *Sizes* on the board of side n, where A is the number of ordered pairs of attacking squares:
//! 2n(n − 1)(5n − 1)/3 on the plane; 4n²(n − 1) on the torus, n² fewer if n is even and squares
//! shared by two lines count once; 2n²(n − 1) for rooks.
//!
//! | id | variables | clauses | literals |
//! |---|---|---|---|
//! | `implication` | n² | A + 2n | 2A + 2n² |
//! | `implication:later` | n² | A/2 + 2n | A + 2n² |
//! | `implication:auxiliary` | 2n² | A + 2n² + 2n | 3A + 5n² |
//! | `implication:auxiliary+plaisted-greenbaum` | 2n² | A + n² + 2n | 2A + 4n² |
//!
//! On R rows and C columns, of which m is the smaller number and M the larger, the plane has
//! A = RC(R + C − 2) + 2m(m − 1)(3M − m − 1)/3, without the last term for rooks; where R ≠ C the
//! columns' C clauses and RC literals of "at least one" are missing.
//!
//! On a torus of even side the two diagonals through a square meet again half-way round. Plain
//! `implication` states that pair once for each of the two lines, as its rule goes line by line
//! and as pairwise does, so its A is the full 4n²(n − 1), also in `implication:later`. The auxiliary
//! variants state an implication for each attacking square, and count it once. At n = 8 on the plane:
//! 1,472, 744, 1,600 and 1,536 clauses.
//!
//! *One line.* For one line of n squares A is n(n − 1). Beside "at least one" the four forms then have
//! n(n − 1), n(n − 1)/2, n(n + 1) and n² clauses. Without "at least one" the last form does not
//! determine *attacked*, and has n + 2ⁿ models instead of n + 1. On a board the first two forms have
//! these clauses for each line. The auxiliary variants have fewer on a board than line by line, since
//! one variable *attacked* stands for all lines of its square.
//!
//! *Propagation.* Complete: a queen falsifies every attacked square, directly or by its variable
//! *attacked*.
//!
//! *Models.* The first two forms have no auxiliary variable. In both auxiliary variants a square without
//! a queen is attacked by the queen of its row and one with a queen is not attacked, so every
//! *attacked* is determined, even with one direction of the equivalence only.
//!
//! *Source.* J. D. Cook, "Solving the eight queens problem with a SAT solver", first approach (per
//! row). T. Nielsen, M. Faartoft, "Solving the N-Queens Problem: Interactive Configuration using
//! Binary Decision Diagrams", IT University of Copenhagen, section 2, after H. R. Andersen, "An
//! Introduction to Binary Decision Diagrams", 1997 (per square). The auxiliary variants are the
//! Tseitin and the Plaisted-Greenbaum translation of the same rule.
//!
//! *Departures.* Cook's b₁₁ ⇒ ¬(b₁₂ ∨ … ∨ b₁₈) is not a clause, though the text calls it one: it is
//! distributed here, and `implication:later` states each pair of a line once, which Cook does not ask
//! for. Clauses come family by family, where Nielsen and Faartoft go square by
//! square, so that sections compare with those of other encodings. They state at least one queen
//! for rows only; columns are stated here too.

use bezzel_problem::{Board, Family, Geometry, Piece, Square};
use rustsat::types::Lit;

use super::Encoding;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::sink::{ClauseSink, VarRange};
use crate::size::{Size, diagonal_pairs};

/// The rule of each square, expanded to one clause per attacked square. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Implication {
    /// True for `implication:later`: a rule names later squares only, so that no clause of a line is repeated.
    pub later: bool,
}

/// The rule of each square, with a variable that says that it is attacked. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Auxiliary {
    /// Whether only the needed direction of each definition is stated.
    pub plaisted_greenbaum: bool,
}

/// Whether lines of this family are stated to hold at least one queen.
fn holds_one(board: &Board, family: Family) -> bool {
    family == Family::Rows || family == Family::Columns && board.is_square()
}

/// The clauses of all lines that are stated to hold at least one queen.
fn at_least_ones(board: &Board) -> Size {
    let [rows, columns] = [board.rows(), board.columns()].map(u128::from);
    let (lines, times) = if board.is_square() { (rows + columns, 2) } else { (rows, 1) };
    Size::new(0, lines, times * rows * columns)
}

/// The number of ordered pairs of a square and another one on a line of it, once for each line.
fn steps(board: &Board) -> u128 {
    let [r, c] = [board.rows(), board.columns()].map(u128::from);
    let straight = r * c * (r + c - 2);
    let diagonal = match (board.piece(), board.geometry()) {
        (Piece::Rook, _) => 0,
        (Piece::Queen, Geometry::Plane) => 2 * diagonal_pairs(r, c),
        (Piece::Queen, Geometry::Torus) => 2 * r * r * (r - 1),
    };
    straight + diagonal
}

/// The number of ordered pairs of attacking squares.
fn attacks(board: &Board) -> u128 {
    let n = u128::from(board.rows());
    let meets_again =
        board.piece() == Piece::Queen && board.geometry() == Geometry::Torus && n.is_multiple_of(2);
    steps(board) - if meets_again { n * n } else { 0 }
}

/// The variable of a square.
fn lit(squares: VarRange, board: &Board, square: Square) -> Lit {
    squares.lit(square.index(board.columns()) as u32)
}

/// At least one queen in every line of the family.
fn at_least_one(board: &Board, family: Family, squares: VarRange, out: &mut dyn ClauseSink) {
    let mut clause = Vec::with_capacity(board.rows().max(board.columns()) as usize);
    for line in board.lines(family) {
        clause.clear();
        clause.extend(line.map(|square| lit(squares, board, square)));
        out.clause(&clause);
    }
}

impl Encoding for Implication {
    fn card(&self) -> Card {
        let [id, title, idea, citation, pairs] = if self.later {
            [
                "implication:later",
                "implication, no clause repeated",
                "A queen on a square implies none on each later square that it attacks: every pair of \
                 attacking squares is stated once.",
                "Cook, first approach, without its repeated clauses",
                "",
            ]
        } else {
            [
                "implication",
                "implication",
                "A queen on a square implies none on each square that it attacks: every pair of \
                 attacking squares is stated from both of its ends.",
                "Cook, first approach; Andersen 1997; Nielsen, Faartoft, section 2",
                ", each pair twice",
            ]
        };
        Card {
            id: id.into(),
            title: title.into(),
            idea: idea.into(),
            citation: citation.into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: format!("rows and columns exactly one, diagonals at most one{pairs}"),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let steps = if self.later { steps(board) / 2 } else { steps(board) };
        Some(Size::new(board.squares().into(), steps, 2 * steps) + at_least_ones(board))
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        out.section(Family::Rows.id());
        let squares = out.fresh(board.squares());
        for &family in board.families() {
            out.section(family.id());
            for square in board.each_square() {
                // x → ¬y for every other square y of the line, or for every later one
                let x = lit(squares, board, square);
                let is_named =
                    |other: &Square| if self.later { *other > square } else { *other != square };
                for other in board.line_through(square, family).filter(is_named) {
                    out.clause(&[!x, !lit(squares, board, other)]);
                }
            }
            if holds_one(board, family) {
                at_least_one(board, family, squares, out);
            }
        }
        Layout::one_per_square(board, squares)
    }
}

impl Encoding for Auxiliary {
    fn card(&self) -> Card {
        let (suffix, translation) = if self.plaisted_greenbaum {
            ("+plaisted-greenbaum", "Plaisted-Greenbaum")
        } else {
            ("", "Tseitin")
        };
        Card {
            id: format!("implication:auxiliary{suffix}"),
            title: format!("implication, attacked squares named ({translation})"),
            idea: "Every square has a variable that says whether some queen attacks it, and an \
                   attacked square is empty."
                .into(),
            citation: format!("Nielsen, Faartoft, section 2, translated after {translation}"),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Defined,
            constraints: "rows and columns exactly one, diagonals at most one".into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let (squares, attacks) = (u128::from(board.squares()), attacks(board));
        let needed = Size::new(2 * squares, attacks + squares, 2 * attacks + 2 * squares);
        let other_direction = Size::new(0, squares, attacks + squares);
        let stated = if self.plaisted_greenbaum { needed } else { needed + other_direction };
        Some(at_least_ones(board) + stated)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        out.section(Family::Rows.id());
        let squares = out.fresh(board.squares());
        for family in [Family::Rows, Family::Columns] {
            if holds_one(board, family) {
                out.section(family.id());
                at_least_one(board, family, squares, out);
            }
        }
        out.section("attacked");
        let attacked = out.fresh(board.squares());
        let mut attackers: Vec<Square> = Vec::new();
        let mut clause: Vec<Lit> = Vec::new();
        for square in board.each_square() {
            let (x, a) = (lit(squares, board, square), lit(attacked, board, square));
            attackers.clear();
            attackers.extend(
                board.families().iter().flat_map(|&family| board.line_through(square, family)),
            );
            attackers.retain(|&attacker| attacker != square);
            // Two lines of a torus may share a square; it attacks no more for that.
            attackers.sort_unstable();
            attackers.dedup();
            // xⱼ → aᵢ
            for &attacker in &attackers {
                out.clause(&[!lit(squares, board, attacker), a]);
            }
            if !self.plaisted_greenbaum {
                // aᵢ → x₁ ∨ … ∨ xₘ
                clause.clear();
                clause.push(!a);
                clause.extend(attackers.iter().map(|&attacker| lit(squares, board, attacker)));
                out.clause(&clause);
            }
            // xᵢ → ¬aᵢ
            out.clause(&[!x, !a]);
        }
        Layout::one_per_square(board, squares)
    }
}
