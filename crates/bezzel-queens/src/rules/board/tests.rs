//! Sizes, names, and boards that do not exist.

use super::*;

fn board(side: u32, geometry: Geometry) -> Board {
    Board::new(side).unwrap().with_geometry(geometry)
}

#[test]
fn attacking_pairs_are_as_many_as_the_closed_form_says() {
    for n in 1..=12 {
        let board = board(n, Geometry::Plane);
        let ordered = board
            .each_square()
            .flat_map(|first| board.each_square().map(move |second| (first, second)))
            .filter(|&(first, second)| board.attacks(first, second))
            .count() as u32;
        assert_eq!(ordered / 2, n * (n - 1) * (5 * n - 1) / 3, "n = {n}");
    }
}

#[test]
fn impossible_boards_are_refused_with_the_reason() {
    assert_eq!(Board::new(0), Err(BoardError::Side("0".into())));
    assert_eq!(Board::rectangle(2, 40_001), Err(BoardError::Columns("40001".into())));
    let torus = Board::rectangle(2, 3).unwrap().try_geometry(Geometry::Torus);
    assert_eq!(torus, Err(BoardError::Torus { rows: 2, columns: 3 }));
    let square = |row, column| Square::from((row, column));
    let message =
        |squares: &[Square]| Board::new(4).unwrap().with_placed(squares.to_vec()).unwrap_err();
    assert_eq!(
        message(&[square(5, 1)]).to_string(),
        "the square 5,1 is outside the board: rows and columns run from 1 to 4"
    );
    assert_eq!(
        message(&[square(0, 1)]).to_string(),
        "the square 0,1 is outside the board: rows and columns run from 1 to 4"
    );
    assert_eq!(
        message(&[square(1, 1), square(3, 3)]),
        BoardError::Attack(square(1, 1), square(3, 3))
    );
    let beside = Board::rectangle(4, 6).unwrap().with_placed([square(5, 6)]).unwrap_err();
    assert_eq!(
        beside.to_string(),
        "the square 5,6 is outside the board: rows run from 1 to 4, columns from 1 to 6"
    );
}

#[test]
fn a_size_is_read_as_it_is_written() {
    assert_eq!(Board::read_size("8"), Board::new(8));
    assert_eq!(Board::read_size("8x10"), Board::rectangle(8, 10));
    for text in ["", "x", "8x", "x8", "8x10x2", "8 x 10", "+8", "8X10", "eight"] {
        assert_eq!(Board::read_size(text), Err(BoardError::Size(text.to_owned())), "{text:?}");
    }
    assert_eq!(Board::read_size("0"), Err(BoardError::Side("0".into())));
    assert_eq!(Board::read_size("3x0"), Err(BoardError::Columns("0".into())));
    let endless = "99999999999999999999999";
    assert_eq!(Board::read_size(endless), Err(BoardError::Side(endless.into())));
}

#[test]
fn a_rectangle_is_called_by_its_rows_and_columns() {
    let board = Board::rectangle(4, 3).unwrap();
    assert_eq!(board.to_string(), "4x3");
    assert_eq!(board.with_piece(Piece::Rook).to_string(), "rooks 4x3");
}
