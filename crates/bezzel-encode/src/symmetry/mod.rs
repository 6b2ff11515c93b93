//! Symmetry: the number of the placements that are kept of those that are images of each other.
//!
//! A turn or a reflection of the board maps every solution to another one. A search for one solution, or for the
//! fundamental ones, may leave out the others. Clauses in addition to those of the encoding leave them out. They name
//! squares by the cubes of its layout.
//!
//! Only maps that take the board to itself are used: geometry, given queens and blocked squares.
//! [`dihedral`](bezzel_problem::queens::dihedral) has them: at most the eight of the square, four of a
//! rectangle. A torus can be shifted too, and rooks allow every order of rows; these symmetries stay
//! unbroken.

use bezzel_problem::queens::dihedral::{BrokenSymmetry, broken_symmetry, group, stabilizer};
use bezzel_problem::{Dihedral, Problem, named};
use serde::{Deserialize, Serialize};

use crate::constraints::{Unsupported, board_of, needs_board};

pub(crate) mod half_board;
pub(crate) mod lex_leader;
pub(crate) mod selectors;

named! {
    /// The number of placements that are kept of those that are images of each other.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Symmetry: "rule of symmetry" {
        /// All of them.
        #[default]
        None = "none",
        /// One of every two mirror images: the first row's queen stands in the left half, and if it
        /// stands in the middle, the second row's does.
        HalfBoard = "half-board",
        /// One of each orbit, so that the empty plane has as many placements as there are fundamental
        /// solutions (OEIS A002562).
        Full = "full",
    }
}

impl Symmetry {
    /// Refuses boards on which the rule would lose solutions, or has nothing to break.
    ///
    /// # Errors
    ///
    /// The reason, and a rule that fits instead.
    pub fn fits(self, problem: &Problem) -> Result<(), Unsupported> {
        if self == Self::None {
            return Ok(());
        }
        needs_board(format!("the rule `symmetry: {self}`"), problem)?;
        let board = board_of(problem);
        let unsupported = |why: String, mend| {
            Err(Unsupported::new(format!("the rule `symmetry: {self}`"), problem, why, mend))
        };
        let left = stabilizer(board).len();
        match self {
            Self::HalfBoard => match broken_symmetry(board, Dihedral::Mirror) {
                None => Ok(()),
                Some(BrokenSymmetry { square, queen, image }) => unsupported(
                    if queen {
                        format!("in its mirror image the given queen on {square} stands on {image}")
                    } else {
                        format!("in its mirror image {image} is blocked in place of {square}")
                    },
                    if left > 1 {
                        "take `symmetry: full`, which breaks what symmetry is left"
                    } else {
                        "take `symmetry: none`"
                    },
                ),
            },
            // A single square has nothing to break, and no given queen or blocked square breaks its symmetry.
            Self::Full if left == 1 && group(board).len() > 1 => unsupported(
                "no turn or reflection keeps its given queens and blocked squares".into(),
                "take `symmetry: none`",
            ),
            Self::None | Self::Full => Ok(()),
        }
    }

    /// The kept placements, in words that follow the constraints.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::None => "",
            Self::HalfBoard => "; one of every two mirror images",
            Self::Full => "; one placement of each orbit",
        }
    }
}
