//! S-expressions, as far as the answers of SMT solvers need them.

use std::io::BufRead;

use super::ReadError;
use super::source::{MAX_LINE_BYTES, Source, TextPosition, refuse_endless};

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SmtTerm {
    Word(String),
    /// A list, or a text in quotes, whose content is not kept.
    Other,
}

/// The deepest nesting of parentheses that is followed.
const MAX_DEPTH: usize = 64;

/// The most bytes of a word that are kept.
const MAX_WORD_BYTES: usize = 100;

/// The longest list that is kept; later parts of it are left out.
const MAX_LIST_LENGTH: usize = 16;

/// Takes the list that begins here and calls `of` for each list in it, inner ones first, with its first parts and its
/// place.
pub(super) fn each<R: BufRead>(
    source: &mut Source<R>,
    mut of: impl FnMut(&[SmtTerm], TextPosition),
) -> Result<(), ReadError> {
    let mut open: Vec<(Vec<SmtTerm>, TextPosition)> = Vec::new();
    loop {
        source.blank(true)?;
        let place = source.place();
        let Some(byte) = source.peek()? else {
            return Err(place.error("the text ends within parentheses"));
        };
        let term = match byte {
            b'(' => {
                source.take(byte);
                if open.len() == MAX_DEPTH {
                    return Err(place.error("too many parentheses in each other"));
                }
                open.push((Vec::new(), place));
                continue;
            }
            b')' => {
                source.take(byte);
                let Some((list, begin)) = open.pop() else {
                    return Err(place.error("`)` closes nothing"));
                };
                of(&list, begin);
                if open.is_empty() {
                    return Ok(());
                }
                SmtTerm::Other
            }
            b';' => {
                source.line(&mut String::new(), 0)?;
                continue;
            }
            b'"' => {
                quoted(source, place)?;
                SmtTerm::Other
            }
            _ => SmtTerm::Word(source.word_before(b"();\"", MAX_WORD_BYTES)?),
        };
        if let Some((list, _)) = open.last_mut()
            && list.len() < MAX_LIST_LENGTH
        {
            list.push(term);
        }
    }
}

/// Takes a text in quotes.
fn quoted<R: BufRead>(source: &mut Source<R>, begin: TextPosition) -> Result<(), ReadError> {
    source.take(b'"');
    let mut length = 0;
    while let Some(byte) = source.peek()? {
        refuse_endless(length, MAX_LINE_BYTES, begin, "a text in quotes")?;
        length += 1;
        source.take(byte);
        if byte == b'"' {
            return Ok(());
        }
    }
    Err(begin.error("the quote is not closed"))
}
