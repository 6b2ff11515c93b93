//! Boards as instances: a candidate for each square, a family of groups for each direction of lines.

use crate::drawing::{Cell, CellLook, Drawing};
use crate::group::{Bounds, GroupFamily};
use crate::kind::Kind;
use crate::literal::Candidate;
use crate::problem::Problem;
use crate::queens::board::{Board, Piece};
use crate::queens::draw;
use crate::queens::line::Family;
use crate::queens::placement::Placement;
use crate::queens::square::Square;
use crate::solution::Solution;

impl Kind for Board {
    const ID: &'static str = "queens";
    const TITLE: &'static str = "queens";
    const FAMILIES: &'static [&'static str] = &["rows", "columns", "diagonals", "antidiagonals"];
    const SIZE: &'static str = "Side of the board, N";

    /// Rows hold exactly one queen. Columns hold exactly one on a square board, else at most one. Diagonals
    /// of two or more squares hold at most one.
    fn constraints(&self) -> Problem {
        let mut problem = Problem::new(self.squares()).on_board(self.clone());
        for &family in self.families() {
            let bounds = match family {
                Family::Rows => Bounds::EXACTLY_ONE,
                Family::Columns if self.is_square() => Bounds::EXACTLY_ONE,
                _ => Bounds::AT_MOST_ONE,
            };
            problem = problem.with_family(GroupFamily::lines(self, family, bounds));
        }
        problem.with_fixed(
            self.placed().iter().map(|&square| self.candidate(square)),
            self.blocked().iter().map(|&square| self.candidate(square)),
        )
    }

    fn size(&self) -> u32 {
        self.rows()
    }

    fn label(&self, candidate: Candidate) -> String {
        let Square { row, column } = self.square(candidate);
        format!("({}, {})", row + 1, column + 1)
    }

    fn draw(&self, solution: &Solution) -> String {
        draw::placement(self.rows(), self.columns(), &Placement::of(self, solution))
    }

    /// The board with its placed pieces and blocked squares. None with a solution: figures draw solutions of boards in
    /// their own way.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let piece = if self.piece() == Piece::Rook { "♜" } else { "♛" };
        let cell = |square| {
            let text = if self.placed().contains(&square) {
                piece
            } else if self.blocked().contains(&square) {
                "■"
            } else {
                ""
            };
            Cell::new(text, CellLook::Given)
        };
        let row = |row| (0..self.columns()).map(|column| cell(Square { row, column })).collect();
        if solution.is_some() { None } else { Drawing::grid((0..self.rows()).map(row)) }
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        Placement::of(self, solution).judge(self).map_err(|violation| violation.to_string())
    }
}

impl Board {
    /// The problem: see [`Kind::problem`].
    pub fn problem(&self) -> Problem {
        Kind::problem(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::board::Geometry;
    use crate::queens::search;

    #[test]
    fn the_groups_and_the_rules_of_a_board_have_the_same_solutions() {
        let empty = |rows, columns| Board::rectangle(rows, columns).unwrap();
        let torus = empty(5, 5).with_geometry(Geometry::Torus);
        let given = empty(5, 5).with_placed([Square::new(0, 1)]).unwrap();
        let boards = [
            empty(1, 1),
            empty(4, 4),
            empty(3, 5),
            empty(3, 2).with_piece(Piece::Rook),
            torus,
            given.with_blocked([Square::new(2, 0)]).unwrap(),
        ];
        for board in boards {
            let (problem, all) = (board.problem(), search::solutions(&board));
            // Every way to choose one square of each row.
            let ways = u64::from(board.columns()).pow(board.rows());
            let mut found = 0;
            for mut way in 0..ways {
                let solution: Solution = (0..board.rows())
                    .map(|row| {
                        let column = (way % u64::from(board.columns())) as u32;
                        way /= u64::from(board.columns());
                        row * board.columns() + column
                    })
                    .collect();
                let holds = all.contains(&Placement::of(&board, &solution));
                assert_eq!(problem.check(&solution).is_ok(), holds, "{board}: {solution:?}");
                assert_eq!(board.check(&solution).is_ok(), holds, "{board}: {solution:?}");
                found += usize::from(holds);
            }
            assert_eq!(found, all.len(), "{board}");
        }
    }
}
