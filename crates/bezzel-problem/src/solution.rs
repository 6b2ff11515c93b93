//! Solutions: the chosen candidates.

use crate::literal::{Candidate, Literal};

/// The candidates that are chosen, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Solution {
    chosen: Vec<Candidate>,
}

impl Solution {
    /// The chosen candidates, in ascending order.
    pub fn chosen(&self) -> &[Candidate] {
        &self.chosen
    }

    /// True if the candidate is chosen.
    pub fn chooses(&self, candidate: Candidate) -> bool {
        self.chosen.binary_search(&candidate).is_ok()
    }

    /// True if the literal holds.
    pub fn satisfies(&self, literal: Literal) -> bool {
        self.chooses(literal.candidate()) != literal.is_negated()
    }
}

impl FromIterator<Candidate> for Solution {
    fn from_iter<I: IntoIterator<Item = Candidate>>(candidates: I) -> Self {
        let mut chosen: Vec<_> = candidates.into_iter().collect();
        chosen.sort_unstable();
        chosen.dedup();
        Self { chosen }
    }
}
