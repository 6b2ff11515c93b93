//! Recorded output of programs for boards.

use std::sync::Arc;

use bezzel_encode::encoding::binary::Binary;
use bezzel_encode::encoding::recorded::{Record, RecordedEncoding};
use bezzel_encode::{Encoding, Formula, Lit};
use bezzel_queens::{Board, Square};

#[test]
fn a_record_says_of_a_board_what_was_recorded() {
    let board = Board::new(5).unwrap();
    let mut formula = Formula::new();
    let map = Binary.rules(&board.problem(), &mut formula);
    let cubes: Vec<Vec<Lit>> = map.cubes().map(<[Lit]>::to_vec).collect();
    let record = Record::rules(&formula, &cubes);
    let recorded =
        RecordedEncoding::new(Binary.info(), vec![(board.to_string(), Arc::new(record))]);
    let given = board.with_placed([Square::new(0, 0)]).unwrap().problem();
    let mut formulas = [Formula::new(), Formula::new()];
    let maps = [recorded.encode(&given, &mut formulas[0]), Binary.encode(&given, &mut formulas[1])];
    assert_eq!(formulas[0], formulas[1]);
    assert_eq!(maps[0], maps[1]);
    assert_eq!(recorded.size(&given), Binary.size(&given));
}

#[test]
fn a_board_that_the_program_cannot_encode_does_not_fit_for_its_reason() {
    let board = Board::new(3).unwrap();
    let record = Record::Unfit("even sides only".into());
    let recorded =
        RecordedEncoding::new(Binary.info(), vec![(board.to_string(), Arc::new(record))]);
    let message = recorded.fits(&board.problem()).unwrap_err().to_string();
    assert_eq!(
        message,
        "`binary` does not fit the board 3: even sides only; the program refused it"
    );
}
