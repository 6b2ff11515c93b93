//! The turns and reflections of a board, and those that keep its placed queens and blocked squares.

use crate::named;
use crate::queens::board::Board;
use crate::queens::square::Square;

named! {
    /// A turn or a reflection: an element of the dihedral group of the square, which has eight.
    pub enum Dihedral {
        /// No square moves.
        Identity = "identity",
        /// Left and right change places: columns are counted from the right.
        Mirror = "mirror image",
        /// Top and bottom change places: rows are counted from the bottom.
        Flip = "image upside down",
        /// A turn by 180°.
        HalfTurn = "half turn",
        /// Rows become columns: the reflection in the diagonal from the upper left.
        Transpose = "reflection in the diagonal",
        /// The reflection in the diagonal from the upper right.
        Antitranspose = "reflection in the antidiagonal",
        /// A turn by 90°, clockwise.
        QuarterTurn = "quarter turn",
        /// A turn by 270°, clockwise.
        ThreeQuarterTurn = "three-quarter turn",
    }
}

impl Dihedral {
    /// True if rows stay rows and columns columns.
    pub fn keeps_rows(self) -> bool {
        matches!(self, Self::Identity | Self::Mirror | Self::Flip | Self::HalfTurn)
    }

    /// The image of a square of a board with `rows` rows and `columns` columns. A map that makes columns
    /// of rows is for boards that have as many of both.
    #[inline]
    pub fn image(self, square: Square, rows: u32, columns: u32) -> Square {
        let Square { row, column } = square;
        let (from_bottom, from_right) = (rows - 1 - row, columns - 1 - column);
        match self {
            Self::Identity => square,
            Self::Mirror => Square::new(row, from_right),
            Self::Flip => Square::new(from_bottom, column),
            Self::HalfTurn => Square::new(from_bottom, from_right),
            Self::Transpose => Square::new(column, row),
            Self::Antitranspose => Square::new(from_right, from_bottom),
            Self::QuarterTurn => Square::new(column, from_bottom),
            Self::ThreeQuarterTurn => Square::new(from_right, row),
        }
    }
}

/// True if the image of every given queen is a given queen, and that of every blocked square is blocked.
fn is_kept(board: &Board, map: Dihedral) -> bool {
    let kept = |squares: &[Square]| {
        // The squares are sorted.
        squares.iter().all(|&square| squares.binary_search(&image(board, map, square)).is_ok())
    };
    kept(board.placed()) && kept(board.blocked())
}

/// The image of a square of the board.
pub fn image(board: &Board, map: Dihedral, square: Square) -> Square {
    map.image(square, board.rows(), board.columns())
}

/// The turns and reflections of the empty board: eight of a square, four of a rectangle, two of a
/// single row or column, one of a single square. Each moves the squares in another way.
pub fn group(board: &Board) -> Vec<Dihedral> {
    let (rows, columns) = (board.rows(), board.columns());
    let maps = Dihedral::ALL.into_iter().filter(|&map| match map {
        Dihedral::Identity => true,
        Dihedral::Mirror => columns > 1,
        Dihedral::Flip => rows > 1,
        // On a single row the half turn is the mirror image, on a single column the flip.
        Dihedral::HalfTurn => rows > 1 && columns > 1,
        _ => rows == columns && rows > 1,
    });
    maps.collect()
}

/// The maps of the [`group`] that keep the placed queens and the blocked squares.
///
/// Only turns and reflections are considered. A torus can be shifted as well, and the rows of a board of rooks can be
/// permuted.
pub fn stabilizer(board: &Board) -> Vec<Dihedral> {
    group(board).into_iter().filter(|&map| is_kept(board, map)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn boards() -> impl Iterator<Item = Board> {
        let sides = (1..=6).flat_map(|rows| (1..=6).map(move |columns| (rows, columns)));
        sides.map(|(rows, columns)| Board::rectangle(rows, columns).unwrap())
    }

    fn permutation(board: &Board, map: Dihedral) -> Vec<Square> {
        board.each_square().map(|square| image(board, map, square)).collect()
    }

    #[test]
    fn the_maps_of_a_board_are_different_permutations_and_closed_under_composition() {
        for board in boards() {
            let group = group(&board);
            let expected = match (board.rows(), board.columns()) {
                (1, 1) => 1,
                (1, _) | (_, 1) => 2,
                (rows, columns) if rows == columns => 8,
                _ => 4,
            };
            assert_eq!(group.len(), expected, "{board}");
            let maps: BTreeSet<Vec<Square>> =
                group.iter().map(|&map| permutation(&board, map)).collect();
            assert_eq!(maps.len(), expected, "{board}");
            for map in &maps {
                let all: BTreeSet<Square> = map.iter().copied().collect();
                assert!(all.into_iter().eq(board.each_square()), "{board}");
            }
            for &first in &group {
                for &second in &group {
                    let both: Vec<Square> = board
                        .each_square()
                        .map(|square| image(&board, second, image(&board, first, square)))
                        .collect();
                    assert!(maps.contains(&both), "{board}: {first}, then {second}");
                }
            }
        }
    }

    #[test]
    fn no_map_makes_squares_attack_that_did_not() {
        for board in boards() {
            for map in group(&board) {
                for first in board.each_square() {
                    for second in board.each_square() {
                        let there =
                            board.attacks(image(&board, map, first), image(&board, map, second));
                        assert_eq!(board.attacks(first, second), there, "{board}, {map}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_what_keeps_queens_and_blocked_squares_is_left() {
        let board = |queens: &[(u32, u32)], blocked: &[(u32, u32)]| {
            let squares = |squares: &[(u32, u32)]| -> Vec<Square> {
                squares.iter().copied().map(Square::from).collect()
            };
            let board = Board::new(5).unwrap().with_placed(squares(queens)).unwrap();
            board.with_blocked(squares(blocked)).unwrap()
        };
        let left = |board: &Board| stabilizer(board).len();
        assert_eq!(left(&board(&[], &[])), 8);
        assert_eq!(left(&board(&[(3, 3)], &[])), 8);
        assert_eq!(left(&board(&[(1, 3)], &[])), 2);
        assert_eq!(left(&board(&[(1, 1)], &[])), 2);
        assert_eq!(left(&board(&[(1, 2)], &[])), 1);
        assert_eq!(left(&board(&[], &[(1, 1), (1, 5), (5, 1), (5, 5)])), 8);
        assert_eq!(left(&board(&[], &[(1, 2), (2, 5), (5, 4), (4, 1)])), 4);
        assert_eq!(left(&board(&[], &[(1, 1), (5, 5)])), 4);
        // A queen's image is no blocked square.
        assert_eq!(left(&board(&[(1, 2)], &[(1, 4)])), 1);
    }
}
