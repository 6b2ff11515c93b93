//! Verdict 3: the number of models of each solution.

use serde::Serialize;

use super::super::meaning::{Bounds, Meaning};
use crate::info::Auxiliaries;

/// The most steps for the count of one formula's models.
pub(super) const STEPS: u64 = 300_000;

/// The models of one formula, and the solutions that they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelCounts {
    /// The number of inputs, or of the board's rows.
    pub n: u32,
    /// Auxiliary variables.
    pub auxiliary: u32,
    /// Assignments of the primary variables that some model extends.
    pub solutions: u64,
    /// All models; missing where there are too many to be counted in time.
    pub models: Option<u128>,
    /// True if some solution is known to have several.
    pub several: bool,
}

impl ModelCounts {
    /// Counts models of size `n` by an enumeration within bounds. If they are too many, it finds only the solutions
    /// with several models, in at most `otherwise` steps.
    pub(super) fn of<T: Clone>(
        n: u32,
        otherwise: u64,
        enumerate: impl Fn(Bounds) -> Meaning<T>,
    ) -> (Self, Meaning<T>) {
        let all = Bounds { models: u128::MAX, steps: STEPS, wrong: u64::MAX, until_several: false };
        let counted = enumerate(all);
        let of = |meaning: &Meaning<T>| Self {
            n,
            auxiliary: meaning.auxiliary,
            solutions: meaning.allowed,
            models: None,
            several: meaning.first_several.is_some(),
        };
        if counted.finished {
            // At the largest number the count has stopped.
            let models = (counted.models < u128::MAX).then_some(counted.models);
            return (Self { models, ..of(&counted) }, counted);
        }
        let meaning = enumerate(Bounds { models: 2, steps: otherwise, ..all });
        let several = counted.first_several.or(meaning.first_several.clone()).is_some();
        let solutions = if meaning.finished { meaning.allowed } else { counted.allowed };
        (Self { solutions, several, ..of(&meaning) }, meaning)
    }
}

/// The kind of the auxiliary variables of these formulas.
pub(super) fn verdict(counts: &[ModelCounts]) -> Auxiliaries {
    if counts.iter().any(|count| count.several) {
        Auxiliaries::Free
    } else if counts.iter().any(|count| count.auxiliary > 0) {
        Auxiliaries::Defined
    } else {
        Auxiliaries::None
    }
}
