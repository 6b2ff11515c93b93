//! The marks and counts of the page, compared with brute force.

use bezzel_problem::{Board, Geometry, Piece, Square};
use bezzel_serve::knowledge::theorem;

use crate::browser::desk::Desk;
use crate::knowledge::brute::{self, Case};

/// Returns the fragment of a board's address.
fn fragment(board: &Board) -> String {
    let list = |squares: &[Square]| {
        let words = squares.iter().map(|it| format!("{}.{}", it.row + 1, it.column + 1));
        words.collect::<Vec<_>>().join("_")
    };
    let geometry = if board.geometry() == Geometry::Torus { "torus" } else { "plane" };
    let piece = if board.piece() == Piece::Rook { "rook" } else { "queen" };
    let [queens, blocked] = [board.placed(), board.blocked()].map(list);
    format!(
        "size={}&geometry={geometry}&piece={piece}&queens={queens}&blocked={blocked}",
        board.rows()
    )
}

/// Returns the expected look of a square, and the end of its name.
fn expected(case: &Case, square: Square) -> (&'static str, String) {
    let left = case.left();
    let uses = left.iter().filter(|solution| solution.holds(square)).count();
    if case.board.placed().contains(&square) {
        let piece = if case.board.piece() == Piece::Rook { "rook" } else { "queen" };
        return ("queen", piece.to_owned());
    }
    if case.board.blocked().contains(&square) {
        return ("blocked", "blocked".to_owned());
    }
    match uses {
        0 if case.is_attacked(square) => ("attacked", "attacked".to_owned()),
        0 => ("dead", "in no solution".to_owned()),
        1 if left.len() == 1 => ("outlined", "in the only solution left".to_owned()),
        1 => ("free", " 1 ".to_owned()),
        uses => ("free", format!(" {uses} ")),
    }
}

/// Returns the expected heading.
fn left(case: &Case) -> String {
    match case.left().len() {
        0 if theorem(&case.board).is_some() => "No solution exists".to_owned(),
        0 => "No solution left".to_owned(),
        1 if case.board.placed().len() == case.board.rows() as usize => "Solved".to_owned(),
        1 => "1 solution left".to_owned(),
        many => format!("{many} solutions left"),
    }
}

/// Returns a board of side 9, with two queens and two blocked squares.
fn nine() -> Case {
    let square = |row: u32, column: u32| Square::new(row - 1, column - 1);
    let board = Board::new(9).unwrap().with_blocked([square(5, 5), square(8, 1)]).unwrap();
    let all = brute::solutions(&board);
    Case { board: board.with_placed([square(1, 3), square(9, 4)]).unwrap(), all }
}

#[test]
fn marks_and_counts_are_those_of_all_solutions_listed() {
    let Some(desk) = Desk::new("size=4") else { return };
    let mut cases: Vec<_> = brute::random(3, 24).into_iter().step_by(3).collect();
    cases.push(nine());
    let mut seen = Vec::new();
    for case in &cases {
        let fragment = fragment(&case.board);
        desk.open(&fragment);
        let heading = desk.text("document.getElementById('count').textContent");
        assert!(heading.starts_with(&left(case)), "{fragment}: {heading}, not {}", left(case));
        let names =
            "[...document.querySelectorAll('#grid [role=gridcell]')].map((it) => it.ariaLabel)";
        let names: Vec<String> = serde_json::from_value(desk.evaluate(names)).unwrap();
        let looks = desk.looks();
        let side = case.board.rows();
        for (index, (look, name)) in looks.iter().zip(&names).enumerate() {
            let square = Square::new(index as u32 / side, index as u32 % side);
            let (mark, words) = expected(case, square);
            assert_eq!(look, mark, "{fragment}: {name}");
            assert!(name.contains(&words), "{fragment}: {name}, not {words}");
            seen.push(mark);
        }
    }
    for mark in ["queen", "blocked", "attacked", "dead", "outlined", "free"] {
        assert!(seen.contains(&mark), "no board has a square that is {mark}");
    }
}
