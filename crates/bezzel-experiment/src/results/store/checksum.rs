//! The checksum of a line, which reveals every flipped bit.
//!
//! The last field of a line is `"checksum"`, 16 hexadecimal digits of the BLAKE3 of the line without it.

use std::fmt;

const BEFORE: &[u8] = b",\"checksum\":\"";
const AFTER: &[u8] = b"\"}";
const DIGITS: usize = 16;

/// The kinds of damage of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Damage {
    /// Its checksum is not that of its text.
    WrongChecksum,
    /// It has no checksum.
    NoChecksum,
    /// It is neither a row nor another entry of a session.
    NoEntry,
    /// It is longer than any line.
    Endless,
    /// The compressed file cannot be read any further.
    Compression,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongChecksum => {
                "its checksum does not match: it was changed after it was written"
            }
            Self::NoChecksum => "its checksum is missing",
            Self::NoEntry => "it is no entry of a session",
            Self::Endless => "it is longer than any line",
            Self::Compression => {
                "the compressed file is damaged here: no line from here on can be read"
            }
        })
    }
}

/// Returns the line of a serialised entry, with its checksum and its end.
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

/// Returns a line without its checksum, if the checksum is right. The line is given without its end.
pub(super) fn checked(line: &[u8]) -> Result<Vec<u8>, Damage> {
    match split(line) {
        Some((body, checksum)) if digits(&body) == checksum => Ok(body),
        Some(_) => Err(Damage::WrongChecksum),
        None => {
            let word: &[u8] = b"\"checksum\"";
            // A line with a part of a checksum was changed.
            let has_part = line.windows(word.len()).any(|window| window == word);
            let is_entry = line.first() == Some(&b'{');
            Err(match (has_part, is_entry) {
                (true, _) => Damage::WrongChecksum,
                (false, true) => Damage::NoChecksum,
                (false, false) => Damage::NoEntry,
            })
        }
    }
}

/// Returns the line without its checksum, and the checksum, if the line ends in one.
fn split(line: &[u8]) -> Option<(Vec<u8>, [u8; DIGITS])> {
    let rest = line.strip_suffix(AFTER)?;
    let (rest, checksum) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let body = rest.strip_suffix(BEFORE)?;
    Some(([body, b"}"].concat(), checksum.try_into().ok()?))
}

fn digits(body: &[u8]) -> [u8; DIGITS] {
    let hex = blake3::hash(body).to_hex();
    hex.as_bytes()[..DIGITS].try_into().expect("a hash has more digits")
}
