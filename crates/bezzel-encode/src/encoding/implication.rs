//! Implication: a queen on a square implies none on each square that it attacks.
//!
//! *Idea.* One rule per square: x → ¬y₁ ∧ … ∧ ¬yₘ for all squares y on its lines. The plain
//! encoding expands every rule to one clause per attacked square, so each attacking pair is stated
//! from both of its ends. That is what the sources do, and what makes it worth comparing with
//! [`pairwise`](crate::amo::pairwise). The variant `implication:auxiliary` keeps a variable per
//! square instead, *attacked*, and says each rule in one clause.
//!
//! *Clauses* of `implication`. For every family of lines, every square x and every other square y
//! of its line: ¬x ∨ ¬y. Every row and every column: at least one of its squares.
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
//! | `implication:auxiliary` | 2n² | A + 2n² + 2n | 3A + 5n² |
//! | `implication:auxiliary+plaisted-greenbaum` | 2n² | A + n² + 2n | 2A + 4n² |
//!
//! On a torus of even side the two diagonals through a square meet again half-way round. Plain
//! `implication` states that pair once for each of the two lines, as its rule goes line by line
//! and as pairwise does, so its A is the full 4n²(n − 1). The variants state an implication for
//! each attacking square, and count it once. At n = 8 on the plane: 1,472, 1,600 and 1,536 clauses.
//!
//! *Propagation.* Complete: a queen falsifies every attacked square, directly or by its variable
//! *attacked*.
//!
//! *Models.* The plain encoding has no auxiliary variable. In both variants a square without a
//! queen is attacked by the queen of its row and one with a queen is not attacked, so every
//! *attacked* is determined, even with one direction of the equivalence only.
//!
//! *Source.* J. D. Cook, "Solving the eight queens problem with a SAT solver", first approach (per
//! row). T. Nielsen, M. Faartoft, "Solving the N-Queens Problem: Interactive Configuration using
//! Binary Decision Diagrams", IT University of Copenhagen, section 2, after H. R. Andersen, "An
//! Introduction to Binary Decision Diagrams", 1997 (per square). The auxiliary variants are the
//! Tseitin and the Plaisted-Greenbaum translation of the same rule.
//!
//! *Departures.* Cook's b₁₁ ⇒ ¬(b₁₂ ∨ … ∨ b₁₈) is not a clause, though the text calls it one: it is
//! distributed here. Clauses come family by family, where Nielsen and Faartoft go square by
//! square, so that sections compare with those of other encodings. They state at least one queen
//! for rows only; columns are stated here too.

use rustsat::types::Lit;

use super::Encoding;
use crate::board::{Board, Geometry, Piece};
use crate::card::{Auxiliaries, Card, Propagation};
use crate::layout::Layout;
use crate::line::Family;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;
use crate::square::Square;

/// The rule of each square, expanded to one clause per attacked square. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Implication;

/// The rule of each square, with a variable that says that it is attacked. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Auxiliary {
    /// Whether only the needed direction of each definition is stated.
    pub plaisted_greenbaum: bool,
}

/// Whether lines of this family are stated to hold at least one queen.
fn holds_one(family: Family) -> bool {
    matches!(family, Family::Rows | Family::Columns)
}

/// The number of ordered pairs of a square and another one on a line of it, once for each line.
fn steps(board: &Board) -> u128 {
    let n = u128::from(board.side());
    match (board.piece(), board.geometry()) {
        (Piece::Rook, _) => 2 * n * n * (n - 1),
        (Piece::Queen, Geometry::Plane) => 2 * n * (n - 1) * (5 * n - 1) / 3,
        (Piece::Queen, Geometry::Torus) => 4 * n * n * (n - 1),
    }
}

/// The number of ordered pairs of attacking squares.
fn attacks(board: &Board) -> u128 {
    let n = u128::from(board.side());
    let meets_again =
        board.piece() == Piece::Queen && board.geometry() == Geometry::Torus && n.is_multiple_of(2);
    steps(board) - if meets_again { n * n } else { 0 }
}

/// The variable of a square.
fn lit(squares: VarRange, side: u32, square: Square) -> Lit {
    squares.lit(square.index(side) as u32)
}

/// At least one queen in every line of the family.
fn at_least_one(board: &Board, family: Family, squares: VarRange, out: &mut dyn ClauseSink) {
    let mut clause = Vec::with_capacity(board.side() as usize);
    for line in board.lines(family) {
        clause.clear();
        clause.extend(line.map(|square| lit(squares, board.side(), square)));
        out.clause(&clause);
    }
}

impl Encoding for Implication {
    fn card(&self) -> Card {
        Card {
            id: "implication".into(),
            title: "implication".into(),
            citation: "Cook, first approach; Andersen 1997; Nielsen, Faartoft, section 2".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            constraints: "rows and columns exactly one, diagonals at most one, each pair twice"
                .into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let n = u128::from(board.side());
        let steps = steps(board);
        Some(Size::new(n * n, steps + 2 * n, 2 * steps + 2 * n * n))
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let side = board.side();
        out.section(Family::Rows.section());
        let squares = out.fresh(board.squares());
        for &family in board.families() {
            out.section(family.section());
            for square in Square::all(side) {
                // x → ¬y for every other square y of the line
                let x = lit(squares, side, square);
                for other in board.line_through(square, family).filter(|&other| other != square) {
                    out.clause(&[!x, !lit(squares, side, other)]);
                }
            }
            if holds_one(family) {
                at_least_one(board, family, squares, out);
            }
        }
        Layout::one_per_square(side, squares)
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
            citation: format!("Nielsen, Faartoft, section 2, translated after {translation}"),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Defined,
            constraints: "rows and columns exactly one, diagonals at most one".into(),
            ..Card::default()
        }
    }

    fn size(&self, board: &Board) -> Option<Size> {
        let n = u128::from(board.side());
        let (squares, attacks) = (n * n, attacks(board));
        let at_least_one = Size::new(0, 2 * n, 2 * squares);
        let needed = Size::new(2 * squares, attacks + squares, 2 * attacks + 2 * squares);
        let other_direction = Size::new(0, squares, attacks + squares);
        let stated = if self.plaisted_greenbaum { needed } else { needed + other_direction };
        Some(at_least_one + stated)
    }

    fn rules(&self, board: &Board, out: &mut dyn ClauseSink) -> Layout {
        let side = board.side();
        out.section(Family::Rows.section());
        let squares = out.fresh(board.squares());
        for family in [Family::Rows, Family::Columns] {
            out.section(family.section());
            at_least_one(board, family, squares, out);
        }
        out.section("attacked");
        let attacked = out.fresh(board.squares());
        let mut attackers: Vec<Square> = Vec::new();
        let mut clause: Vec<Lit> = Vec::new();
        for square in Square::all(side) {
            let (x, a) = (lit(squares, side, square), lit(attacked, side, square));
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
                out.clause(&[!lit(squares, side, attacker), a]);
            }
            if !self.plaisted_greenbaum {
                // aᵢ → x₁ ∨ … ∨ xₘ
                clause.clear();
                clause.push(!a);
                clause.extend(attackers.iter().map(|&attacker| lit(squares, side, attacker)));
                out.clause(&clause);
            }
            // xᵢ → ¬aᵢ
            out.clause(&[!x, !a]);
        }
        Layout::one_per_square(side, squares)
    }
}
