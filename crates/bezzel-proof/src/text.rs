//! Proofs in text, a line for each step: `id literals 0 hints 0` or `id d ids 0`.

use std::io::Read;

use crate::limits::Budget;
use crate::literal::code;
use crate::refusal::{Fault, Reason};
use crate::source::Source;
use crate::step::Step;

/// Passes over blanks, empty lines and comments to the next step. Returns true if there is one.
pub(crate) fn seek<R: Read>(source: &mut Source<R>, line: &mut u64) -> Result<bool, Fault> {
    loop {
        match source.peek()? {
            None => return Ok(false),
            Some(b' ' | b'\t' | b'\r') => {}
            Some(b'\n') => *line += 1,
            Some(b'c') => {
                while !matches!(source.peek()?, None | Some(b'\n')) {
                    source.take()?;
                }
                continue;
            }
            Some(_) => return Ok(true),
        }
        source.take()?;
    }
}

/// Reads a step up to the end of its line, which stays.
pub(crate) fn read<R: Read>(
    source: &mut Source<R>,
    step: &mut Step,
    budget: &mut Budget,
) -> Result<(), Fault> {
    let id = number(source, "a number of a clause", i64::MAX, "the number of a clause")?;
    // The number of a deletion is ignored; CaDiCaL writes 0 where no clause was added before.
    step.id = u64::try_from(id).map_err(|_| Reason::Id(id))?;
    blanks(source)?;
    if source.peek()? == Some(b'd') {
        source.take()?;
        step.deletion = true;
        if !matches!(source.peek()?, None | Some(b' ' | b'\t' | b'\r')) {
            return Err(unexpected(source, "a blank after `d`"));
        }
    }
    if !step.deletion {
        literals(source, step, budget)?;
    }
    hints(source, step, budget)?;
    blanks(source)?;
    match source.peek()? {
        None | Some(b'\n') => Ok(()),
        Some(_) => Err(unexpected(source, "the end of the line")),
    }
}

fn literals<R: Read>(
    source: &mut Source<R>,
    step: &mut Step,
    budget: &mut Budget,
) -> Result<(), Fault> {
    loop {
        let expected = "a literal, or 0 after the last";
        match number(source, "a literal", i64::from(i32::MAX), expected)? {
            0 => return Ok(()),
            // The largest value of a literal was checked.
            literal => step.push_literal(code(literal as i32), budget)?,
        }
    }
}

fn hints<R: Read>(
    source: &mut Source<R>,
    step: &mut Step,
    budget: &mut Budget,
) -> Result<(), Fault> {
    loop {
        let expected = "the number of a clause, or 0 after the last";
        match number(source, "a number of a clause", i64::MAX, expected)? {
            0 => return Ok(()),
            hint => step.push_hint(hint, budget)?,
        }
    }
}

fn blanks<R: Read>(source: &mut Source<R>) -> Result<(), Fault> {
    while let Some(b' ' | b'\t' | b'\r') = source.peek()? {
        source.take()?;
    }
    Ok(())
}

/// A number after blanks, before a blank, the end of the line or of the proof.
#[inline]
fn number<R: Read>(
    source: &mut Source<R>,
    kind: &'static str,
    max: i64,
    expected: &'static str,
) -> Result<i64, Fault> {
    blanks(source)?;
    let negative = source.peek()? == Some(b'-');
    if negative {
        source.take()?;
    }
    let Some(first @ b'0'..=b'9') = source.peek()? else {
        return Err(unexpected(source, expected));
    };
    source.take()?;
    let mut value = i64::from(first - b'0');
    while let Some(digit @ b'0'..=b'9') = source.peek()? {
        if value == 0 {
            return Err(Reason::LeadingZero.into());
        }
        source.take()?;
        let more = value.checked_mul(10).and_then(|v| v.checked_add(i64::from(digit - b'0')));
        value = more.ok_or(Reason::TooLarge { kind })?;
    }
    if value > max {
        return Err(Reason::TooLarge { kind }.into());
    }
    if negative && value == 0 {
        return Err(Reason::LeadingZero.into());
    }
    match source.peek()? {
        None | Some(b' ' | b'\t' | b'\r' | b'\n') => Ok(if negative { -value } else { value }),
        Some(_) => Err(unexpected(source, "a blank after the number")),
    }
}

/// The fault at the next byte, where `expected` was expected.
#[cold]
fn unexpected<R: Read>(source: &mut Source<R>, expected: &'static str) -> Fault {
    match source.peek() {
        Err(error) => error.into(),
        Ok(None) => Fault::Torn,
        Ok(Some(b'\n')) => Reason::LineEnds { expected }.into(),
        Ok(Some(byte)) => Reason::Byte { byte, expected }.into(),
    }
}
