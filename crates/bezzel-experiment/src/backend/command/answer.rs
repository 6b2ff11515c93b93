//! The answer of a program, read strictly. A verdict is accepted if nothing contradicts it.
//!
//! A deviation is an error, never a guess: two answers of one program count as none.
//!
//! The output of a solver has its effort too, in lines of several forms. Kissat and CaDiCaL write
//! `c conflicts:  45  2118.54 per second`, MiniSat and Glucose `conflicts  : 25  (8386 /sec)`, Glucose in parallel
//! `c | Conflicts  |  71 | 0 |` with the sum first, PicoSAT `c 41 conflicts`, clasp `c Choices  : 456`, CryptoMiniSat
//! `c propagations  : 189K`, which is rounded and therefore not taken. The last value counts.

use std::io::Read;
use std::str::FromStr;

use bezzel_encode::format::read::{AnswerForm, MAX_LINE, ProgramAnswer, ReadModel, program_answer};
use bezzel_problem::{FileError, Scanner, quoted};
use bezzel_solve::{Answer, Effort};
use num_bigint::BigUint;

/// Reads an answer about a formula with `variables` variables, and the effort from its comments.
pub(super) fn read(
    from: &mut dyn Read,
    form: AnswerForm<'_>,
    variables: u32,
    effort: &mut Effort,
) -> Result<ProgramAnswer, String> {
    let answer = program_answer(from, form, variables, &mut |line| take_effort(line, effort));
    answer.map_err(|FileError { position, message }| match position {
        Some(position) => format!("{position} of its answer: {message}"),
        None => message,
    })
}

/// The exit code of solver competitions for the verdict, if there is one.
pub(super) fn exit_code(answer: &ProgramAnswer) -> Option<i32> {
    Some(match Answer::from(answer.verdict?) {
        Answer::Sat => 10,
        Answer::Unsat => 20,
        Answer::Unknown => 0,
    })
}

/// Returns the answer of a program, if verdict, model and exit code agree.
pub(super) fn agreed(
    answer: ProgramAnswer,
    code: i32,
) -> Result<(Answer, Option<ReadModel>), String> {
    let expected = exit_code(&answer).unwrap_or_default();
    let ProgramAnswer { verdict, model } = answer;
    let Some(verdict) = verdict.map(Answer::from) else {
        if code == 0 && model.is_none() {
            return Ok((Answer::Unknown, None));
        }
        let model_text = if model.is_some() { "a model, but " } else { "" };
        return Err(format!("it ended with exit code {code} and {model_text}without a verdict"));
    };
    let means = match verdict {
        Answer::Sat => "satisfiable",
        Answer::Unsat => "unsatisfiable",
        Answer::Unknown => "unknown",
    };
    if code != expected {
        let hint =
            if code == 0 { "; for a solver that always ends so, add `exit: any`" } else { "" };
        return Err(format!(
            "it answered `{means}` and ended with exit code {code}, not {expected}{hint}"
        ));
    }
    match (verdict, model) {
        (Answer::Sat, None) => Err("it answered `satisfiable` without a model".into()),
        (Answer::Sat, Some(model)) if !model.has_ended() => {
            Err("its model is not ended by a 0".into())
        }
        (Answer::Sat, model) => Ok((Answer::Sat, model)),
        (Answer::Unsat, Some(_)) => Err("it answered `unsatisfiable` and gave a model".into()),
        (verdict, _) => Ok((verdict, None)),
    }
}

/// Takes the effort from lines of any kind; long lines are cut.
pub(super) fn statistics(from: &mut dyn Read, effort: &mut Effort) -> Result<(), FileError> {
    let mut scanner = Scanner::new(from);
    let mut line = Vec::new();
    while scanner.next_line(&mut line, MAX_LINE)? {
        take_effort(&String::from_utf8_lossy(&line), effort);
    }
    Ok(())
}

/// Takes the effort from a line, if the line has one.
pub(super) fn take_effort(line: &str, effort: &mut Effort) {
    let line = line.trim();
    let line = match line.strip_prefix('c') {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => line,
    };
    let line = line.strip_prefix('|').unwrap_or(line).trim_start();
    // A whole number at the beginning; none if it is rounded, or part of a word.
    let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    let entry = match line.split_once([':', '|']) {
        Some((name, rest)) => number(rest).map(|number| (name, number)),
        None => line.split_once(' ').and_then(|(first, name)| Some((name, number(first)?))),
    };
    let Some((name, number)) = entry else { return };
    let place = match name.trim().to_ascii_lowercase().as_str() {
        "conflicts" => &mut effort.conflicts,
        "decisions" | "choices" => &mut effort.decisions,
        "propagations" => &mut effort.propagations,
        "restarts" => &mut effort.restarts,
        "ticks" => &mut effort.ticks,
        _ => return,
    };
    *place = Some(number);
}

/// The longest line of a counter that is read, in bytes: a number of some hundred thousand digits. Published
/// instances have no more solutions than that.
const LONGEST: usize = 1 << 18;

/// The count that a counter printed: one exact number, without a contradiction.
///
/// The lines are those of the Model Counting Competition: `s SATISFIABLE` or `s UNSATISFIABLE`, and
/// `c s exact arb int N`. Those of 2020, `s mc N` or `s pmc N`, are read as well. A number that is not exact is no
/// answer.
///
/// *Source.* J. K. Fichte, M. Hecher, "Model Counting Competition: Competition Guidelines and Data Format", 2024, and
/// that of 2020.
pub(super) fn count(output: &mut dyn Read) -> Result<BigUint, String> {
    let mut count: Option<BigUint> = None;
    let mut satisfiable: Option<bool> = None;
    let mut scanner = Scanner::new(output);
    let mut line = Vec::new();
    while scanner.next_line(&mut line, LONGEST).map_err(|error| error.to_string())? {
        let no_count = || format!("no exact count in the line `{}`", quoted(line.trim_ascii()));
        // A line that is not text is no answer. It may be part of a comment.
        let Ok(text) = str::from_utf8(&line) else { continue };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        // The rest of a line that is too long is not read.
        if line.len() == LONGEST && matches!(words[..], ["s", ..] | ["c", "s", ..]) {
            return Err(no_count());
        }
        let number = match words[..] {
            ["s", word @ ("SATISFIABLE" | "UNSATISFIABLE")] => {
                if satisfiable.replace(word == "SATISFIABLE") == Some(word != "SATISFIABLE") {
                    return Err("it says SATISFIABLE and UNSATISFIABLE".into());
                }
                continue;
            }
            ["s", "UNKNOWN"] => return Err("the counter says that the answer is unknown".into()),
            ["c", "s", "exact", "arb", "int", number] | ["s", "mc" | "pmc", number] => number,
            ["s", ..] | ["c", "s", "exact" | "approx", ..] => return Err(no_count()),
            _ => continue,
        };
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = BigUint::from_str(number).ok().filter(|_| digits).ok_or_else(no_count)?;
        if let Some(first) = count.replace(number.clone())
            && first != number
        {
            return Err(format!("it says {first} and {number}"));
        }
    }
    match (count, satisfiable) {
        (None, Some(false)) => Ok(BigUint::ZERO),
        (None, _) => Err("no line `c s exact arb int N`".into()),
        (Some(count), Some(satisfiable)) if satisfiable != (count != BigUint::ZERO) => {
            let word = if satisfiable { "SATISFIABLE" } else { "UNSATISFIABLE" };
            Err(format!("it says {word} and {count}"))
        }
        (Some(count), _) => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<u64, String> {
        count(&mut text.as_bytes()).map(|count| u64::try_from(count).unwrap())
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
        let digits = |count: usize| "9".repeat(count);
        let counted = |digits: String| count(&mut format!("s mc {digits}\n").as_bytes());
        let longest = LONGEST - "s mc \n".len();
        assert_eq!(counted(digits(longest)).unwrap().to_string().len(), longest);
        for count in [longest + 1, LONGEST, 3 * LONGEST] {
            let message = counted(digits(count)).unwrap_err();
            assert!(
                message.starts_with("no exact count in the line `s mc 999"),
                "{count}: {message}"
            );
        }
        let comment = format!("c {}s mc 91\ns mc 92\n", "x".repeat(LONGEST - 2));
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
