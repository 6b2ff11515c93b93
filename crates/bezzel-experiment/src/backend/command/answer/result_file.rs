//! MiniSat's result file: `SAT`, `UNSAT` or `INDET`, and after `SAT` the literals and a 0.

use std::io::BufRead;

use bezzel_solve::Answer;

use super::quote::{Bounded, clean, is_blank};
use super::values::Values;
use super::{NoAnswer, ProgramOutput, each_byte};

/// The number of bytes of a word that are read. The longest verdict has five letters.
const WORD: usize = 20;

/// Reads the result about a formula with `variables` variables.
pub(in super::super) fn result_file(
    from: &mut impl BufRead,
    variables: u32,
) -> Result<ProgramOutput, NoAnswer> {
    let mut output = ProgramOutput::default();
    let mut word = Bounded::new(WORD);
    let mut line = 1;
    each_byte(from, |byte| {
        let took = match (output.verdict, &mut output.values) {
            (None, _) if is_blank(byte) => {
                let text = word.take();
                if !text.is_empty() {
                    output.verdict = Some(verdict(&text).map_err(|what| NoAnswer::at(line, what))?);
                }
                Ok(())
            }
            (None, _) => {
                word.push(byte);
                Ok(())
            }
            (Some(_), Some(values)) => values.take(byte),
            (Some(_), None) if is_blank(byte) => Ok(()),
            // Literals after another verdict than `SAT` are refused later.
            (Some(_), values @ None) => values.insert(Values::new(variables)).take(byte),
        };
        took.map_err(|what| NoAnswer::at(line, what))?;
        line += u64::from(byte == b'\n');
        Ok(())
    })?;
    let text = word.take();
    if output.verdict.is_none() && !text.is_empty() {
        output.verdict = Some(verdict(&text).map_err(|what| NoAnswer::at(line, what))?);
    }
    if let Some(values) = &mut output.values {
        values.end_number().map_err(|what| NoAnswer::at(line, what))?;
    }
    Ok(output)
}

fn verdict(word: &str) -> Result<Answer, String> {
    match word {
        "SAT" => Ok(Answer::Sat),
        "UNSAT" => Ok(Answer::Unsat),
        "INDET" => Ok(Answer::Unknown),
        _ => Err(format!("`{}` is not SAT, UNSAT or INDET", clean(word))),
    }
}
