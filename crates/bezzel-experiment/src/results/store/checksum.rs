//! The checksum of a line, which reveals every flipped bit.
//!
//! The last field of a line is `"checksum"`, 16 hexadecimal digits of the BLAKE3 of the line without it. Lines of format
//! 2 call it `"seal"`. Lines of format 1, which has no checksums, are accepted without one.

use serde::Deserialize;

use crate::model::row::Row;

pub use crate::model::row::FORMAT;

const BEFORE: &[u8] = b",\"checksum\":\"";
/// The same in lines of format 2.
const BEFORE_OLD: &[u8] = b",\"seal\":\"";
const AFTER: &[u8] = b"\"}";
const DIGITS: usize = 16;

/// The data that a reader takes from the line of a row: all fields, or some.
pub trait RowView: Sized {
    /// Reads the data from a line without its checksum.
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
    /// A row, and true if it has a checksum, which is right.
    Row(Box<T>, bool),
    /// A damaged line.
    Damaged(Damage),
    /// A row of a format that this version does not know.
    Newer(u32),
}

/// The kinds of damage of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Damage {
    /// Its checksum is not that of its text.
    WrongChecksum,
    /// It has no checksum, although its format has one.
    NoChecksum,
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
            Self::WrongChecksum => {
                "its checksum does not match: it was changed after it was written"
            }
            Self::NoChecksum => "its checksum is missing",
            Self::NoRow => "it is not a row",
            Self::Endless => "it is longer than any row",
            Self::Session => "it names a session that its attempt does not have",
        })
    }
}

/// The line of a row, with its checksum and its end.
pub fn line_of(row: &Row) -> Vec<u8> {
    with_checksum(serde_json::to_vec(row).expect("a row has string keys only"))
}

/// Returns the line of a serialised row, with its checksum and its end.
pub(super) fn with_checksum(body: Vec<u8>) -> Vec<u8> {
    let checksum = digits(&body);
    let mut line = body;
    // The closing brace follows the checksum.
    line.pop();
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(&checksum);
    line.extend_from_slice(AFTER);
    line.push(b'\n');
    line
}

/// Returns the content of a line, which is given without its end.
pub(super) fn open<T: RowView>(line: &[u8]) -> LineContent<T> {
    match split(line) {
        Some((body, checksum)) if digits(&body) == checksum => read(&body, true),
        Some(_) => LineContent::Damaged(Damage::WrongChecksum),
        None => {
            // A line with a part of a checksum is not a row of the first format.
            let has = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
            if has(b"\"checksum\"") || has(b"\"seal\"") {
                LineContent::Damaged(Damage::WrongChecksum)
            } else {
                read(line, false)
            }
        }
    }
}

/// Reads a line without its checksum.
fn read<T: RowView>(body: &[u8], has_checksum: bool) -> LineContent<T> {
    match T::read(body) {
        Ok(row) => match row.format() {
            0 => LineContent::Damaged(Damage::NoRow),
            1 => LineContent::Row(Box::new(row), has_checksum),
            _ if !has_checksum => LineContent::Damaged(Damage::NoChecksum),
            format if format > FORMAT => LineContent::Newer(format),
            _ => LineContent::Row(Box::new(row), has_checksum),
        },
        // A line that this version cannot parse may be valid in a later version.
        Err(_) => match serde_json::from_slice(body) {
            Ok(Header { format }) if has_checksum && format > FORMAT => LineContent::Newer(format),
            _ => LineContent::Damaged(Damage::NoRow),
        },
    }
}

/// Returns the line without its checksum, and the checksum, if the line ends in one.
fn split(line: &[u8]) -> Option<(Vec<u8>, [u8; DIGITS])> {
    let rest = line.strip_suffix(AFTER)?;
    let (rest, checksum) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let body = rest.strip_suffix(BEFORE).or_else(|| rest.strip_suffix(BEFORE_OLD))?;
    Some(([body, b"}"].concat(), checksum.try_into().ok()?))
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
