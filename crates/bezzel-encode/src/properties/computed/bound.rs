//! The verdicts on an at-most-k encoder, for one constraint on n literals with one k.

use std::ops::ControlFlow;

use serde::Serialize;

use super::gap::{self, GapSearchResult};
use super::subject::{CellSet, ExaminedFormula, PartialAssignment};
use crate::bound::{AtMostK, Limit};
use crate::formula::Formula;
use crate::info::{Auxiliaries, Propagation};
use crate::models;
use crate::sink::ClauseSink;

/// The computed properties of one constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoundProfile {
    /// The first assignment that is wrongly allowed or forbidden, a bit for each literal; none if there is none.
    pub wrong: Option<u32>,
    /// Complete: unit propagation finds every implied literal and every conflict. Refuting: it finds a conflict after
    /// every partial assignment that violates the constraint. Weak: it does not.
    pub propagation: Propagation,
    /// The effect of the auxiliary variables on the number of models.
    pub auxiliaries: Auxiliaries,
}

impl BoundProfile {
    /// Tries all 2ⁿ assignments and all 3ⁿ partial ones of `n` literals, at most 20.
    pub fn of(encoder: &dyn AtMostK, limit: Limit, n: u32, k: u64) -> Self {
        assert!(n <= 20, "{n} literals have too many assignments");
        let mut formula = Formula::new();
        let xs: Vec<_> = formula.fresh(n).lits().collect();
        limit.encode(encoder, &xs, k, &mut formula);
        let mut subject = ExaminedFormula::new(&formula, xs.chunks(1));
        let wrong = (0_u32..1 << n).find(|assignment| {
            let allowed = subject.allows(|cell| assignment >> cell & 1 == 1, u64::MAX >> 1);
            allowed != Ok(limit.allows(assignment.count_ones().into(), k))
        });
        let is_complete =
            gap::smallest(&mut subject, |given| implied(limit, given, n, k), usize::MAX)
                == GapSearchResult::Complete;
        let propagation = if is_complete {
            Propagation::Complete
        } else if is_refuting(&mut subject, limit, n, k) {
            Propagation::Refuting
        } else {
            Propagation::Weak
        };
        let primary: Vec<_> = xs.iter().map(|lit| lit.var()).collect();
        let several = models::each(&formula, &primary, 2, |_, models| {
            if models > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let auxiliaries = if several.is_break() {
            Auxiliaries::Free
        } else if formula.variables() > n {
            Auxiliaries::Defined
        } else {
            Auxiliaries::None
        };
        Self { wrong, propagation, auxiliaries }
    }
}

/// The least and the largest number of literals that may hold.
fn bounds(limit: Limit, n: u32, k: u64) -> (u32, u32) {
    let k = k.min(u64::from(n) + 1) as u32;
    match limit {
        Limit::AtMost => (0, k),
        Limit::AtLeast => (k, n),
        Limit::Exactly => (k, k),
    }
}

/// The literals that a partial assignment implies; none if it violates the constraint.
fn implied(limit: Limit, given: PartialAssignment, n: u32, k: u64) -> Option<PartialAssignment> {
    let (least, max) = bounds(limit, n, k);
    let (held, failed) = (given.on.count_ones(), given.off.count_ones());
    let all: CellSet = (1 << n) - 1;
    if held > max || n - failed < least {
        None
    } else if held == max {
        Some(PartialAssignment { off: all & !given.on, ..given })
    } else if n - failed == least {
        Some(PartialAssignment { on: all & !given.off, ..given })
    } else {
        Some(given)
    }
}

/// True if unit propagation finds a conflict after each of the smallest partial assignments that violate the
/// constraint.
fn is_refuting(subject: &mut ExaminedFormula, limit: Limit, n: u32, k: u64) -> bool {
    let (least, max) = bounds(limit, n, k);
    let mut subsets = |size: u32, given: fn(CellSet) -> PartialAssignment| {
        let of_size = (0..1 << n).filter(|cells: &CellSet| cells.count_ones() == size);
        of_size.map(given).all(|given| subject.propagate(given).is_none())
    };
    subsets(max + 1, |on| PartialAssignment { on, off: 0 })
        && (least == 0 || subsets(n + 1 - least.min(n + 1), |off| PartialAssignment { on: 0, off }))
}
