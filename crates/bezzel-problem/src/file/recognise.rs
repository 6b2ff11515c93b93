//! The format of a file by its first bytes, and the names of formats that are not read.

use super::names::begins_name;
use super::parsed::READS;
use crate::text::{BYTE_ORDER_MARK, FileError, Position, quoted};

/// The first bytes in which words of other formats are searched.
const SEARCHED: usize = 1 << 16;

/// The family of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// CNF, KNF and CNF+.
    Dimacs,
    /// OPB.
    Opb,
}

/// The bytes behind the byte order mark, if there is one.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// Recognises the format of the text, without its byte order mark.
///
/// # Errors
///
/// When the text is empty, or of a format that is not read.
pub(super) fn recognise(text: &[u8]) -> Result<Syntax, FileError> {
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        let message = "the text is UTF-16, by its byte order mark: save it as UTF-8";
        return Err(FileError::whole(message));
    }
    let ends_opb = text.trim_ascii_end().ends_with(b";");
    let mut start = 0;
    let mut comments = 0;
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
        let word = line.trim_ascii_start();
        let position = Position { line: number, column: (line.len() - word.len()) as u64 + 1 };
        start += line.len() + 1;
        let first = word.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match first {
            [] => {}
            b"p" if is_header(word) => return Ok(Syntax::Dimacs),
            [b'c', ..] => comments += 1,
            // Lines as `c words` are comments of a file without a header; `c1 + c2 >= 1 ;` is none.
            _ if comments > 0 && (ends_opb || !text.trim_ascii_start().starts_with(b"c ")) => {
                return Ok(Syntax::Opb);
            }
            _ if comments > 0 => return Ok(Syntax::Dimacs),
            [b'*', ..] if !has_line(text, b"ROWS") => return Ok(Syntax::Opb),
            _ => {
                let rest = &text[start.min(text.len())..];
                return match foreign(first, word, rest) {
                    None if begins_name(first[0]) && !text.contains(&b';') => {
                        let message = format!(
                            "`{}` begins no constraint of a known format: a file begins with `p cnf`, `p knf` or \
                             `p cnf+`, or has constraints as `+1 x1 -2 ~x3 >= 2 ;`",
                            quoted(first)
                        );
                        Err(FileError::at(position, message))
                    }
                    None => Ok(Syntax::Opb),
                    Some(name) => {
                        let message = format!("this is {name}, which is not read: {READS}");
                        Err(FileError::at(position, message))
                    }
                };
            }
        }
    }
    if comments > 0 {
        return Ok(if ends_opb { Syntax::Opb } else { Syntax::Dimacs });
    }
    Err(FileError::whole("the file is empty: a header is missing, as `p knf 3 1`"))
}

/// True if a line that begins with the word `p` is a header, and not the first variable of a constraint.
fn is_header(line: &[u8]) -> bool {
    line[1..].trim_ascii().first().is_none_or(u8::is_ascii_alphabetic)
}

/// True if one of the first lines is this word.
fn has_line(text: &[u8], word: &[u8]) -> bool {
    let mut lines = text[..text.len().min(SEARCHED)].split(|&byte| byte == b'\n');
    lines.any(|line| line.trim_ascii() == word)
}

/// The name of another format, by the first word, its line from there on and the text behind this line.
fn foreign(first: &[u8], line: &[u8], rest: &[u8]) -> Option<&'static str> {
    let lower = first.to_ascii_lowercase();
    let next = line[first.len()..].trim_ascii();
    let is_name = next.first().is_some_and(u8::is_ascii_alphabetic);
    let is_number = |word: &[u8]| {
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(match &*lower {
        [b'<', b'?' | b'!' | b'a'..=b'z', ..] => "XML, as XCSP3 is",
        [b'(' | b';', ..] => "SMT-LIB",
        [b'{', ..] => "JSON",
        [b'/', b'/' | b'*', ..]
        | [b'\\', ..]
        | b"minimize"
        | b"maximize"
        | b"minimum"
        | b"maximum"
        | b"minimise"
        | b"maximise"
        | b"subject"
        | b"st"
        | b"s.t." => "LP",
        b"min" | b"max" if next.is_empty() || is_name => "LP",
        b"rows" if next.is_empty() => "MPS",
        b"name" if has_line(rest, b"ROWS") => "MPS",
        [b'*', ..] => "MPS",
        b"predicate" | b"var" | b"array" | b"constraint" | b"solve" | b"include" | b"int:"
        | b"bool:" | b"set"
            if is_name || !next.is_empty() && next[0] == b'[' || first.ends_with(b":") =>
        {
            "FlatZinc or MiniZinc"
        }
        [b'%', ..] => "FlatZinc or MiniZinc",
        b"h" if words.clone().skip(1).all(is_number) => "WCNF, with soft clauses",
        b"soft:" => "WBO, with constraints that may be violated at a cost",
        b"aag" | b"aig" => "AIGER",
        _ if words.clone().count() > 1 && words.all(is_number) => {
            "CNF without its header `p cnf V C`, or WCNF"
        }
        _ => return None,
    })
}
