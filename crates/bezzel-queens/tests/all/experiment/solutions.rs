//! All engines find the same solutions: on boards of every kind, with every encoding and numbering.

use bezzel_encode::Numbering;
use bezzel_experiment::backend::InputKind;
use bezzel_queens::Board;

use crate::experiment::expected::{ExpectedResults, examine};
use crate::experiment::running::RunConditions;
use crate::experiment::subjects::{boards, encodings, engines, readable, some};

fn check_boards(squares: u32) {
    let engines = engines();
    for (turn, board) in boards().iter().filter(|board| board.squares() <= squares).enumerate() {
        let expected = ExpectedResults::of(board);
        for (place, engine) in engines.iter().enumerate() {
            // On large boards not every diagram is built: their engines, which are variants of a few, take turns.
            let is_diagram = engine.reads() == InputKind::Circuit;
            if is_diagram && board.squares() > 36 && (place + turn) % 4 != 0 {
                continue;
            }
            let count = if is_diagram { 1 } else { 2 };
            for encoding in some(engine.as_ref(), board, 5 * turn + 7 * place, count) {
                examine(
                    engine.as_ref(),
                    board,
                    encoding.as_ref(),
                    &RunConditions::default(),
                    &expected,
                );
            }
        }
    }
}

#[test]
fn every_engine_finds_all_solutions_of_boards_of_every_kind() {
    check_boards(25);
}

#[test]
#[ignore = "second tier: up to side 7"]
fn every_engine_finds_all_solutions_of_larger_boards_of_every_kind() {
    check_boards(49);
}

fn check_encodings(step: usize) {
    let board = Board::new(4).unwrap();
    let expected = ExpectedResults::of(&board);
    assert_eq!(expected.count, 2);
    for engine in engines() {
        let all = readable(engine.as_ref(), &board, &encodings());
        assert!(!all.is_empty(), "{} reads no encoding", engine.info().id);
        // Engines that read clauses are quick.
        let step = if engine.reads() == InputKind::Clauses { 1 } else { step };
        for encoding in all.into_iter().step_by(step) {
            examine(
                engine.as_ref(),
                &board,
                encoding.as_ref(),
                &RunConditions::default(),
                &expected,
            );
        }
    }
}

#[test]
fn every_encoding_has_the_same_solutions_by_every_engine() {
    check_encodings(8);
}

#[test]
#[ignore = "second tier: all encodings"]
fn all_encodings_have_the_same_solutions_by_every_engine() {
    check_encodings(1);
}

fn check_numberings(side: u32, encodings: usize) {
    let board = Board::new(side).unwrap();
    let expected = ExpectedResults::of(&board);
    for (place, engine) in engines().iter().enumerate() {
        let is_quick = engine.reads() == InputKind::Clauses;
        let encodings = if is_quick { usize::MAX } else { encodings };
        for numbering in [Numbering::random(3), Numbering::random(11)] {
            let given = RunConditions { numbering: Some(numbering), ..RunConditions::default() };
            for encoding in some(engine.as_ref(), &board, 11 * place, encodings) {
                examine(engine.as_ref(), &board, encoding.as_ref(), &given, &expected);
            }
        }
    }
}

#[test]
fn other_numbers_of_variables_change_no_set_of_solutions() {
    check_numberings(4, 1);
}

#[test]
#[ignore = "second tier: side 5"]
fn other_numbers_of_variables_on_side_5_change_no_set_of_solutions() {
    check_numberings(5, 2);
}
