//! Codes of literals: twice the variable, plus one if the literal is negated.

/// The code of a literal that is neither 0 nor without a negation.
pub(crate) fn code(literal: i32) -> u32 {
    2 * literal.unsigned_abs() + u32::from(literal < 0)
}

/// The literal of a code.
pub(crate) fn literal(code: u32) -> i64 {
    let variable = i64::from(code / 2);
    if code & 1 == 0 { variable } else { -variable }
}
