//! The sink that checks the form of every clause.

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};

/// Stores the first clause that is not well-formed.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    /// True if a clause may name both literals of a variable.
    always_true_allowed: bool,
    made: u32,
    clauses: u64,
    sorted: Vec<Lit>,
    fault: Option<String>,
}

impl Inspector {
    /// An inspector that allows clauses that are always true, but no other fault.
    pub(super) fn allowing_always_true() -> Self {
        Self { always_true_allowed: true, ..Self::default() }
    }

    /// The fault of the first clause that is not well-formed.
    pub(super) fn finish(self) -> Result<(), String> {
        self.fault.map_or(Ok(()), Err)
    }

    fn fault_of(&mut self, lits: &[Lit]) -> Option<&'static str> {
        if lits.iter().any(|lit| lit.vidx32() >= self.made) {
            return Some("uses a variable that was not made");
        }
        // In sorted order, the two literals of one variable are neighbours.
        self.sorted.clear();
        self.sorted.extend_from_slice(lits);
        self.sorted.sort_unstable();
        self.sorted.windows(2).find_map(|pair| match pair {
            [first, second] if first == second => Some("repeats a literal"),
            [first, second] if first.var() == second.var() && !self.always_true_allowed => {
                Some("is always true")
            }
            _ => None,
        })
    }
}

impl ClauseSink for Inspector {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        if self.fault.is_none()
            && let Some(fault) = self.fault_of(lits)
        {
            let numbers: Vec<_> = lits.iter().map(|lit| lit.to_ipasir().to_string()).collect();
            let numbers = numbers.join(" ");
            self.fault = Some(format!("clause {}, `{numbers}`, {fault}", self.clauses));
        }
    }
}
