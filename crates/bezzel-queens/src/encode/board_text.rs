//! Boards as text that a person types and reads.
//!
//! ```text
//! # Four queens, one of them given.
//! . Q . .
//! . . x .
//! . . . .
//! x . . .
//! ```
//!
//! One line for each row; `.` is a free square, `Q` a given queen, `x` a square that must stay empty. Blanks between
//! squares may be left out. The words `torus`, for a board whose opposite edges are joined, and `rooks`, for one on
//! which `Q` is a rook, may come before the rows, on lines of their own or on one line. Empty lines and lines that
//! begin with `#` are ignored.

use std::collections::HashMap;
use std::fmt::Write;

use crate::{Board, BoardError, Geometry, MAX_SIDE, Piece, Square};
use bezzel_problem::{FileError, Position, UnknownId};

/// A square with a given queen.
pub const QUEEN: char = 'Q';
/// A square that must stay empty.
pub const BLOCKED: char = 'x';
/// A square that is neither given nor blocked.
pub const FREE: char = '.';

const TORUS: &str = "torus";
const ROOKS: &str = "rooks";

/// The board as text, which [`read`] reads.
pub fn write(board: &Board) -> String {
    let mut text = String::new();
    if board.geometry() == Geometry::Torus {
        text.push_str("torus\n");
    }
    if board.piece() == Piece::Rook {
        text.push_str("rooks\n");
    }
    for row in 0..board.rows() {
        let marks = (0..board.columns()).map(|column| mark(board, Square::new(row, column)));
        for (column, mark) in marks.enumerate() {
            let blank = if column == 0 { "" } else { " " };
            write!(text, "{blank}{mark}").expect("a string takes all text");
        }
        text.push('\n');
    }
    text
}

/// The character of a square in the text.
fn mark(board: &Board, square: Square) -> char {
    if board.placed().binary_search(&square).is_ok() {
        QUEEN
    } else if board.blocked().binary_search(&square).is_ok() {
        BLOCKED
    } else {
        FREE
    }
}

/// A position in the text: line and column, counted from 1.
type LineColumn = (u64, u64);

fn error(place: LineColumn, what: impl Into<String>) -> FileError {
    FileError::at(Position { line: place.0, column: place.1 }, what)
}

/// The state of the reader.
#[derive(Default)]
struct BoardReader {
    torus: Option<LineColumn>,
    rooks: bool,
    rows: u32,
    columns: u32,
    placed: Vec<Square>,
    places: HashMap<Square, LineColumn>,
    blocked: Vec<Square>,
}

/// Reads a board.
///
/// # Errors
///
/// When the text is no board, with the place in it.
pub fn read(text: &str) -> Result<Board, FileError> {
    let mut reader = BoardReader::default();
    let mut lines = 0;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
        lines = number;
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let is_row = words.chars().all(|mark| square_mark(mark) || mark.is_whitespace());
        let spelt = words.split_whitespace().all(|word| word.chars().all(char::is_alphabetic));
        if !is_row && spelt {
            reader.header(number, line)?;
        } else {
            reader.row(number, line)?;
        }
    }
    reader.finish(lines + 1)
}

fn square_mark(mark: char) -> bool {
    matches!(mark, QUEEN | BLOCKED | FREE)
}

impl BoardReader {
    /// A line of words.
    fn header(&mut self, number: u64, line: &str) -> Result<(), FileError> {
        let mut rest = line;
        let mut column = 1;
        while let Some(word) = rest.split_whitespace().next() {
            let before = rest.find(word).expect("it is a word of it");
            column += rest[..before].chars().count() as u64;
            rest = &rest[before + word.len()..];
            let place = (number, column);
            column += word.chars().count() as u64;
            match word {
                TORUS | ROOKS if self.rows > 0 => {
                    return Err(error(place, format!("`{word}` belongs above the first row")));
                }
                TORUS => self.torus = Some(place),
                ROOKS => self.rooks = true,
                _ => {
                    let near = UnknownId::new("word", word, [TORUS, ROOKS]).near;
                    let advice = near.map_or_else(
                        || "a row is written with `.`, `Q` and `x`".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    return Err(error(place, format!("unknown word `{word}`; {advice}")));
                }
            }
        }
        Ok(())
    }

    /// A line of squares.
    fn row(&mut self, number: u64, line: &str) -> Result<(), FileError> {
        if self.rows == MAX_SIDE {
            return Err(error((number, 1), format!("a board has at most {MAX_SIDE} rows")));
        }
        let row = self.rows;
        let mut width = 0;
        let marks = (1..).zip(line.chars()).filter(|(_, mark)| !mark.is_whitespace());
        for (column, mark) in marks {
            let place = (number, column);
            if width == MAX_SIDE {
                return Err(error(place, format!("a board has at most {MAX_SIDE} columns")));
            }
            if row > 0 && width == self.columns {
                let columns = self.columns;
                return Err(error(
                    place,
                    format!("a square too many: the first row has {columns}, as every row must"),
                ));
            }
            let square = Square::new(row, width);
            match mark {
                FREE => {}
                QUEEN => {
                    self.placed.push(square);
                    self.places.insert(square, place);
                }
                BLOCKED => self.blocked.push(square),
                _ => {
                    let mark = mark.escape_default();
                    return Err(error(
                        place,
                        format!(
                            "`{mark}` is not a square: write `.` for a free one, `Q` for a given \
                             queen, `x` for one that must stay empty"
                        ),
                    ));
                }
            }
            width += 1;
        }
        if row == 0 {
            self.columns = width;
        } else if width < self.columns {
            let end = line.trim_end().chars().count() as u64 + 1;
            let columns = self.columns;
            return Err(error(
                (number, end),
                format!("this row has {width} squares, and the first one {columns}"),
            ));
        }
        self.rows += 1;
        Ok(())
    }

    fn finish(self, end: u64) -> Result<Board, FileError> {
        if self.rows == 0 {
            let what = "there is no board: write a line of `.`, `Q` and `x` for each row";
            return Err(error((end, 1), what));
        }
        let geometry = if self.torus.is_some() { Geometry::Torus } else { Geometry::Plane };
        let piece = if self.rooks { Piece::Rook } else { Piece::Queen };
        let places = &self.places;
        let board = Board::rectangle(self.rows, self.columns)
            .and_then(|board| board.try_geometry(geometry))
            .map(|board| board.with_piece(piece))
            .and_then(|board| board.with_placed(self.placed))
            .and_then(|board| board.with_blocked(self.blocked));
        board.map_err(|problem| {
            let place = match &problem {
                BoardError::Torus { .. } => self.torus,
                BoardError::Attack(_, second) => places.get(second).copied(),
                _ => None,
            };
            error(place.unwrap_or((1, 1)), problem.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;
    use crate::encode::properties;

    #[track_caller]
    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_board_is_read_as_a_person_types_it() {
        let text = "# Four rooks\n\nrooks torus\n.Q..\n. . x .\r\n\t....  \n  x...\n\n";
        let board = read(text).unwrap();
        assert_eq!(board.to_string(), "rooks torus 4 with 1,2 placed and 2,3 4,1 blocked");
        assert_eq!(read("x").unwrap().to_string(), "1 with 1,1 blocked");
        assert_eq!(read("\u{FEFF}...\n...").unwrap(), Board::rectangle(2, 3).unwrap());
    }

    #[test]
    fn a_written_board_is_read_back() {
        let mut boards = properties::board::boards();
        for seed in 0..50 {
            let rows = 4 + seed as u32 % 7;
            let board = Board::rectangle(rows, 4 + (seed as u32 / 7)).unwrap();
            let queens = Recipe::Completion { queens: 2 }.draw(&board, None, seed, 0).unwrap();
            let blocked = Recipe::Blocked { density: 0.4 };
            boards.push(blocked.draw(&queens, None, seed, 0).unwrap());
        }
        for board in boards {
            let text = write(&board);
            assert_eq!(read(&text).as_ref().ok(), Some(&board), "{text}");
            // Without the blanks between squares too.
            assert_eq!(read(&text.replace(' ', "")).ok(), Some(board), "{text}");
        }
    }

    #[test]
    fn a_board_is_written_as_the_page_shows_it() {
        let board = read(".Q..\n..x.\n....\nx...").unwrap();
        assert_eq!(write(&board), ". Q . .\n. . x .\n. . . .\nx . . .\n");
        let rooks = read("rooks\ntorus\n.").unwrap();
        assert_eq!(write(&rooks), "torus\nrooks\n.\n");
    }

    #[test]
    fn an_invalid_board_is_refused_with_line_and_column() {
        assert_eq!(
            refused("..\n.#"),
            "line 2, column 2: `#` is not a square: write `.` for a free one, `Q` for a given \
             queen, `x` for one that must stay empty"
        );
        assert!(refused(". .\n. q").starts_with("line 2, column 3: `q` is not a square"));
        assert!(refused("..\n.\u{1b}").starts_with("line 2, column 2: `\\u{1b}` is not a square"));
        assert_eq!(
            refused("...\n...\n. . . ."),
            "line 3, column 7: a square too many: the first row has 3, as every row must"
        );
        assert_eq!(
            refused("...\n.x  \n..."),
            "line 2, column 3: this row has 2 squares, and the first one 3"
        );
        assert_eq!(
            refused("\n rooks  tours\n.."),
            "line 2, column 9: unknown word `tours`; did you mean `torus`?"
        );
        assert_eq!(
            refused("queens\n.."),
            "line 1, column 1: unknown word `queens`; a row is written with `.`, `Q` and `x`"
        );
        assert_eq!(refused("..\ntorus"), "line 2, column 1: `torus` belongs above the first row");
        assert!(
            refused("rooks\n\n torus\n..").starts_with("line 3, column 2: a torus has as many")
        );
        assert_eq!(
            refused("Q...\n....\n....\n. . . Q"),
            "line 4, column 7: the queens on 1,1 and 4,4 attack each other, so no solution can \
             hold both"
        );
        for nothing in ["", "\n\n", "# only talk\n"] {
            assert!(refused(nothing).ends_with(
                "there is no board: write a line of `.`, `Q` and \
                 `x` for each row"
            ));
        }
        assert!(refused("{\"size\": 8}").starts_with("line 1, column 1: `{` is not a square"));
        assert!(refused("num(1). num(2).").starts_with("line 1, column 1: `n` is not a square"));
    }

    #[test]
    fn a_board_beyond_the_largest_is_refused_where_it_passes_it() {
        let wide = ".".repeat(40_001);
        assert_eq!(refused(&wide), "line 1, column 40001: a board has at most 40000 columns");
        let high = ".\n".repeat(40_001);
        assert_eq!(refused(&high), "line 40001, column 1: a board has at most 40000 rows");
    }
}
