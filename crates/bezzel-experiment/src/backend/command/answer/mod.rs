//! The answer of a solver, read strictly. A verdict is accepted if nothing contradicts it.
//!
//! Answers are read as a stream and kept as two bits for each variable, for any length. A deviation is an error,
//! never a guess: two answers of one program count as none.

use std::io::{self, BufRead};

use bezzel_encode::Lit;
use bezzel_solve::{Answer, Effort};
use thiserror::Error;

mod competition;
pub(super) mod count;
mod quote;
mod result_file;
mod values;

pub(super) use competition::competition;
pub(super) use result_file::result_file;
use values::Values;

/// The reason that an output is no answer.
#[derive(Debug, Error)]
pub(super) enum NoAnswer {
    /// It could not be read.
    #[error("its answer cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It does not have the form of an answer.
    #[error("{0}")]
    Malformed(String),
    /// One of its lines is none of solver competitions.
    #[error("{0}")]
    Foreign(String),
}

impl NoAnswer {
    fn at(line: u64, what: impl std::fmt::Display) -> Self {
        Self::Malformed(format!("line {line} of its answer: {what}"))
    }

    fn foreign(line: u64, text: &str) -> Self {
        Self::Foreign(format!(
            "line {line} of its answer: `{text}` begins with none of `c`, `s` and `v`"
        ))
    }
}

/// The output of a program: verdict and model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProgramOutput {
    /// Its verdict, if it gave one.
    verdict: Option<Answer>,
    /// The values of its model, if it gave any.
    values: Option<Values>,
}

impl ProgramOutput {
    /// The exit code of solver competitions for the verdict, if there is one.
    pub(super) fn exit_code(&self) -> Option<i32> {
        Some(match self.verdict? {
            Answer::Sat => 10,
            Answer::Unsat => 20,
            Answer::Unknown => 0,
        })
    }
}

/// The model of an answer `Sat`. A variable without a value counts as false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramModel(Values);

impl ProgramModel {
    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.0.is_true(lit.vidx()) == lit.is_pos()
    }
}

/// Returns the answer of a program, if verdict, model and exit code agree.
pub(super) fn agreed(
    output: ProgramOutput,
    code: i32,
) -> Result<(Answer, Option<ProgramModel>), NoAnswer> {
    let fault = |what: String| Err(NoAnswer::Malformed(what));
    let expected = output.exit_code().unwrap_or_default();
    let ProgramOutput { verdict, values } = output;
    let means = match verdict {
        Some(Answer::Sat) => "satisfiable",
        Some(Answer::Unsat) => "unsatisfiable",
        Some(Answer::Unknown) => "unknown",
        None if code == 0 && values.is_none() => return Ok((Answer::Unknown, None)),
        None => {
            let model_text = if values.is_some() { "a model, but " } else { "" };
            return fault(format!(
                "it ended with exit code {code} and {model_text}without a verdict"
            ));
        }
    };
    if code != expected {
        let hint =
            if code == 0 { "; for a solver that always ends so, add `exit: any`" } else { "" };
        return fault(format!(
            "it answered `{means}` and ended with exit code {code}, not {expected}{hint}"
        ));
    }
    match (verdict, values) {
        (Some(Answer::Sat), None) => fault("it answered `satisfiable` without a model".into()),
        (Some(Answer::Sat), Some(values)) if !values.has_ended() => {
            fault("its model is not ended by a 0".into())
        }
        (Some(Answer::Sat), Some(values)) => Ok((Answer::Sat, Some(ProgramModel(values)))),
        (Some(Answer::Unsat), Some(_)) => {
            fault("it answered `unsatisfiable` and gave a model".into())
        }
        (Some(verdict), _) => Ok((verdict, None)),
        (None, _) => unreachable!("it was dealt with above"),
    }
}

/// Takes the effort from lines of any kind; long lines are cut.
pub(super) fn statistics(from: &mut impl BufRead, effort: &mut Effort) -> io::Result<()> {
    let mut line = quote::Bounded::new(competition::COMMENT);
    each_byte(from, |byte| {
        if byte == b'\n' {
            super::statistics::take(&line.take(), effort);
        } else {
            line.push(byte);
        }
        Ok(())
    })
    .map_err(|error: NoAnswer| io::Error::other(error.to_string()))?;
    super::statistics::take(&line.take(), effort);
    Ok(())
}

/// Passes each byte behind the byte order mark, if there is one.
fn each_byte(
    from: &mut impl BufRead,
    mut take: impl FnMut(u8) -> Result<(), NoAnswer>,
) -> Result<(), NoAnswer> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let mut is_begun = false;
    loop {
        let block = match from.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(block) => block,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        let length = block.len();
        let mark = block.strip_prefix(BYTE_ORDER_MARK).filter(|_| !is_begun);
        is_begun = true;
        mark.unwrap_or(block).iter().try_for_each(|&byte| take(byte))?;
        from.consume(length);
    }
}
