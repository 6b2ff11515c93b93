//! MiniSat's result file: `SAT`, `UNSAT` or `INDET`, and after `SAT` the literals and a 0.

use std::io::BufRead;

use bezzel_solve::Answer;

use super::quote::{Bounded, clean, is_blank};
use super::values::Values;
use super::{NoAnswer, Said, each_byte};

/// So much of a word is looked at; the longest that is one has five letters.
const WORD: usize = 20;

/// Reads the result about a formula of so many variables.
pub(in super::super) fn result_file(
    from: &mut impl BufRead,
    variables: u32,
) -> Result<Said, NoAnswer> {
    let mut said = Said::default();
    let mut word = Bounded::new(WORD);
    let mut line = 1;
    each_byte(from, |byte| {
        let took = match (said.verdict, &mut said.values) {
            (None, _) if is_blank(byte) => {
                let text = word.take();
                if !text.is_empty() {
                    said.verdict = Some(verdict(&text).map_err(|what| NoAnswer::at(line, what))?);
                }
                Ok(())
            }
            (None, _) => {
                word.push(byte);
                Ok(())
            }
            (Some(_), Some(values)) => values.take(byte),
            (Some(_), None) if is_blank(byte) => Ok(()),
            // What follows another verdict than `SAT` is held against it later.
            (Some(_), values @ None) => values.insert(Values::new(variables)).take(byte),
        };
        took.map_err(|what| NoAnswer::at(line, what))?;
        line += u64::from(byte == b'\n');
        Ok(())
    })?;
    let text = word.take();
    if said.verdict.is_none() && !text.is_empty() {
        said.verdict = Some(verdict(&text).map_err(|what| NoAnswer::at(line, what))?);
    }
    if let Some(values) = &mut said.values {
        values.end_number().map_err(|what| NoAnswer::at(line, what))?;
    }
    Ok(said)
}

fn verdict(word: &str) -> Result<Answer, String> {
    match word {
        "SAT" => Ok(Answer::Sat),
        "UNSAT" => Ok(Answer::Unsat),
        "INDET" => Ok(Answer::Unknown),
        _ => Err(format!("`{}` is not SAT, UNSAT or INDET", clean(word))),
    }
}
