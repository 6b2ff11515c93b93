//! Boards as facts of answer set programming, as the blocked queens problem has them.
//!
//! ```text
//! num(1). num(2). num(3). num(4).
//! block(2,3).
//! queen(1,2).
//! ```
//!
//! `num(k)` says that there are a row and a column k, so the numbers are 1 to n; a single `num(n)`
//! is taken for them all, and `num(1..n)` is them all. `block(r,c)` blocks the square in row r and
//! column c; `queen(r,c)`, which the problem does not have, gives a queen. `%` begins a comment.
//! The facts know square boards on the plane, and queens.
//!
//! *Source.* The problem class "Blocked N-Queens" of the Asparagus benchmark collection, of which the
//! first answer set programming system competition (2007) took its instances.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use thiserror::Error;

use super::read::ReadError;
use crate::board::{Board, BoardError, Geometry, MAX_SIDE, Piece};
use crate::square::Square;

/// A board that the facts cannot say.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the facts of blocked queens say square boards on the plane, for queens; not {board}")]
pub struct Unsayable {
    /// The board.
    pub board: String,
}

/// The board as facts, which [`read`] reads.
///
/// # Errors
///
/// When the board is a rectangle, a torus, or for rooks.
pub fn write(board: &Board) -> Result<String, Unsayable> {
    let plain =
        board.is_square() && board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
    if !plain {
        return Err(Unsayable { board: board.to_string() });
    }
    let mut text = String::new();
    for number in 1..=board.rows() {
        // Not `1..n`, which not every reader knows.
        let end = if number % 10 == 0 || number == board.rows() { '\n' } else { ' ' };
        write!(text, "num({number}).{end}").expect("a string takes all text");
    }
    for (name, squares) in [("block", board.blocked()), ("queen", board.placed())] {
        for square in squares {
            writeln!(text, "{name}({square}).").expect("a string takes all text");
        }
    }
    Ok(text)
}

/// Whether the text looks like facts rather than a drawn board: whether its first word that is no
/// comment is `num`, `block` or `queen`.
pub fn looks_like_facts(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('%'));
    let word = first.map(|line| line.split('(').next().unwrap_or_default().trim());
    matches!(word, Some("num" | "block" | "queen"))
}

/// A line and a column, counted from 1.
type Place = (u64, u64);

fn error(place: Place, what: impl Into<String>) -> ReadError {
    ReadError::Malformed { line: place.0, column: place.1, what: what.into() }
}

/// A number, and where it stands.
type Number = (u32, Place);

/// A fact.
enum Fact {
    /// These are numbers of rows and columns.
    Numbers { first: u32, last: u32, place: Place },
    /// No queen stands there.
    Block(Number, Number),
    /// A queen stands there.
    Queen(Number, Number),
}

/// A text taken from its beginning.
struct Cursor<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Cursor<'a> {
    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for char in taken.chars() {
            self.place =
                if char == '\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
        }
        taken
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if !self.rest.starts_with('%') {
                return;
            }
            self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    /// Takes the mark if it comes next.
    fn takes(&mut self, mark: &str) -> bool {
        self.skip();
        let here = self.rest.starts_with(mark);
        if here {
            self.take(mark.len());
        }
        here
    }

    fn expect(&mut self, mark: &str) -> Result<(), ReadError> {
        if self.takes(mark) {
            return Ok(());
        }
        Err(self.error(&format!("`{mark}`")))
    }

    fn error(&self, wanted: &str) -> ReadError {
        let found = match self.rest.chars().next() {
            None => "the end".to_owned(),
            Some(char) => format!("`{}`", char.escape_default()),
        };
        error(self.place, format!("{wanted} is wanted here, not {found}"))
    }

    /// Takes a word of letters, or of digits.
    fn word(&mut self, of: fn(char) -> bool, wanted: &str) -> Result<(&'a str, Place), ReadError> {
        self.skip();
        let (end, place) =
            (self.rest.find(|char| !of(char)).unwrap_or(self.rest.len()), self.place);
        if end == 0 { Err(self.error(wanted)) } else { Ok((self.take(end), place)) }
    }

    fn number(&mut self) -> Result<(u32, Place), ReadError> {
        let (digits, place) = self.word(|char| char.is_ascii_digit(), "a number")?;
        match digits.parse() {
            Ok(number) if (1..=MAX_SIDE).contains(&number) => Ok((number, place)),
            _ => Err(error(place, format!("rows and columns are 1 to {MAX_SIDE}, not {digits}"))),
        }
    }

    /// Takes `name(number).`, `name(number..number).` or `name(number,number).`
    fn fact(&mut self) -> Result<Option<Fact>, ReadError> {
        self.skip();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let (name, place) = self.word(is_part, "a fact")?;
        if !matches!(name, "num" | "block" | "queen") {
            let what = format!("`{name}` is none of the facts num(k), block(r,c) and queen(r,c)");
            return Err(error(place, what));
        }
        self.expect("(")?;
        let first = self.number()?;
        let fact = if name == "num" {
            let last = if self.takes("..") { self.number()? } else { first };
            Fact::Numbers { first: first.0, last: last.0, place }
        } else {
            self.expect(",")?;
            let column = self.number()?;
            if name == "block" { Fact::Block(first, column) } else { Fact::Queen(first, column) }
        };
        self.expect(")")?;
        self.expect(".")?;
        Ok(Some(fact))
    }
}

/// Reads a board.
///
/// # Errors
///
/// When the text is not made of such facts, or they make no board, with the place in it.
pub fn read(text: &str) -> Result<Board, ReadError> {
    let mut cursor = Cursor { rest: text.trim_start_matches('\u{FEFF}'), place: (1, 1) };
    let mut sides = BTreeSet::new();
    let mut last_num = (1, 1);
    let (mut queens, mut blocks) = (Vec::new(), Vec::new());
    while let Some(fact) = cursor.fact()? {
        match fact {
            Fact::Numbers { first, last, place } => {
                sides.extend(first..=last);
                last_num = place;
            }
            Fact::Block(row, column) => blocks.push((row, column)),
            Fact::Queen(row, column) => queens.push((row, column)),
        }
    }
    let Some(&side) = sides.last() else {
        return Err(error(cursor.place, "there is no num(k), so the board has no size"));
    };
    // A single one is the size.
    if sides.len() > 1
        && let Some(missing) = (1..=side).find(|number| !sides.contains(number))
    {
        let what = format!("the numbers run from 1 to {side}, and num({missing}) is missing");
        return Err(error(last_num, what));
    }
    let board = Board::new(side).map_err(|problem| error(last_num, problem.to_string()))?;
    let mut places = HashMap::new();
    let (mut placed, mut blocked) = (Vec::new(), Vec::new());
    for (facts, squares) in [(queens, &mut placed), (blocks, &mut blocked)] {
        for fact in facts {
            let square = on_board(&board, fact)?;
            places.insert(square, fact.0.1);
            squares.push(square);
        }
    }
    let board = board.with_placed(placed).and_then(|board| board.with_blocked(blocked));
    board.map_err(|problem| {
        let place = match &problem {
            BoardError::Attack(_, square) | BoardError::Both(square) => places.get(square),
            _ => None,
        };
        error(place.copied().unwrap_or(last_num), problem.to_string())
    })
}

fn on_board(board: &Board, (row, column): (Number, Number)) -> Result<Square, ReadError> {
    let side = board.rows();
    for (number, place) in [row, column] {
        if number > side {
            let what = format!("rows and columns run from 1 to {side}, not to {number}");
            return Err(error(place, what));
        }
    }
    Ok(Square::from((row.0, column.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Recipe;

    #[track_caller]
    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn facts_are_read_however_they_are_spaced() {
        let text = "% An instance\nnum(1). num(2).num( 3 ) .\nnum(4). block(2,3).\n\
                    block( 4 , 1 ).% corner\nqueen(1,2).";
        let board = read(text).unwrap();
        assert_eq!(board.to_string(), "4 with 1,2 placed and 2,3 4,1 blocked");
        assert_eq!(read("num(1..8).").unwrap(), Board::new(8).unwrap());
        assert_eq!(read("num(8).").unwrap(), Board::new(8).unwrap());
        assert_eq!(read("num(3). num(1..2).").unwrap(), Board::new(3).unwrap());
        assert!(looks_like_facts(text) && looks_like_facts("\n block(1,1)."));
        assert!(!looks_like_facts(". . Q") && !looks_like_facts("") && !looks_like_facts("numb"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for seed in 0..50 {
            let board = Board::new(4 + seed as u32 % 20).unwrap();
            let queens = Recipe::Completion { queens: 2 }.draw(&board, None, seed, 0).unwrap();
            let blocked = Recipe::Blocked { density: 0.4 };
            let board = blocked.draw(&queens, None, seed, 0).unwrap();
            let text = write(&board).unwrap();
            assert!(looks_like_facts(&text));
            assert_eq!(read(&text).ok(), Some(board), "{text}");
        }
        let small = read("num(3). block(1,2). queen(3,3).").unwrap();
        assert_eq!(write(&small).unwrap(), "num(1). num(2). num(3).\nblock(1,2).\nqueen(3,3).\n");
    }

    #[test]
    fn boards_that_facts_cannot_say_are_refused() {
        let square = Board::new(4).unwrap();
        let others = [
            Board::rectangle(4, 5).unwrap(),
            square.clone().with_geometry(Geometry::Torus),
            square.with_piece(Piece::Rook),
        ];
        for board in others {
            assert_eq!(write(&board), Err(Unsayable { board: board.to_string() }));
        }
    }

    #[test]
    fn what_are_no_facts_is_refused_with_line_and_column() {
        let cases = [
            ("num(4).\n bloc(1,2).", "line 2, column 2: `bloc` is none of the facts num(k), "),
            ("num(4)\nblock(1,2).", "line 2, column 1: `.` is wanted here, not `b`"),
            ("num(4). block(1).", "line 1, column 16: `,` is wanted here, not `)`"),
            ("num(4). block(1,x).", "line 1, column 17: a number is wanted here, not `x`"),
            ("num(4). queen(1,2", "line 1, column 18: `)` is wanted here, not the end"),
            ("num(0).", "line 1, column 5: rows and columns are 1 to 40000, not 0"),
            ("num(99999999999).", "line 1, column 5: rows and columns are 1 to 40000, not 9999"),
            (
                "num(4). block(1,5).",
                "line 1, column 17: rows and columns run from 1 to 4, not to 5",
            ),
            ("num(1). num(3).", "line 1, column 9: the numbers run from 1 to 3, and num(2) is "),
            ("num(2..4).", "line 1, column 1: the numbers run from 1 to 4, and num(1) is missing"),
            ("block(1,2).\n", "line 2, column 1: there is no num(k), so the board has no size"),
            ("", "line 1, column 1: there is no num(k), so the board has no size"),
            ("num(4). queen(1,1). queen(3,3).", "line 1, column 27: the queens on 1,1 and 3,3 "),
            ("num(4). queen(1,1). block(1,1).", "line 1, column 27: the square 1,1 both holds"),
            ("num(4). :- queen(1,1).", "line 1, column 9: a fact is wanted here, not `:`"),
            ("num(\u{1b}4).", "line 1, column 5: a number is wanted here, not `\\u{1b}`"),
        ];
        for (text, message) in cases {
            let told = refused(text);
            assert!(told.starts_with(message), "{text:?} says {told}");
        }
    }
}
