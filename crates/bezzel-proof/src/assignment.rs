//! The literals that are false.

use crate::limits::Budget;
use crate::refusal::Cause;

/// The literals that are false, in the order in which they became so.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    falsified: Vec<bool>,
    trail: Vec<u32>,
}

impl Assignment {
    /// Grows the arrays for the variable of a literal.
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

    /// The number of literals that are false.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Removes the literals that became false after this mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        for code in self.trail.drain(mark..) {
            self.falsified[code as usize] = false;
        }
    }
}
