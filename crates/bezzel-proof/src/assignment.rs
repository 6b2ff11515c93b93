//! Which literals are false. A literal's code is twice its variable, plus one if it is negated.

use crate::limits::Budget;
use crate::refusal::Cause;

/// The code of a literal that is neither 0 nor without a negation.
pub(crate) fn code(literal: i32) -> u32 {
    2 * literal.unsigned_abs() + u32::from(literal < 0)
}

/// The literal of a code.
pub(crate) fn literal(code: u32) -> i64 {
    let variable = i64::from(code / 2);
    if code & 1 == 0 { variable } else { -variable }
}

/// The literals that are false, and in which order they became so.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    falsified: Vec<bool>,
    trail: Vec<u32>,
}

impl Assignment {
    /// Makes room for a literal's variable.
    #[inline]
    pub(crate) fn hold(&mut self, code: u32, budget: &mut Budget) -> Result<(), Cause> {
        let length = (code | 1) as usize + 1;
        if length > self.falsified.len() {
            let more = length - self.falsified.len();
            budget.grow(&mut self.falsified, more)?;
            self.falsified.resize(length, false);
            // No variable is on the trail twice, so that it never grows in a step.
            let more = (length / 2).saturating_sub(self.trail.len());
            budget.grow(&mut self.trail, more)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn is_false(&self, code: u32) -> bool {
        self.falsified[code as usize]
    }

    #[inline]
    pub(crate) fn is_true(&self, code: u32) -> bool {
        self.falsified[(code ^ 1) as usize]
    }

    /// Makes a literal false, unless it is.
    #[inline]
    pub(crate) fn falsify(&mut self, code: u32) {
        let falsified = &mut self.falsified[code as usize];
        if !*falsified {
            *falsified = true;
            self.trail.push(code);
        }
    }

    /// The literal that became false after so many others.
    #[inline]
    pub(crate) fn nth(&self, index: usize) -> Option<u32> {
        self.trail.get(index).copied()
    }

    /// How many literals are false.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back what became false since there were so many.
    pub(crate) fn back_to(&mut self, mark: usize) {
        for code in self.trail.drain(mark..) {
            self.falsified[code as usize] = false;
        }
    }
}
