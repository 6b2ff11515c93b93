//! The seal of a line: by it a flipped bit is found, wherever it is.
//!
//! The last member of a line is `"seal"`, 16 hexadecimal digits of the BLAKE3 of the line without
//! it. Lines from before there were seals (format 1) are taken as they are.

use serde::Deserialize;

use crate::model::row::Row;

pub use crate::model::row::FORMAT;

const BEFORE: &[u8] = b",\"seal\":\"";
const AFTER: &[u8] = b"\"}";
const DIGITS: usize = 16;

/// What may be read from the line of a row: all of it, or what somebody needs.
pub trait OfRow: Sized {
    /// Reads it from a line without its seal.
    ///
    /// # Errors
    ///
    /// When it is no row.
    fn read(body: &[u8]) -> serde_json::Result<Self>;

    /// The format of the row.
    fn format(&self) -> u32;

    /// The number of its session.
    fn session(&self) -> usize;
}

impl OfRow for Row {
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

/// What a line of evidence turned out to be.
#[derive(Debug)]
pub enum Content<T = Row> {
    /// A row, and whether a seal vouches for it.
    Row(Box<T>, bool),
    /// No row, or one that is not what was written.
    Damaged(Damage),
    /// A row of a format that this version does not know.
    Newer(u32),
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Damage {
    /// It has a seal, which does not fit.
    Broken,
    /// It is of a format that has a seal, and has none.
    Unsealed,
    /// It is no row at all.
    NoRow,
    /// It is longer than any row.
    Endless,
    /// It names a session that its attempt does not have: its machine is unknown.
    Session,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Broken => "its seal does not fit: it was changed after it was written",
            Self::Unsealed => "its seal is gone",
            Self::NoRow => "it is no row",
            Self::Endless => "it is longer than any row",
            Self::Session => "it names a session that its attempt does not have",
        })
    }
}

/// The line of a row, with its seal and its end.
pub fn sealed(row: &Row) -> Vec<u8> {
    seal(serde_json::to_vec(row).expect("a row has string keys only"))
}

/// The line of a row that is written already, with its seal and its end.
pub(super) fn seal(body: Vec<u8>) -> Vec<u8> {
    let seal = digits(&body);
    let mut line = body;
    // The brace that closes it comes after the seal.
    line.pop();
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(&seal);
    line.extend_from_slice(AFTER);
    line.push(b'\n');
    line
}

/// What is in a line, its end not included.
pub(super) fn open<T: OfRow>(line: &[u8]) -> Content<T> {
    match split(line) {
        Some((body, seal)) if digits(&body) == seal => read(&body, true),
        Some(_) => Content::Damaged(Damage::Broken),
        None => {
            // What is left of a seal, or of a format that has one, is no row of the first format.
            let says = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
            if says(b"\"seal\"") { Content::Damaged(Damage::Broken) } else { read(line, false) }
        }
    }
}

/// Reads a line without its seal.
fn read<T: OfRow>(body: &[u8], is_sealed: bool) -> Content<T> {
    match T::read(body) {
        Ok(row) => match row.format() {
            0 => Content::Damaged(Damage::NoRow),
            1 => Content::Row(Box::new(row), is_sealed),
            _ if !is_sealed => Content::Damaged(Damage::Unsealed),
            format if format > FORMAT => Content::Newer(format),
            _ => Content::Row(Box::new(row), is_sealed),
        },
        // What this version cannot read may be well for a later one.
        Err(_) => match serde_json::from_slice(body) {
            Ok(Header { format }) if is_sealed && format > FORMAT => Content::Newer(format),
            _ => Content::Damaged(Damage::NoRow),
        },
    }
}

/// The line without its seal, and the seal, if it ends in one.
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

/// What tells how to read the rest.
#[derive(Deserialize)]
struct Header {
    format: u32,
}
