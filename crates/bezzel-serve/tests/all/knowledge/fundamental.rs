//! Fundamental solutions.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use bezzel_count::published;
use bezzel_problem::queens::dihedral::group;
use bezzel_problem::{Board, Geometry, Piece, Placement, Square};
use bezzel_serve::knowledge::Stopped;
use bezzel_serve::knowledge::fundamental::{Fundamental, FundamentalError, fundamental};

use crate::knowledge::brute;

fn of(board: &Board) -> Result<Fundamental, FundamentalError> {
    fundamental(board, &AtomicBool::new(false))
}

#[test]
fn their_images_are_all_solutions() {
    for side in 1..=7 {
        for board in brute::kinds(side).filter(|board| board.piece() == Piece::Queen || side < 6) {
            let found = of(&board).unwrap();
            let mut images: BTreeSet<Placement> = BTreeSet::new();
            for columns in &found.solutions {
                let squares = (1..).zip(columns).map(|(row, &column)| Square::from((row, column)));
                let squares: Vec<_> = squares.collect();
                let before = images.len();
                for map in group(&board) {
                    let image = |&square: &Square| map.image(square, side, side);
                    images.insert(squares.iter().map(image).collect());
                }
                assert!(images.len() > before, "{board}: one is an image of another");
            }
            assert_eq!(images.into_iter().collect::<Vec<_>>(), brute::solutions(&board), "{board}");
            assert_eq!(found.total, brute::solutions(&board).len().to_string(), "{board}");
            assert_eq!(found.fundamental, found.solutions.len());
        }
    }
}

#[test]
fn they_are_as_many_as_is_published() {
    for side in 8..=11 {
        let board = Board::new(side).unwrap();
        let found = of(&board).unwrap();
        assert_eq!(found.fundamental as u128, published::fundamental(side).unwrap().count);
        assert_eq!(found.total, published::solutions(&board).unwrap().count.to_string());
    }
    let torus = Board::new(14).unwrap().with_geometry(Geometry::Torus);
    assert_eq!(of(&torus).unwrap().fundamental, 0, "as a theorem says, without a search");
}

#[test]
fn too_many_are_refused_at_once_and_a_search_can_be_stopped() {
    assert_eq!(of(&Board::new(13).unwrap()), Err(FundamentalError::Many));
    assert_eq!(of(&Board::new(27).unwrap()), Err(FundamentalError::Many));
    assert_eq!(of(&Board::new(16).unwrap().with_piece(Piece::Rook)), Err(FundamentalError::Many));
    let given = Board::new(8).unwrap().with_placed([Square::new(0, 0)]).unwrap();
    assert_eq!(of(&given), Err(FundamentalError::Given));
    let stopped = fundamental(&Board::new(12).unwrap(), &AtomicBool::new(true));
    assert_eq!(stopped, Err(FundamentalError::Stopped(Stopped)));
}
