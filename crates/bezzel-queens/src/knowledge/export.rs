//! A board in the forms that other programs, and Bezzel's own commands, read. It is square, as all boards of questions
//! are.

use std::fmt::Write;

use crate::encode::board_text;
use crate::{Board, Geometry, Piece};
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::{self, Format, FormatError};
use bezzel_encode::{Encoding, Numbering};

/// Returns the drawing that `bezzel solve --board` reads.
pub fn drawing(board: &Board) -> String {
    board_text::write(board)
}

/// Returns the formula of the board as DIMACS, with its placed pieces as unit clauses, and the command that writes
/// the same formula.
///
/// # Errors
///
/// The encoding is not made of clauses.
pub fn dimacs(board: &Board, encoding: &dyn Encoding) -> Result<Vec<u8>, FormatError> {
    let made_by = command(board, &encoding.info().id);
    let preamble = Preamble::Comments { made_by: &made_by, names: false };
    let mut text = Vec::new();
    Format::Dimacs.write(
        encoding,
        &board.problem(),
        &Numbering::AS_GENERATED,
        preamble,
        &mut text,
    )?;
    Ok(text)
}

/// Returns a config that measures encodings on the board. `name` is the name of the experiment, and of the file without
/// its extension.
pub fn config(board: &Board, name: &str, encodings: &[String]) -> String {
    format!(
        "# Save this file as {name}.yaml. `bezzel run {name}.yaml` measures and writes the report.\n\
         # docs/configs.md describes all keys.\n\
         name: {name}\n\
         question: Which encoding of this position does CaDiCaL solve with fewer conflicts?\n\
         primary: {{measure: conflicts}}\n\
         problems:\n  - {{queens: {}}}\n\
         encodings: [{}]\n\
         numberings: [random]\n\
         solvers: [cadical]\n",
        entry(board),
        encodings.join(", ")
    )
}

/// Returns the board as an entry of the kind `queens` in a config.
fn entry(board: &Board) -> String {
    let mut entry = format!("size: {}", board.rows());
    if board.geometry() == Geometry::Torus {
        entry.push_str(", geometry: torus");
    }
    if board.piece() == Piece::Rook {
        entry.push_str(", piece: rook");
    }
    for (key, squares) in [("queens", board.placed()), ("blocked", board.blocked())] {
        if !squares.is_empty() {
            let squares: Vec<_> = squares.iter().map(|square| format!("[{square}]")).collect();
            // Writing to a string cannot fail.
            let _ = write!(entry, ", {key}: [{}]", squares.join(", "));
        }
    }
    format!("{{{entry}}}")
}

/// Returns the command that writes the same formula.
fn command(board: &Board, encoding: &str) -> String {
    let mut words = ["bezzel", "encode", &board.rows().to_string(), "--encoding", encoding]
        .map(str::to_owned)
        .to_vec();
    if board.geometry() == Geometry::Torus {
        words.push("--torus".to_owned());
    }
    if board.piece() == Piece::Rook {
        words.push("--rooks".to_owned());
    }
    for (option, squares) in [("--queen", board.placed()), ("--blocked", board.blocked())] {
        words.extend(squares.iter().flat_map(|square| [option.to_owned(), square.to_string()]));
    }
    format::command_line(words)
}

#[cfg(test)]
mod tests {
    use crate::Square;

    use super::*;

    #[test]
    fn a_config_has_the_board_and_the_encodings() {
        let board = Board::new(8).unwrap().with_piece(Piece::Rook);
        let board = board.with_placed([Square::new(0, 0), Square::new(1, 4)]).unwrap();
        let board = board.with_blocked([Square::new(2, 2)]).unwrap();
        let text = config(&board, "rooks-8", &["pairwise".into(), "commander:3".into()]);
        let end = "name: rooks-8\n\
                   question: Which encoding of this position does CaDiCaL solve with fewer conflicts?\n\
                   primary: {measure: conflicts}\n\
                   problems:\n  - {queens: {size: 8, piece: rook, queens: [[1,1], [2,5]], blocked: [[3,3]]}}\n\
                   encodings: [pairwise, commander:3]\nnumberings: [random]\nsolvers: [cadical]\n";
        assert!(text.ends_with(end), "{text}");
        assert!(text.contains("`bezzel run rooks-8.yaml`"), "{text}");
        assert_eq!(entry(&Board::new(5).unwrap()), "{size: 5}");
        assert_eq!(
            command(&board, "{rows: product, columns: pairwise, diagonals: binary}"),
            "bezzel encode 8 -\\-encoding '{rows: product, columns: pairwise, diagonals: binary}' \
             -\\-rooks -\\-queen 1,1 -\\-queen 2,5 -\\-blocked 3,3"
        );
    }
}
