//! Published numbers of solutions, for empty boards of queens.

use crate::rules::board::{Board, Geometry, Piece};

/// A published number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The number of solutions.
    pub count: u128,
    /// The place of publication.
    pub source: &'static str,
}

/// The largest side with a published number of solutions of queens on the plane.
pub const MAX_COUNTED_SIDE: u32 = PLANE.len() as u32;

/// n queens on the plane, from n = 1 on: OEIS A000170.
const PLANE: [u128; 27] = [
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// n queens on the torus, for those n that have solutions: OEIS A007705 and A051906.
const TORUS: [(u32, u128); 11] = [
    (1, 1),
    (5, 10),
    (7, 28),
    (11, 88),
    (13, 4_524),
    (17, 140_692),
    (19, 820_496),
    (23, 128_850_048),
    (25, 1_957_725_000),
    (29, 605_917_055_356),
    (31, 13_404_947_681_712),
];

/// The published number of solutions of a board: of n queens on the plane for n up to [`MAX_COUNTED_SIDE`], and on the
/// torus for n up to 32 and wherever 2 or 3 divides n.
///
/// `None` for rooks, for rectangles, and for boards with placed queens or blocked squares.
pub fn solutions(board: &Board) -> Option<Published> {
    if board.piece() != Piece::Queen || !board.is_empty() || !board.is_square() {
        return None;
    }
    let side = board.rows();
    let (count, source) = match board.geometry() {
        Geometry::Plane => (of_side(&PLANE, side)?, "OEIS A000170"),
        // A theorem: a queen for each row, column, diagonal and antidiagonal needs n to have no
        // divisor in common with 6.
        Geometry::Torus if side.is_multiple_of(2) || side.is_multiple_of(3) => {
            (0, "Pólya 1918: no solution on a torus whose side 2 or 3 divides")
        }
        Geometry::Torus => {
            let known = TORUS.iter().find(|&&(listed, _)| listed == side);
            (known?.1, "OEIS A007705, A051906")
        }
    };
    Some(Published { count, source })
}

/// The answer by a theorem or a published number: true if the board has a solution, with the source.
///
/// `None` for boards with placed queens or blocked squares, unless they have more rows than columns.
pub fn solvable(board: &Board) -> Option<(bool, &'static str)> {
    if board.rows() > board.columns() {
        return Some((false, "the pigeonhole principle: more rows than columns"));
    }
    if !board.is_empty() {
        return None;
    }
    if board.piece() == Piece::Rook {
        return Some((true, "a rook on each square of the diagonal"));
    }
    let side = board.columns();
    if !board.is_square() {
        let source = "Pauls 1874: the upper rows of a solution of the square with as many columns";
        return (side > 3).then_some((true, source));
    }
    match board.geometry() {
        Geometry::Plane => Some((!matches!(side, 2 | 3), "Pauls 1874: none for 2 and 3 only")),
        Geometry::Torus => {
            let coprime = !side.is_multiple_of(2) && !side.is_multiple_of(3);
            Some((coprime, "Pólya 1918: if and only if neither 2 nor 3 divides the side"))
        }
    }
}

fn of_side(table: &[u128], side: u32) -> Option<u128> {
    table.get(side.checked_sub(1)? as usize).copied()
}

#[cfg(test)]
mod tests {
    use bezzel_problem::Square;

    use super::*;

    fn count(side: u32, geometry: Geometry) -> Option<u128> {
        let board = Board::new(side).unwrap().with_geometry(geometry);
        solutions(&board).map(|published| published.count)
    }

    #[test]
    fn only_published_boards_have_a_count() {
        assert_eq!(count(8, Geometry::Plane), Some(92));
        assert_eq!(count(27, Geometry::Plane), Some(234_907_967_154_122_528));
        assert_eq!(count(28, Geometry::Plane), None);
        assert_eq!(count(7, Geometry::Torus), Some(28));
        assert_eq!(count(31, Geometry::Torus), Some(13_404_947_681_712));
        assert_eq!(count(35, Geometry::Torus), None);
        assert_eq!(count(1000, Geometry::Torus), Some(0));
        assert_eq!(count(999, Geometry::Torus), Some(0));
        let board = Board::new(8).unwrap();
        assert_eq!(solutions(&board.clone().with_piece(Piece::Rook)), None);
        assert_eq!(solutions(&board.clone().with_placed([Square::new(0, 0)]).unwrap()), None);
        assert_eq!(solutions(&board.with_blocked([Square::new(0, 0)]).unwrap()), None);
        assert_eq!(solutions(&Board::rectangle(8, 9).unwrap()), None);
    }

    #[test]
    fn a_torus_has_no_more_solutions_than_the_plane() {
        for (side, torus) in TORUS {
            assert!(side % 2 != 0 && side % 3 != 0);
            assert!(of_side(&PLANE, side).is_none_or(|plane| torus <= plane), "n = {side}");
            // Shifted along the rows, a solution is another one.
            assert_eq!(torus % u128::from(side), 0, "n = {side}");
        }
    }
}
