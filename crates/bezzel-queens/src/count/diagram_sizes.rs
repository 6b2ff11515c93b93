//! The numbers of nodes of the decision diagrams of all solutions, on the empty plane for queens.
//!
//! The variables are in row-major order, and terminals are not counted. A binary code of B = ⌈log₂ N⌉ bits for each row
//! has its most significant bit first, and code c − 1 for column c counted from 1.

use crate::{Board, Geometry, Piece};

/// The source of the numbers.
pub const SOURCE: &str = "BDD one-hot for N = 4 to 10: R. Ossowski's thesis on JINC, table 7.7, less \
                          its two terminals. All others were computed by a program that shares no \
                          code with this one, and agree with those. A diagram with complement edges \
                          has a node less where some solution uses the last corner and some does not.";

/// The variables that encode the squares of the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublishedCode {
    /// One for each square.
    OneHot,
    /// The bits of the column, for each row.
    Binary,
}

/// BDD one-hot, ZDD one-hot, BDD binary, ZDD binary, from N = 4 on.
const NODES: [[u64; 4]; 12] = [
    [29, 8, 15, 8],
    [167, 40, 95, 37],
    [129, 24, 64, 26],
    [1_099, 186, 446, 211],
    [2_451, 373, 877, 484],
    [9_557, 1_309, 4_072, 1_653],
    [25_945, 3_120, 10_047, 4_070],
    [94_822, 10_503, 33_612, 14_094],
    [435_170, 45_833, 141_753, 65_450],
    [2_044_394, 204_781, 619_274, 294_672],
    [9_572_418, 911_420, 2_695_746, 1_364_838],
    [51_889_029, 4_796_502, 13_683_076, 7_383_737],
];

fn nodes(board: &Board, column: usize) -> Option<u64> {
    let plain = board.is_square()
        && board.is_empty()
        && board.geometry() == Geometry::Plane
        && board.piece() == Piece::Queen;
    let row = NODES.get(board.rows().checked_sub(4)? as usize)?;
    plain.then_some(row[column])
}

/// The nodes of the binary decision diagram, if they are known.
pub fn bdd(board: &Board, code: PublishedCode) -> Option<u64> {
    nodes(board, if code == PublishedCode::OneHot { 0 } else { 2 })
}

/// The nodes of the zero-suppressed decision diagram, if they are known.
pub fn zdd(board: &Board, code: PublishedCode) -> Option<u64> {
    nodes(board, if code == PublishedCode::OneHot { 1 } else { 3 })
}

/// The nodes of the binary decision diagram with complement edges, if they are known.
pub fn bcdd(board: &Board, code: PublishedCode) -> Option<u64> {
    let corner = matches!(board.rows(), 5 | 7..);
    let nodes = bdd(board, code).filter(|_| code == PublishedCode::OneHot)?;
    Some(nodes - u64::from(corner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_empty_plane_of_queens_has_known_sizes() {
        let board = |side| Board::new(side).unwrap();
        assert_eq!(bdd(&board(8), PublishedCode::OneHot), Some(2_451));
        assert_eq!(bcdd(&board(8), PublishedCode::OneHot), Some(2_450));
        assert_eq!(bcdd(&board(6), PublishedCode::OneHot), Some(129));
        assert_eq!(zdd(&board(15), PublishedCode::Binary), Some(7_383_737));
        assert_eq!(zdd(&board(3), PublishedCode::OneHot), None);
        assert_eq!(zdd(&board(16), PublishedCode::OneHot), None);
        assert_eq!(bdd(&board(8).with_geometry(Geometry::Torus), PublishedCode::OneHot), None);
        assert_eq!(bdd(&board(8).with_piece(Piece::Rook), PublishedCode::OneHot), None);
    }
}
