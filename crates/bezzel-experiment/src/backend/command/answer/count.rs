//! The output of a counter, read strictly: one exact number, without a contradiction.
//!
//! The lines are those of the Model Counting Competition: `s SATISFIABLE` or `s UNSATISFIABLE`, and
//! `c s exact arb int N`. Those of 2020, `s mc N` or `s pmc N`, are read as well. A number that is not exact is no
//! answer.
//!
//! *Source.* J. K. Fichte, M. Hecher, "Model Counting Competition: Competition Guidelines and Data
//! Format", 2024, and that of 2020.

use std::io::{self, BufRead, Read};
use std::str::FromStr;

use num_bigint::BigUint;
use thiserror::Error;

/// The longest line that is read, in bytes: a number of some hundred thousand digits. Rooks on the largest board have
/// no more solutions than that.
const LONGEST: u64 = 1 << 18;

/// The reason that the output is no count.
#[derive(Debug, Error)]
pub(in super::super) enum NoCount {
    /// It cannot be read.
    #[error("the output cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is no line with an exact count.
    #[error("no line `c s exact arb int N`")]
    None,
    /// The counter reports that it did not find the number.
    #[error("the counter says that the answer is unknown")]
    Unknown,
    /// A line that should hold a number holds none.
    #[error("no exact count in the line `{0}`")]
    Line(String),
    /// Two lines cannot both be right.
    #[error("it says {0} and {1}")]
    Contradiction(String, String),
}

/// The count that a program printed.
pub(in super::super) fn read(output: &mut impl BufRead) -> Result<BigUint, NoCount> {
    let mut count: Option<BigUint> = None;
    let mut satisfiable: Option<bool> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let taken = output.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if taken == 0 {
            break;
        }
        // The rest of a line that is too long is not read as a line.
        let is_cut = taken as u64 == LONGEST && line.last() != Some(&b'\n');
        if is_cut {
            output.skip_until(b'\n')?;
        }
        // A line that is not text is no answer. It may be part of a comment.
        let Ok(text) = str::from_utf8(&line) else { continue };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if is_cut && matches!(words[..], ["s", ..] | ["c", "s", ..]) {
            return Err(no_line(text));
        }
        let number = match words[..] {
            ["s", "SATISFIABLE"] => set_satisfiable(&mut satisfiable, true)?,
            ["s", "UNSATISFIABLE"] => set_satisfiable(&mut satisfiable, false)?,
            ["s", "UNKNOWN"] => return Err(NoCount::Unknown),
            ["c", "s", "exact", "arb", "int", number] | ["s", "mc" | "pmc", number] => Some(number),
            ["s", ..] | ["c", "s", "exact" | "approx", ..] => return Err(no_line(text)),
            _ => None,
        };
        let Some(number) = number else { continue };
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { BigUint::from_str(number).ok() } else { None };
        let number = number.ok_or_else(|| no_line(text))?;
        if let Some(first) = count.replace(number.clone())
            && first != number
        {
            return Err(NoCount::Contradiction(first.to_string(), number.to_string()));
        }
    }
    let Some(count) = count else {
        return if satisfiable == Some(false) { Ok(BigUint::ZERO) } else { Err(NoCount::None) };
    };
    match satisfiable {
        Some(satisfiable) if satisfiable != (count != BigUint::ZERO) => {
            let word = if satisfiable { "SATISFIABLE" } else { "UNSATISFIABLE" };
            Err(NoCount::Contradiction(word.into(), count.to_string()))
        }
        _ => Ok(count),
    }
}

/// Records the satisfiability in `known`, which must not change.
fn set_satisfiable<'t>(
    known: &mut Option<bool>,
    satisfiable: bool,
) -> Result<Option<&'t str>, NoCount> {
    match known.replace(satisfiable) {
        Some(first) if first != satisfiable => {
            Err(NoCount::Contradiction("SATISFIABLE".into(), "UNSATISFIABLE".into()))
        }
        _ => Ok(None),
    }
}

fn no_line(text: &str) -> NoCount {
    NoCount::Line(text.trim().chars().filter(|c| !c.is_control()).take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<u64, String> {
        let count = read(&mut text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(u64::try_from(count).unwrap())
    }

    #[test]
    fn a_count_is_read_in_the_form_of_either_competition() {
        assert_eq!(
            of("c ok\ns SATISFIABLE\nc s type pmc\nc s log10-estimate 1.9\nc s exact arb int 92\n"),
            Ok(92)
        );
        assert_eq!(of("c s exact arb int 92"), Ok(92));
        assert_eq!(of("s mc 92\n"), Ok(92));
        assert_eq!(of("s pmc 92\r\n"), Ok(92));
        assert_eq!(of("s UNSATISFIABLE\n"), Ok(0));
        assert_eq!(of("s UNSATISFIABLE\nc s exact arb int 0\n"), Ok(0));
    }

    #[test]
    fn an_answer_without_an_exact_count_is_refused() {
        let none = "no line `c s exact arb int N`";
        for text in ["", "92\n", "s SATISFIABLE\n", "c 92\n", "v 1 2 0\n"] {
            assert_eq!(of(text), Err(none.into()), "{text}");
        }
        for text in [
            "c s approx arb int 92\n",
            "c s exact double prec-sci 9.2e1\n",
            "c s exact arb int -92\n",
            "c s exact arb int 9.2\n",
            "c s exact arb int\n",
            "s mc\n",
            "s SATISFIABLE 92\n",
            "s mc 92 92\n",
        ] {
            assert!(of(text).unwrap_err().starts_with("no exact count in the line"), "{text}");
        }
        assert_eq!(of("s UNKNOWN\n").unwrap_err(), "the counter says that the answer is unknown");
    }

    #[test]
    fn a_line_that_is_too_long_is_no_number_and_its_rest_no_line() {
        let digits = |count: u64| "9".repeat(usize::try_from(count).unwrap());
        let counted = |digits: String| read(&mut format!("s mc {digits}\n").as_bytes());
        let longest = LONGEST - "s mc \n".len() as u64;
        assert_eq!(counted(digits(longest)).unwrap().to_string().len() as u64, longest);
        for count in [longest + 1, LONGEST, 3 * LONGEST] {
            let message = counted(digits(count)).unwrap_err().to_string();
            assert!(
                message.starts_with("no exact count in the line `s mc 999"),
                "{count}: {message}"
            );
        }
        let comment = format!("c {}s mc 91\ns mc 92\n", "x".repeat(LONGEST as usize - 2));
        assert_eq!(of(&comment), Ok(92), "the end of a comment is none");
    }

    #[test]
    fn lines_that_contradict_each_other_are_no_answer() {
        for text in [
            "s mc 92\ns mc 91\n",
            "s UNSATISFIABLE\nc s exact arb int 92\n",
            "s SATISFIABLE\nc s exact arb int 0\n",
            "s SATISFIABLE\ns UNSATISFIABLE\n",
        ] {
            assert!(of(text).unwrap_err().starts_with("it says"), "{text}");
        }
    }
}
