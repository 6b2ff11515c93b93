//! A step of a proof, and the two ways to write one.

use crate::limits::Budget;
use crate::refusal::Fault;

/// The notation of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Numbers in decimal, a line for each step.
    Text,
    /// A byte that names the kind of the step, and numbers of seven bits in each byte.
    Binary,
}

/// A step, in buffers that are used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// True if it deletes clauses.
    pub(crate) deletion: bool,
    /// The number of the clause that is added. Deletions have one in text, which is ignored.
    pub(crate) id: u64,
    /// The codes of the literals of the clause that is added.
    pub(crate) literals: Vec<u32>,
    /// The hints; the numbers of the clauses that are deleted.
    pub(crate) hints: Vec<i64>,
}

impl Step {
    pub(crate) fn clear(&mut self) {
        self.deletion = false;
        self.id = 0;
        self.literals.clear();
        self.hints.clear();
    }

    pub(crate) fn push_literal(&mut self, code: u32, budget: &mut Budget) -> Result<(), Fault> {
        budget.grow(&mut self.literals, 1)?;
        self.literals.push(code);
        Ok(())
    }

    pub(crate) fn push_hint(&mut self, hint: i64, budget: &mut Budget) -> Result<(), Fault> {
        budget.grow(&mut self.hints, 1)?;
        self.hints.push(hint);
        Ok(())
    }
}
