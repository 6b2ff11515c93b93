//! Proofs in binary, as CaDiCaL writes them.
//!
//! A step is the byte `a`, the clause's number, its literals, 0, its hints, 0; or the byte `d`, the numbers of the
//! clauses that are deleted, 0. A number x is written as 2·|x|, plus 1 if it is negative, in groups of seven bits, the
//! lowest first, with the highest bit of a byte set where another follows. This is the form in `lrattracer.cpp` of
//! CaDiCaL 3.0.1, for literals and clauses alike.

use std::io::Read;

use crate::limits::Budget;
use crate::refusal::{Fault, Reason};
use crate::source::Source;
use crate::step::Step;

/// Reads a step.
pub(crate) fn read<R: Read>(
    source: &mut Source<R>,
    step: &mut Step,
    budget: &mut Budget,
) -> Result<(), Fault> {
    step.deletion = match source.take()? {
        Some(b'a') => false,
        Some(b'd') => true,
        Some(byte) => {
            let expected = "`a` or `d`, with which a binary step begins,";
            return Err(Reason::Byte { byte, expected }.into());
        }
        None => return Err(Fault::Torn),
    };
    if !step.deletion {
        let id = signed(unsigned(source, "a number of a clause")?)?;
        step.id = u64::try_from(id).map_err(|_| Reason::Id(id))?;
        literals(source, step, budget)?;
    }
    loop {
        match unsigned(source, "a number of a clause")? {
            0 => return Ok(()),
            number => step.push_hint(signed(number)?, budget)?,
        }
    }
}

fn literals<R: Read>(
    source: &mut Source<R>,
    step: &mut Step,
    budget: &mut Budget,
) -> Result<(), Fault> {
    loop {
        match unsigned(source, "a literal")? {
            0 => return Ok(()),
            1 => return Err(Reason::LeadingZero.into()),
            // The coding of the file is that of this crate.
            number => {
                let code = u32::try_from(number);
                let code = code.map_err(|_| Reason::TooLarge { kind: "a literal" })?;
                step.push_literal(code, budget)?;
            }
        }
    }
}

fn signed(number: u64) -> Result<i64, Reason> {
    let value = (number >> 1) as i64;
    match number {
        1 => Err(Reason::LeadingZero),
        _ if number & 1 == 1 => Ok(-value),
        _ => Ok(value),
    }
}

/// A number of up to 64 bits.
#[inline]
fn unsigned<R: Read>(source: &mut Source<R>, kind: &'static str) -> Result<u64, Fault> {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let byte = source.take()?.ok_or(Fault::Torn)?;
        let group = u64::from(byte & 0x7f);
        if shift >= u64::BITS || group << shift >> shift != group {
            return Err(Reason::TooLarge { kind }.into());
        }
        value |= group << shift;
        if byte < 0x80 {
            return Ok(value);
        }
        shift += 7;
    }
}
