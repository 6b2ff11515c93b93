//! Questions: a query string is parsed into a board within bounds, or rejected with a reason.
//!
//! ```text
//! size=8&geometry=torus&piece=rook&queens=1.1_2.5&blocked=3.3
//! ```
//!
//! Squares are `row.column`, counted from 1 and joined by `_`; all keys except `size` are optional. Unknown keys
//! and values are rejected, not ignored, and no memory is allocated for a size before it is known to be within
//! bounds.

use std::str::FromStr;

use bezzel_problem::{Named, UnknownId};
use bezzel_queens::knowledge::shortened;
use bezzel_queens::{Board, BoardError, Geometry, Piece, Square};
use thiserror::Error;

/// The keys of every question about a board.
const KEYS: [&str; 5] = ["size", "geometry", "piece", "queens", "blocked"];

/// The sides of boards that questions may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The smallest.
    pub least: u32,
    /// The largest.
    pub max: u32,
}

/// A question about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    board: Board,
    /// The values beside the board.
    more: Vec<(&'static str, String)>,
}

/// The reason why a query string is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// Percent signs that do not lead to UTF-8 text.
    #[error("`{0}` is no text: write % and two hexadecimal digits for each byte of UTF-8")]
    Form(String),
    /// A key that the question does not have.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
    /// A key that occurs more than once.
    #[error("`{0}` occurs twice; write it once")]
    Twice(&'static str),
    /// A required key that is missing.
    #[error("`{key}` is missing, as in `{key}={example}`")]
    Missing {
        /// The key.
        key: &'static str,
        /// An example of a value.
        example: &'static str,
    },
    /// An invalid value.
    #[error("`{key}={value}` is not valid: {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value, shortened if it is long.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
    /// A size out of bounds.
    #[error("there is no board of size {size} here: sizes go from {least} to {max}")]
    Size {
        /// The size, as it was written.
        size: String,
        /// The smallest.
        least: u32,
        /// The largest.
        max: u32,
    },
    /// There is no such board.
    #[error("{}", board_message(.0))]
    Board(#[from] BoardError),
}

impl Question {
    /// Reads a query string, which may have the keys `more` beside those of a board.
    ///
    /// # Errors
    ///
    /// It has other keys, a value is invalid, there is no such board, or its size is out of bounds.
    pub fn read(query: &str, sides: Sides, more: &[&'static str]) -> Result<Self, QuestionError> {
        let fields = fields(query, &[&KEYS[..], more].concat())?;
        let text = |key| fields.iter().find(|(name, _)| *name == key).map(|(_, text)| &**text);
        let size = side(text("size").ok_or(missing("size", "8"))?, sides)?;
        let geometry: Geometry = named("geometry", text("geometry"), "it is plane or torus")?;
        let piece: Piece = named("piece", text("piece"), "it is queen or rook")?;
        let queens = squares("queens", text("queens").unwrap_or_default())?;
        let blocked = squares("blocked", text("blocked").unwrap_or_default())?;
        let board = Board::new(size)?
            .try_geometry(geometry)?
            .with_piece(piece)
            .with_placed(queens)?
            .with_blocked(blocked)?;
        let is_more = |(name, _): &(&'static str, String)| !KEYS.contains(name);
        Ok(Self { board, more: fields.into_iter().filter(is_more).collect() })
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the value of a key beside the board.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.more.iter().find(|(name, _)| *name == key).map(|(_, text)| &**text)
    }

    /// Returns the value of a required key beside the board.
    ///
    /// # Errors
    ///
    /// The key is missing.
    pub fn needed(&self, key: &'static str, example: &'static str) -> Result<&str, QuestionError> {
        self.text(key).ok_or(missing(key, example))
    }

    /// Returns the square of a required key beside the board.
    ///
    /// # Errors
    ///
    /// The value names none, several, or one outside the board.
    pub fn square(&self, key: &'static str) -> Result<Square, QuestionError> {
        let text = self.needed(key, "3.4")?;
        let [square] = squares(key, text)?[..] else {
            return Err(value(key, text, "name one square as row.column, counted from 1"));
        };
        // The board reports the error of a square outside.
        let placed = self.board.without_givens().with_placed([square])?;
        Ok(placed.placed().first().copied().unwrap_or(square))
    }
}

/// Returns the message of an error with its squares named as in all texts of the page: `(3, 4)`.
fn board_message(error: &BoardError) -> String {
    // In the order of the message.
    let squares = match error {
        BoardError::Outside { square, .. } => vec![square.clone()],
        BoardError::Both(square) => vec![square.to_string()],
        BoardError::Attack(one, other) => vec![one.to_string(), other.to_string()],
        _ => Vec::new(),
    };
    let message = error.to_string();
    let (mut text, mut rest) = (String::new(), message.as_str());
    for square in squares {
        let Some((before, after)) = rest.split_once(square.as_str()) else { continue };
        text.extend([before, "(", &square.replace(',', ", "), ")"]);
        rest = after;
    }
    text + rest
}

/// Returns the keys and values of a query string, which may have these keys.
fn fields(
    query: &str,
    keys: &[&'static str],
) -> Result<Vec<(&'static str, String)>, QuestionError> {
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    for field in query.split('&').filter(|field| !field.is_empty()) {
        let (name, text) = field.split_once('=').unwrap_or((field, ""));
        let decoded = |text: &str| decode(text).ok_or_else(|| QuestionError::Form(shortened(text)));
        let name = decoded(name)?;
        let Some(&key) = keys.iter().find(|key| **key == name) else {
            return Err(UnknownId::new("key", &shortened(&name), keys).into());
        };
        if fields.iter().any(|(earlier, _)| *earlier == key) {
            return Err(QuestionError::Twice(key));
        }
        fields.push((key, decoded(text)?));
    }
    Ok(fields)
}

/// Returns the value of this name, or the default without one.
fn named<T: Named + Default>(
    key: &'static str,
    name: Option<&str>,
    expected: &'static str,
) -> Result<T, QuestionError> {
    let read = |name: &str| name.parse().map_err(|_| value(key, name, expected));
    name.map_or(Ok(T::default()), read)
}

/// Parses a side within bounds.
fn side(text: &str, sides: Sides) -> Result<u32, QuestionError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(value("size", text, "it is a number of rows and columns, as in size=8"));
    }
    // A number that does not fit 32 bits is out of bounds.
    let within = |side: &u32| (sides.least..=sides.max).contains(side);
    text.parse().ok().filter(within).ok_or_else(|| QuestionError::Size {
        size: shortened(text),
        least: sides.least,
        max: sides.max,
    })
}

/// Parses squares, which may be outside the board.
fn squares(key: &'static str, text: &str) -> Result<Vec<Square>, QuestionError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let square = |square: &str| {
        let (row, column) = square.split_once('.')?;
        Some(Square::from((coordinate(row)?, coordinate(column)?)))
    };
    let squares = text.split('_').map(square).collect::<Option<Vec<_>>>();
    squares.ok_or_else(|| value(key, text, "write row.column, counted from 1, joined by _"))
}

/// Parses a row or a column: digits only, and few enough for any board.
fn coordinate(text: &str) -> Option<u32> {
    let plain = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| u32::from_str(text).ok()).flatten()
}

fn missing(key: &'static str, example: &'static str) -> QuestionError {
    QuestionError::Missing { key, example }
}

fn value(key: &'static str, value: &str, expected: &'static str) -> QuestionError {
    QuestionError::Value { key, value: shortened(value), expected }
}

/// Decodes `+` as a blank and `%` with two hexadecimal digits as a byte; returns `None` if the result is not UTF-8.
/// (URL Standard, section 5.1: `application/x-www-form-urlencoded` parsing, but strict.)
fn decode(text: &str) -> Option<String> {
    decoded(text, b' ')
}

/// Decodes the path of an address in the same way, but keeps `+`.
pub(crate) fn decode_path(text: &str) -> Option<String> {
    decoded(text, b'+')
}

fn decoded(text: &str, plus: u8) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => plus,
            b'%' => digit(bytes.next()?)? << 4 | digit(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

fn digit(byte: u8) -> Option<u8> {
    Some(char::from(byte).to_digit(16)? as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: Sides = Sides { least: 4, max: 16 };

    fn read(query: &str) -> Result<Board, QuestionError> {
        Question::read(query, SIDES, &[]).map(|question| question.board)
    }

    #[track_caller]
    fn refused(query: &str) -> String {
        read(query).unwrap_err().to_string()
    }

    #[test]
    fn a_question_has_a_board() {
        let board = read("size=8&geometry=torus&piece=rook&queens=1.1_2.5&blocked=3%2E3").unwrap();
        assert_eq!(board.to_string(), "rooks torus 8 with 1,1 2,5 placed and 3,3 blocked");
        assert_eq!(read("size=4&queens=&&blocked").unwrap(), Board::new(4).unwrap());
        assert_eq!(read("queens=1.2_1.2&size=004").unwrap().placed(), [Square::new(0, 1)]);
    }

    #[test]
    fn further_keys_of_a_question_are_kept() {
        let question = Question::read(
            "square=2.3&size=5&encoding=a%3A2%2Bb+c",
            SIDES,
            &["square", "encoding"],
        );
        let question = question.unwrap();
        assert_eq!(question.square("square"), Ok(Square::new(1, 2)));
        assert_eq!(question.text("encoding"), Some("a:2+b c"));
        assert_eq!(question.text("number"), None);
        let outside = Question::read("square=6.1&size=5", SIDES, &["square"]).unwrap();
        assert!(outside.square("square").unwrap_err().to_string().contains("the square (6, 1) is"));
        let two = Question::read("square=1.1_2.2&size=5", SIDES, &["square"]).unwrap();
        assert!(two.square("square").unwrap_err().to_string().contains("name one square"));
        let none = Question::read("size=5", SIDES, &["square"]).unwrap();
        assert_eq!(
            none.square("square").unwrap_err().to_string(),
            "`square` is missing, as in `square=3.4`"
        );
    }

    #[test]
    fn an_invalid_question_is_refused_with_a_correction() {
        assert_eq!(refused(""), "`size` is missing, as in `size=8`");
        for size in ["0", "3", "17", "1000000000", "99999999999999999999999"] {
            let message = refused(&format!("size={size}"));
            assert!(message.ends_with("here: sizes go from 4 to 16"), "{message}");
        }
        for size in ["", "-1", "+8", "8x8", "acht", "%00", "8.0", " 8"] {
            let message = refused(&format!("size={size}"));
            assert!(message.contains("a number of rows and columns"), "{message}");
        }
        assert!(
            refused("size=8&queen=1.1").ends_with("unknown key `queen`; did you mean `queens`?")
        );
        assert!(refused("size=8&columns=9").starts_with("unknown key `columns`"));
        assert_eq!(refused("size=8&size=9"), "`size` occurs twice; write it once");
        assert!(refused("size=%ff").starts_with("`%ff` is no text"));
        assert!(refused("size=8&geometry=Torus").contains("it is plane or torus"));
        assert!(refused("size=8&piece=bishop").contains("it is queen or rook"));
        for queens in ["1,1", "1.1_", "1", "1.1.1", "-1.1", "1.123456", "_"] {
            let message = refused(&format!("size=8&queens={queens}"));
            assert!(message.contains("write row.column"), "{message}");
        }
        for queens in ["0.1", "1.9", "99999.1"] {
            let message = refused(&format!("size=8&queens={queens}"));
            assert!(message.contains("outside the board"), "{message}");
        }
        let message = refused("size=12&queens=1.1_1.11");
        assert!(
            message.starts_with("the queens on (1, 1) and (1, 11) attack each other"),
            "{message}"
        );
        let message = refused("size=8&queens=1.1&blocked=1.1");
        assert_eq!(message, "the square (1, 1) both holds a queen and is blocked");
        let long = refused(&format!("size=8&queens={}", "x".repeat(5_000)));
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn percent_signs_and_plus_signs_are_decoded() {
        for (text, decoded) in [
            ("", ""),
            ("1.1_2.5", "1.1_2.5"),
            ("a+b%2Bc", "a b+c"),
            ("%7Brows%3A%20x%7d", "{rows: x}"),
            ("%c3%A9é", "éé"),
            ("%00", "\0"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(decoded), "{text}");
        }
        assert_eq!(decode_path("a+b%2B%20").as_deref(), Some("a+b+ "));
        for text in ["%", "%2", "%2g", "%+1", "%ff", "%é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
