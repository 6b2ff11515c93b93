//! The number of gates of Bryant's circuit, in closed form. The size of its formula follows from it.

use crate::{Board, Geometry, Piece};

use super::bryant::{Bryant, Positions};
use bezzel_encode::Size;
use bezzel_encode::size::bits;

/// The gates that become variables, by the polarity that the requirements need. All ORs, and all ANDs but the
/// selectors, are needed to hold only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// AND gates of the selectors of the binary encoding, needed both ways: in UNIQUE to hold, in CONFLICT and ROW not
    /// to hold.
    pub selectors: u128,
    /// Other AND gates.
    pub ands: u128,
    /// OR gates.
    pub ors: u128,
    /// AND gates that no gate uses: L(r,N) and R(r,1) on the plane.
    pub unused: u128,
}

impl GateCounts {
    /// Counts the gates of a board's circuit without building it.
    pub fn of(bryant: Bryant, board: &Board) -> Self {
        let [r, c] = [board.rows(), board.columns()].map(u128::from);
        if c == 1 && bryant.positions == Positions::Binary {
            // The place of every queen is known: everything is constant.
            return Self::default();
        }
        let queens = board.piece() == Piece::Queen;
        let plane = board.geometry() == Geometry::Plane;
        // UNIQUE: H from column 2 on, and E from column 2 to N − 1.
        let (selectors, mut ands, mut ors) = match bryant.positions {
            Positions::OneHot => (0, 2 * r * (c - 1) + r * c.saturating_sub(2), r * (c - 1)),
            Positions::Binary => (r * c * u128::from(bits(c as u64) - 1), 0, r * (c - 1)),
        };
        // CONFLICT: the last row is literals; at the edges of the plane so are L(r,1) and R(r,C).
        let (kinds, edges) = match (queens, plane) {
            (true, true) => (3, 2),
            (true, false) => (3, 0),
            (false, _) => (1, 0),
        };
        // For each row but the first and the last, one L and one R are unused on the plane.
        let inner = r.saturating_sub(2);
        let unused = if c == 1 { 0 } else { edges * inner };
        ands += kinds * c * inner - edges * inner - unused;
        // ROW: an OR and its AND for each square but those of the last row; L ∧ D and ∧ R, if neither is beyond an
        // edge.
        ors += c * (r - 1);
        ands += c * (r - 1) + (kinds - 1) * c * (r - 1) - edges * (r - 1);
        // OVERALL.
        ands += r - 1;
        if r == 1 {
            // In a circuit of one row no gate needs empty squares: selectors need hold only.
            ands += selectors;
            return Self { selectors: 0, ands, ors, unused: 0 };
        }
        Self { selectors, ands, ors, unused }
    }

    /// The number of gates.
    pub fn gates(&self) -> u128 {
        self.selectors + self.ands + self.ors + self.unused
    }

    /// The size of the gates by Tseitin's translation.
    pub fn tseitin(&self) -> Size {
        Size::new(1, 3, 7) * self.gates()
    }

    /// The size of the gates by the translation of Plaisted and Greenbaum.
    pub fn plaisted_greenbaum(&self) -> Size {
        Size::new(1, 3, 7) * self.selectors
            + Size::new(1, 2, 4) * self.ands
            + Size::new(1, 1, 3) * self.ors
            + Size::new(1, 0, 0) * self.unused
    }
}
