//! Verdict 3: how many models stand behind each solution.

use std::ops::ControlFlow;

use rustsat::types::Var;
use serde::Serialize;

use crate::card::Auxiliaries;
use crate::formula::Formula;
use crate::models;

/// So many steps may the count of one formula's models take.
const STEPS: u64 = 300_000;

/// The models of one formula, and the solutions that they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Models {
    /// The number of inputs, or of the board's rows.
    pub n: u32,
    /// Auxiliary variables.
    pub auxiliary: u32,
    /// Assignments of the primary variables that some model extends.
    pub solutions: u64,
    /// All models; missing where there are too many to be counted in time.
    pub models: Option<u128>,
    /// Whether some solution is known to have several.
    pub several: bool,
}

impl Models {
    /// Counts the models of a formula of size `n`.
    pub(super) fn of(formula: &Formula, primary: &[Var], n: u32) -> Self {
        let auxiliary = formula.variables().saturating_sub(primary.len() as u32);
        let mut counted = Self { n, auxiliary, ..Self::default() };
        let mut total = 0_u128;
        let end = models::each_within(formula, primary, u128::MAX, STEPS, |_, models| {
            counted.solutions += 1;
            counted.several |= models > 1;
            total = total.saturating_add(models);
            ControlFlow::<()>::Continue(())
        });
        if end.is_ok() {
            // At the very end of numbers the count has stopped.
            counted.models = (total < u128::MAX).then_some(total);
            return counted;
        }
        // Whether there are several is asked sooner than how many.
        let mut solutions = 0;
        let end = models::each_within(formula, primary, 2, STEPS, |_, models| {
            solutions += 1;
            counted.several |= models > 1;
            ControlFlow::<()>::Continue(())
        });
        counted.solutions = if end.is_ok() { solutions } else { counted.solutions };
        counted
    }
}

/// What these formulas show of their auxiliary variables.
pub(super) fn verdict(counts: &[Models]) -> Auxiliaries {
    if counts.iter().any(|count| count.several) {
        Auxiliaries::Free
    } else if counts.iter().any(|count| count.auxiliary > 0) {
        Auxiliaries::Defined
    } else {
        Auxiliaries::None
    }
}
