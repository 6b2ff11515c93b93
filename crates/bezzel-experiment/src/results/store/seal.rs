//! The seal of a line, which reveals every flipped bit.
//!
//! The last field of a line is `"seal"`, 16 hexadecimal digits of the BLAKE3 of the line without it. Lines of format 1,
//! which has no seals, are accepted without one.

use serde::Deserialize;

use crate::model::row::Row;

pub use crate::model::row::FORMAT;

const BEFORE: &[u8] = b",\"seal\":\"";
const AFTER: &[u8] = b"\"}";
const DIGITS: usize = 16;

/// The data that a reader takes from the line of a row: all fields, or some.
pub trait RowView: Sized {
    /// Reads the data from a line without its seal.
    ///
    /// # Errors
    ///
    /// When the line is not a row.
    fn read(body: &[u8]) -> serde_json::Result<Self>;

    /// The format of the row.
    fn format(&self) -> u32;

    /// The number of its session.
    fn session(&self) -> usize;
}

impl RowView for Row {
    fn read(body: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(body)
    }

    fn format(&self) -> u32 {
        self.format
    }

    fn session(&self) -> usize {
        self.session
    }
}

/// The content of a line of evidence.
#[derive(Debug)]
pub enum LineContent<T = Row> {
    /// A row, and true if its seal is valid.
    Row(Box<T>, bool),
    /// A damaged line.
    Damaged(Damage),
    /// A row of a format that this version does not know.
    Newer(u32),
}

/// The kinds of damage of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Damage {
    /// Its seal is not that of its text.
    Broken,
    /// It has no seal, although its format has one.
    Unsealed,
    /// It is not a row.
    NoRow,
    /// It is longer than any row.
    Endless,
    /// It names a session that its attempt does not have, so that its machine is unknown.
    Session,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Broken => "its checksum does not match: it was changed after it was written",
            Self::Unsealed => "its checksum is missing",
            Self::NoRow => "it is not a row",
            Self::Endless => "it is longer than any row",
            Self::Session => "it names a session that its attempt does not have",
        })
    }
}

/// The line of a row, with its seal and its end.
pub fn sealed(row: &Row) -> Vec<u8> {
    seal(serde_json::to_vec(row).expect("a row has string keys only"))
}

/// Returns the line of a serialised row, with its seal and its end.
pub(super) fn seal(body: Vec<u8>) -> Vec<u8> {
    let seal = digits(&body);
    let mut line = body;
    // The closing brace follows the seal.
    line.pop();
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(&seal);
    line.extend_from_slice(AFTER);
    line.push(b'\n');
    line
}

/// Returns the content of a line, which is given without its end.
pub(super) fn open<T: RowView>(line: &[u8]) -> LineContent<T> {
    match split(line) {
        Some((body, seal)) if digits(&body) == seal => read(&body, true),
        Some(_) => LineContent::Damaged(Damage::Broken),
        None => {
            // A line with a part of a seal is not a row of the first format.
            let says = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
            if says(b"\"seal\"") { LineContent::Damaged(Damage::Broken) } else { read(line, false) }
        }
    }
}

/// Reads a line without its seal.
fn read<T: RowView>(body: &[u8], is_sealed: bool) -> LineContent<T> {
    match T::read(body) {
        Ok(row) => match row.format() {
            0 => LineContent::Damaged(Damage::NoRow),
            1 => LineContent::Row(Box::new(row), is_sealed),
            _ if !is_sealed => LineContent::Damaged(Damage::Unsealed),
            format if format > FORMAT => LineContent::Newer(format),
            _ => LineContent::Row(Box::new(row), is_sealed),
        },
        // A line that this version cannot parse may be valid in a later version.
        Err(_) => match serde_json::from_slice(body) {
            Ok(Header { format }) if is_sealed && format > FORMAT => LineContent::Newer(format),
            _ => LineContent::Damaged(Damage::NoRow),
        },
    }
}

/// Returns the line without its seal, and the seal, if the line ends in one.
fn split(line: &[u8]) -> Option<(Vec<u8>, [u8; DIGITS])> {
    let rest = line.strip_suffix(AFTER)?;
    let (rest, seal) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let body = rest.strip_suffix(BEFORE)?;
    Some(([body, b"}"].concat(), seal.try_into().ok()?))
}

fn digits(body: &[u8]) -> [u8; DIGITS] {
    let hex = blake3::hash(body).to_hex();
    hex.as_bytes()[..DIGITS].try_into().expect("a hash has more digits")
}

/// The field that determines how the rest is parsed.
#[derive(Deserialize)]
struct Header {
    format: u32,
}
