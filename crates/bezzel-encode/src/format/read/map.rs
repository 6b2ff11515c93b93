//! The meaning of the variables of a formula from another program.

use std::collections::BTreeMap;
use std::io::BufRead;

use bezzel_problem::Square;
use rustsat::types::Lit;

use super::notes::{FormulaComments, MAX_COMMENT_BYTES};
use super::source::Source;
use super::{ReadError, square_named};

/// Reads a map: the literals that encode a queen on each square.
///
/// One line for each square, rows and columns counted from 1:
///
/// ```text
/// # a comment
/// square 1,1 1
/// square 1,2 -3 4
/// ```
///
/// A queen stands on 1,2 if and only if variable 3 is false and variable 4 true. Or one line for each variable that
/// alone encodes a queen on a square, with a name that [`square_named`](super::square_named) reads:
///
/// ```text
/// varname 17 x_{3,1}
/// ```
///
/// Both kinds may begin with `c `, as in the comments of DIMACS files of this program, and both may omit their first
/// word: `1,2 -3 4`, `17 x_{3,1}`.
///
/// # Errors
///
/// The first line that is neither, with its place; or the error of reading `from`.
pub fn map(from: &mut impl BufRead) -> Result<BTreeMap<Square, Vec<Lit>>, ReadError> {
    let mut source = Source::new(from);
    let mut notes = FormulaComments::default();
    let mut line = String::new();
    while source.peek()?.is_some() {
        let place = source.place();
        source.line(&mut line, MAX_COMMENT_BYTES)?;
        let text = line.split('#').next().unwrap_or_default().trim();
        let text = text.strip_prefix("c ").unwrap_or(text).trim_start();
        let Some(first) = text.split_whitespace().next() else { continue };
        let before = notes.count_read();
        if first == "square" || first == "varname" {
            notes.take(text, place)?;
        } else if first.contains(',') {
            notes.take(&format!("square {text}"), place)?;
        } else {
            notes.take(&format!("varname {text}"), place)?;
        }
        if notes.count_read() == before {
            let form = "a line of a map is `square ROW,COLUMN LITERALS` or `varname VARIABLE NAME`";
            return Err(place.error(format!("`{text}`: {form}")));
        }
        if notes.squares.is_empty()
            && let Some(name) = notes.names.keys().find(|name| square_named(name).is_none())
        {
            return Err(
                place.error(format!("`{name}` is not the name of a square, such as `x_{{1,2}}`"))
            );
        }
    }
    notes.finish();
    Ok(notes.squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BTreeMap<Square, Vec<Lit>>, String> {
        map(&mut text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_map_is_read_by_squares_or_by_names_with_or_without_the_first_word() {
        let cubes = read("# mine\n\nsquare 1,1 1\nc square 1,2 -3 4 # here\n2,1 7\n").unwrap();
        let lits = |row, column| {
            let cube = &cubes[&Square::from((row, column))];
            cube.iter().map(|lit| lit.to_ipasir()).collect::<Vec<_>>()
        };
        assert_eq!((lits(1, 1), lits(1, 2), lits(2, 1)), (vec![1], vec![-3, 4], vec![7]));
        let named = read("varname 17 x_{3,1}\n18 p_3_2\nc varname 2 ~q_1_1\n").unwrap();
        assert_eq!(named[&Square::from((3, 1))], [Lit::positive(16)]);
        assert_eq!(named[&Square::from((3, 2))], [Lit::positive(17)]);
        assert_eq!(named[&Square::from((1, 1))], [Lit::negative(1)]);
    }

    #[test]
    fn an_invalid_map_is_refused_with_its_line() {
        for (text, message) in [
            ("square 1,1 1\nnonsense\n", "line 2, column 1: `nonsense`"),
            ("square 1,1 0\n", "line 1, column"),
            ("square 1,1 1\nsquare 1,1 2\n", "line 2, column"),
            ("5 queen\n", "line 1, column 1: `queen` is not the name of a square"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }
}
