//! Squares as candidates of a problem, row by row.

use crate::rules::board::Board;
use crate::rules::placement::Placement;
use bezzel_problem::Candidate;
use bezzel_problem::Solution;
use bezzel_problem::Square;

impl Board {
    /// The candidate of a square.
    #[inline]
    pub fn candidate(&self, square: Square) -> Candidate {
        square.index(self.columns()) as Candidate
    }

    /// The square of a candidate: candidates are squares, row by row.
    pub fn square(&self, candidate: Candidate) -> Square {
        Square::new(candidate / self.columns(), candidate % self.columns())
    }
}

impl Placement {
    /// The squares that a solution chooses.
    pub fn of(board: &Board, solution: &Solution) -> Self {
        solution.chosen().iter().map(|&candidate| board.square(candidate)).collect()
    }

    /// The candidates of the squares with queens. A square outside the board is the candidate after the last one, which
    /// no board has.
    pub fn solution(&self, board: &Board) -> Solution {
        let candidate = |square: Square| {
            if board.contains(square) { board.candidate(square) } else { board.squares() }
        };
        self.squares().map(candidate).collect()
    }
}
