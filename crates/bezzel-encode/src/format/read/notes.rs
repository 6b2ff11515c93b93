//! The comments of a file that have the form of this program's comments.

use std::collections::BTreeMap;
use std::io::Read;

use bezzel_problem::file::MAX_COMMENT;
use bezzel_problem::{Candidate, FileError, KindEntry, Position, Scanner, Square, kinds};
use rustsat::types::Lit;

use crate::sink::MAX_VARIABLES;

/// The most literals and names in the comments of a file: those of a grid of side 4000, one variable per square.
pub const MAX_NOTES: u64 = 1 << 25;

/// The content of a file's comments about its formula; [`dimacs`](crate::format::dimacs) defines their forms.
///
/// A comment that only begins like one of these forms is ignored. One that continues like one of them must be right to
/// its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormulaComments {
    /// The encoding, as in `pairwise, revision 1`.
    pub encoding: Option<String>,
    /// The instance of a kind with a [noun](bezzel_problem::Kind::NOUN) of its own: the noun, and the name up to
    /// the word `with`.
    pub named: Option<(&'static str, String)>,
    /// The instance of another kind, as in `php8.knf #a1b2c3`.
    pub instance: Option<String>,
    /// The given squares of a grid.
    pub given: Vec<Square>,
    /// The excluded squares of a grid.
    pub excluded: Vec<Square>,
    /// The literals that all hold if and only if the square of a grid is chosen.
    pub squares: BTreeMap<Square, Vec<Lit>>,
    /// The literals that all hold if and only if the candidate is chosen, where there is no grid.
    pub candidates: BTreeMap<Candidate, Vec<Lit>>,
    /// The name of each variable that has one. The literal is negative where the name is that of
    /// the variable's negation.
    pub names: BTreeMap<String, Lit>,
    /// The number of literals, squares and names.
    count_read: u64,
}

/// Reads the comments before the formula, in any format that has them: they begin with `c` in DIMACS and KNF, with `*`
/// in OPB, with `;` in SMT-LIB. The formula is not read.
///
/// # Errors
///
/// The place of a comment that begins like one of the known forms and does not continue like it; or the error of
/// reading `from`.
pub fn notes(from: &mut dyn Read) -> Result<FormulaComments, FileError> {
    let mut scanner = Scanner::new(from);
    let mut notes = FormulaComments::default();
    let mut line = Vec::new();
    loop {
        match scanner.skip_blanks(false)? {
            Some(sign @ (b'c' | b'*' | b';')) => {
                scanner.pass(sign);
                let place = scanner.position();
                scanner.line(&mut line, MAX_COMMENT)?;
                // The end of a longer line is missing.
                if line.len() < MAX_COMMENT {
                    notes.take(&String::from_utf8_lossy(&line), place)?;
                }
            }
            // Comments may come between the header and the clauses.
            Some(b'p') => scanner.skip_line()?,
            _ => break,
        }
    }
    notes.finish();
    Ok(notes)
}

impl FormulaComments {
    /// Takes a comment without the sign that begins it; `place` is where the text begins.
    pub(super) fn take(&mut self, text: &str, place: Position) -> Result<(), FileError> {
        let Some((key, rest)) = text.trim_start().split_once(' ') else { return Ok(()) };
        let mut words = CommentWords { text, place, rest };
        match key {
            "encoding:" => self.encoding = Some(rest.trim().to_owned()),
            "instance:" => self.instance = Some(rest.trim().to_owned()),
            "square" => self.square(&mut words)?,
            "candidate" => self.candidate(&mut words)?,
            "varname" => self.name(&mut words)?,
            _ => {
                if let Some(word) = key.strip_suffix(':') {
                    self.of_kind(word, &mut words)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a comment that begins with a word of a kind.
    fn of_kind(&mut self, word: &str, words: &mut CommentWords) -> Result<(), FileError> {
        let is_used =
            |of: fn(&KindEntry) -> &'static str| kinds().iter().find(|kind| of(kind) == word);
        if is_used(|kind| kind.given).is_some() {
            Self::list(words, &mut self.given)?;
        } else if is_used(|kind| kind.excluded).is_some() {
            Self::list(words, &mut self.excluded)?;
        } else if let Some(kind) = is_used(|kind| kind.noun) {
            let name = words.rest.split(" with ").next().unwrap_or(words.rest);
            self.named = Some((kind.noun, name.trim().to_owned()));
        }
        Ok(())
    }

    /// Names of variables define squares if no other comment does.
    pub(super) fn finish(&mut self) {
        if self.squares.is_empty() {
            let named = self.names.iter();
            let squares = named.filter_map(|(name, &lit)| Some((square_named(name)?, vec![lit])));
            self.squares = squares.collect();
        }
    }

    fn list(words: &mut CommentWords, squares: &mut Vec<Square>) -> Result<(), FileError> {
        while let Some((word, place)) = words.next() {
            match square(word) {
                Some(square) => squares.push(square),
                None if squares.is_empty() => break,
                None => return Err(FileError::at(place, format!("`{word}` is not a square"))),
            }
        }
        Ok(())
    }

    fn square(&mut self, words: &mut CommentWords) -> Result<(), FileError> {
        let Some((word, place)) = words.next() else { return Ok(()) };
        let Some(square) = square(word) else { return Ok(()) };
        let mut cube = Vec::new();
        while let Some((word, place)) = words.next() {
            cube.push(
                literal(word)
                    .ok_or_else(|| FileError::at(place, format!("`{word}` is not a literal")))?,
            );
        }
        self.count(1 + cube.len() as u64, place)?;
        match self.squares.insert(square, cube) {
            None => Ok(()),
            Some(_) => {
                Err(FileError::at(place, format!("the square {square} is described a second time")))
            }
        }
    }

    /// Reads `NUMBER LABEL LITERALS`. A comment without a literal after the label is ignored.
    fn candidate(&mut self, words: &mut CommentWords) -> Result<(), FileError> {
        let Some((word, place)) = words.next() else { return Ok(()) };
        let Some(candidate) = number(word, MAX_VARIABLES) else { return Ok(()) };
        words.next();
        let mut cube = Vec::new();
        while let Some((word, place)) = words.next() {
            match literal(word) {
                Some(lit) => cube.push(lit),
                None if cube.is_empty() => return Ok(()),
                None => return Err(FileError::at(place, format!("`{word}` is not a literal"))),
            }
        }
        self.count(1 + cube.len() as u64, place)?;
        match self.candidates.insert(candidate - 1, cube) {
            None => Ok(()),
            Some(_) => Err(FileError::at(
                place,
                format!("the candidate {candidate} stands here a second time"),
            )),
        }
    }

    fn name(&mut self, words: &mut CommentWords) -> Result<(), FileError> {
        let Some((id, place)) = words.next() else { return Ok(()) };
        let id = id.strip_prefix('x').unwrap_or(id);
        let Some(lit) = literal(id).filter(|lit| lit.is_pos()) else { return Ok(()) };
        let label = words.rest.trim();
        let (label, lit) = match label.strip_prefix('~') {
            Some(label) => (label, !lit),
            None => (label, lit),
        };
        self.count(1, place)?;
        match self.names.insert(label.to_owned(), lit) {
            None => Ok(()),
            Some(_) => Err(FileError::at(place, format!("the name `{label}` was given before"))),
        }
    }

    fn count(&mut self, more: u64, place: Position) -> Result<(), FileError> {
        self.count_read += more;
        if self.count_read > MAX_NOTES {
            return Err(FileError::at(
                place,
                format!(
                    "the comments have more than {MAX_NOTES} literals and names, the most that are read"
                ),
            ));
        }
        Ok(())
    }
}

/// The words of a comment that are not read yet, with their places.
struct CommentWords<'a> {
    text: &'a str,
    place: Position,
    /// Ends where `text` does.
    rest: &'a str,
}

impl<'a> CommentWords<'a> {
    fn next(&mut self) -> Option<(&'a str, Position)> {
        let rest = self.rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let before = &self.text[..self.text.len() - rest.len()];
        let column = self.place.column + before.chars().count() as u64;
        let place = Position { column, ..self.place };
        self.rest = after;
        (!word.is_empty()).then_some((word, place))
    }
}

/// A number in digits alone, from 1 to `max`.
fn number(text: &str, max: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && (1..=max).contains(number))
}

/// A literal in the form of DIMACS, `-17`, or of OPB, `~x17`.
pub(super) fn literal(text: &str) -> Option<Lit> {
    let positive = text.strip_prefix(['-', '~']).unwrap_or(text);
    let id = positive.strip_prefix('x').unwrap_or(positive);
    let index = number(id, MAX_VARIABLES)? - 1;
    Some(Lit::new(index, positive.len() < text.len()))
}

/// A square in the form of comments: `3,12`.
fn square(text: &str) -> Option<Square> {
    let (row, column) = text.split_once(',')?;
    let row = number(row, u32::MAX)?;
    Some(Square::from((row, number(column, u32::MAX)?)))
}

/// The square in the name of a variable, rows and columns counted from 1: `x_{3,12}` as in DIMACS files, `q_3_12` as in
/// SMT-LIB, `p3_12`, `3,12`; and `p34` as in Zantema's text, with two digits only, since with more the column has no
/// clear beginning.
pub fn square_named(name: &str) -> Option<Square> {
    if let [b'p', row @ b'1'..=b'9', column @ b'1'..=b'9'] = name.as_bytes() {
        return Some(Square::from((u32::from(row - b'0'), u32::from(column - b'0'))));
    }
    let numbers = name.strip_prefix(['x', 'q', 'p']).unwrap_or(name);
    let numbers = numbers.strip_prefix('_').unwrap_or(numbers);
    let unbraced = numbers.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let numbers = unbraced.unwrap_or(numbers);
    let (row, column) = numbers.split_once([',', '_'])?;
    let row = number(row, u32::MAX)?;
    Some(Square::from((row, number(column, u32::MAX)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_literals_or_variables_with_names() {
        let squares = |text: &str| notes(&mut text.as_bytes()).unwrap().squares;
        let cubes = squares("c square 1,1 1\nc square 1,2 -3 4\np cnf 4 0\n");
        let lits = |row, column| {
            let cube = &cubes[&Square::from((row, column))];
            cube.iter().map(|lit| lit.to_ipasir()).collect::<Vec<_>>()
        };
        assert_eq!((lits(1, 1), lits(1, 2)), (vec![1], vec![-3, 4]));
        let named = squares("c varname 17 x_{3,1}\nc varname 18 p_3_2\nc varname 2 ~q_1_1\n");
        assert_eq!(named[&Square::from((3, 1))], [Lit::positive(16)]);
        assert_eq!(named[&Square::from((3, 2))], [Lit::positive(17)]);
        assert_eq!(named[&Square::from((1, 1))], [Lit::negative(1)]);
    }
}
