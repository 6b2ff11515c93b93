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

    /// The number of squares that stay where they are.
    fn fixed(self, rows: u32, columns: u32) -> u128 {
        let [r, c] = [rows, columns].map(u128::from);
        match self {
            Self::Identity => r * c,
            Self::Mirror => r * (c % 2),
            Self::Flip => c * (r % 2),
            Self::Transpose | Self::Antitranspose => r,
            Self::HalfTurn | Self::QuarterTurn | Self::ThreeQuarterTurn => (r % 2) * (c % 2),
        }
    }

    /// The number of cycles of the permutation of squares; a fixed square is a cycle. The number is computed from the
    /// numbers of squares that each power of the map keeps (Burnside).
    pub fn cycles(self, rows: u32, columns: u32) -> u128 {
        let fixed = |map: Self| map.fixed(rows, columns);
        let squares = fixed(Self::Identity);
        match self {
            Self::Identity => squares,
            Self::QuarterTurn | Self::ThreeQuarterTurn => {
                (squares + 2 * fixed(self) + fixed(Self::HalfTurn)) / 4
            }
            _ => u128::midpoint(squares, fixed(self)),
        }
    }
}

/// A given queen or blocked square whose image is not given or blocked as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenSymmetry {
    /// The square.
    pub square: Square,
    /// True if a queen is given there; otherwise it is blocked.
    pub queen: bool,
    /// The image of the square.
    pub image: Square,
}

/// The first given queen or blocked square whose image is not given or blocked as well.
pub fn broken_symmetry(board: &Board, map: Dihedral) -> Option<BrokenSymmetry> {
    let stray = |squares: &[Square], queen: bool| {
        let pairs = squares.iter().map(|&square| (square, image(board, map, square)));
        // The squares are sorted.
        let mut strays = pairs.filter(|(_, image)| squares.binary_search(image).is_err());
        strays.next().map(|(square, image)| BrokenSymmetry { square, queen, image })
    };
    stray(board.placed(), true).or_else(|| stray(board.blocked(), false))
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
    group(board).into_iter().filter(|&map| broken_symmetry(board, map).is_none()).collect()
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
    fn cycles_are_as_many_as_following_the_squares_shows() {
        for board in boards() {
            for map in Dihedral::ALL {
                if !map.keeps_rows() && !board.is_square() {
                    continue;
                }
                let mut left: BTreeSet<Square> = board.each_square().collect();
                let mut cycles = 0;
                while let Some(start) = left.pop_first() {
                    cycles += 1;
                    let mut square = image(&board, map, start);
                    while left.remove(&square) {
                        square = image(&board, map, square);
                    }
                }
                assert_eq!(map.cycles(board.rows(), board.columns()), cycles, "{board}, {map}");
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
        let stray = broken_symmetry(&board(&[(3, 3)], &[(2, 4)]), Dihedral::Mirror).unwrap();
        let (square, image) = (Square::from((2, 4)), Square::from((2, 2)));
        assert_eq!(stray, BrokenSymmetry { square, queen: false, image });
    }
}
