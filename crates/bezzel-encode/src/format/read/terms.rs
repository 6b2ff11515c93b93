//! S-expressions, as far as the answers of SMT solvers need them.

use std::io::BufRead;

use super::ReadError;
use super::source::{LONGEST_LINE, Place, Source, refuse_endless};

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Word(String),
    /// A list, or a text in quotes: what is in it does not matter to who asks for it.
    Other,
}

/// Parentheses in each other are followed so deep.
const DEEPEST: usize = 64;

/// The most bytes of a word that are kept.
const LONGEST_WORD: usize = 100;

/// The longest list that is kept; what comes after in it is left out.
const LONGEST: usize = 16;

/// Takes the list that begins here and tells `of` each list in it, inner ones first, by its first
/// parts and its place.
pub(super) fn each<R: BufRead>(
    source: &mut Source<R>,
    mut of: impl FnMut(&[Term], Place),
) -> Result<(), ReadError> {
    let mut open: Vec<(Vec<Term>, Place)> = Vec::new();
    loop {
        source.blank(true)?;
        let place = source.place();
        let Some(byte) = source.peek()? else {
            return Err(place.error("the text ends within parentheses"));
        };
        let term = match byte {
            b'(' => {
                source.take(byte);
                if open.len() == DEEPEST {
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
                Term::Other
            }
            b';' => {
                source.line(&mut String::new(), 0)?;
                continue;
            }
            b'"' => {
                quoted(source, place)?;
                Term::Other
            }
            _ => Term::Word(source.word_before(b"();\"", LONGEST_WORD)?),
        };
        if let Some((list, _)) = open.last_mut()
            && list.len() < LONGEST
        {
            list.push(term);
        }
    }
}

/// Takes a text in quotes.
fn quoted<R: BufRead>(source: &mut Source<R>, begin: Place) -> Result<(), ReadError> {
    source.take(b'"');
    let mut length = 0;
    while let Some(byte) = source.peek()? {
        refuse_endless(length, LONGEST_LINE, begin, "a text in quotes")?;
        length += 1;
        source.take(byte);
        if byte == b'"' {
            return Ok(());
        }
    }
    Err(begin.error("the quote is not closed"))
}
