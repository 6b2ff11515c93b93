//! The smallest formulas for at most six literals that a search has found.
//!
//! *Idea.* For few literals the fewest clauses are found by a search among formulas, and not by a design. The page
//! `docs/smallest.md` states which of them are proved to be smallest.
//!
//! *Clauses.* [`FOUND`] lists the formulas for n ≤ 6 that have fewer clauses than pairwise. All other bounds of up to six
//! literals have the clauses of [`pairwise`](crate::amo::pairwise), longer groups those of
//! [`sequential-counter:knuth`](super::knuth_counter).
//!
//! *Size for 1 ≤ k < n.* For n ≤ 6 that of the formula found. For n > 6: k(n − k) auxiliary variables,
//! k(n − k − 1) + (k + 1)(n − k) clauses, and 2k(n − k − 1) + (3k + 1)(n − k) literals.
//!
//! *Propagation.* Refuting: 3 of 6 and 4 of 6 miss implied literals, all others are complete. *Models.* Free: several
//! values of the auxiliary variables extend an assignment.
//!
//! *Source.* Found by the program `crates/bezzel-experiment/examples/smallest.rs`, which writes `docs/smallest.md`; for
//! longer groups Knuth, as there. *Departures.* None.

use rustsat::types::Lit;

use super::AtMostK;
use super::knuth_counter::KnuthCounter;
use crate::amo::pairwise::Pairwise;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Smallest;

/// A formula for at most k of n inputs. The inputs are 1 to n; the auxiliary variables follow.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The inputs.
    pub n: u64,
    /// The bound.
    pub k: u64,
    /// The number of auxiliary variables.
    pub auxiliaries: u32,
    /// The literals of each clause, as in DIMACS.
    pub clauses: &'static [&'static [i8]],
}

/// The formulas with fewer clauses than pairwise.
pub const FOUND: [Found; 6] = [
    Found {
        n: 5,
        k: 1,
        auxiliaries: 1,
        clauses: &[
            &[-1, -2],
            &[-1, -3],
            &[-1, 6],
            &[-2, -3],
            &[-2, 6],
            &[-3, 6],
            &[-4, -5],
            &[-4, -6],
            &[-5, -6],
        ],
    },
    Found {
        n: 5,
        k: 2,
        auxiliaries: 1,
        clauses: &[
            &[-1, -2, -3, 6],
            &[-1, -2, -6],
            &[-1, -3, -6],
            &[-1, -4, -5, -6],
            &[-2, -3, -6],
            &[-2, -4, -5],
            &[-3, -4, -5, -6],
            &[-4, 6],
            &[-5, 6],
        ],
    },
    Found {
        n: 6,
        k: 1,
        auxiliaries: 1,
        clauses: &[
            &[-1, -2, 7],
            &[-1, -3, 7],
            &[-1, -7],
            &[-2, -3, 7],
            &[-2, -7],
            &[-3, -7],
            &[-4, -5, -7],
            &[-4, -6],
            &[-4, 7],
            &[-5, -6, -7],
            &[-5, 7],
            &[-6, 7],
        ],
    },
    Found {
        n: 6,
        k: 2,
        auxiliaries: 2,
        clauses: &[
            &[-1, -2, -3, 7],
            &[-1, -2, -7],
            &[-1, -3, -7],
            &[-1, 8],
            &[-2, -3, -7, -8],
            &[-2, 8],
            &[-3, 8],
            &[-4, -5, -7],
            &[-4, -6, -7, -8],
            &[-4, 7, -8],
            &[-5, -6, -8],
            &[-5, 7, -8],
            &[-6, 7],
        ],
    },
    Found {
        n: 6,
        k: 3,
        auxiliaries: 2,
        clauses: &[
            &[-1, -2, 7],
            &[-1, -3, 8],
            &[-1, -4, -7, -8],
            &[-2, -5, -7, -8],
            &[-2, -6, 8],
            &[-3, -5, 7, -8],
            &[-3, -6, -7, -8],
            &[-4, -5, 8],
            &[-4, -6, 7],
        ],
    },
    Found {
        n: 6,
        k: 4,
        auxiliaries: 1,
        clauses: &[
            &[-1, -2, -3, 7],
            &[-1, -2, -4, -5, -7],
            &[-1, -3, -4, -6, -7],
            &[-2, -3, -5, -6, -7],
            &[-4, -5, -6, 7],
        ],
    },
];

impl Found {
    /// The formula for a constraint; none if there is none with fewer clauses than pairwise.
    fn of(n: u64, k: u64) -> Option<&'static Self> {
        FOUND.iter().find(|found| (found.n, found.k) == (n, k))
    }
}

/// The encoder of `n` literals without a formula found.
fn other(n: u64) -> &'static dyn AtMostK {
    if n > 6 { &KnuthCounter } else { &Pairwise }
}

impl AtMostK for Smallest {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "smallest".into(),
            title: "smallest formulas found".into(),
            idea:
                "Up to six literals have the fewest clauses that a SAT solver found, longer groups \
                   those of Knuth's sequential counter."
                    .into(),
            citation: "found by search; Knuth, TAOCP 7.2.2.2".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn propagation_of_one(&self) -> Propagation {
        Propagation::Complete
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let Some(found) = Found::of(n, k) else { return other(n).at_most_size(n, k) };
        let literals: usize = found.clauses.iter().map(|clause| clause.len()).sum();
        Some(Size::new(found.auxiliaries.into(), found.clauses.len() as u128, literals as u128))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let Some(found) = Found::of(xs.len() as u64, k) else {
            return other(xs.len() as u64).at_most(xs, k, out);
        };
        let others = out.fresh(found.auxiliaries);
        let variables: Vec<Lit> = xs.iter().copied().chain(others.lits()).collect();
        let mut clause = Vec::new();
        for numbers in found.clauses {
            clause.clear();
            clause.extend(numbers.iter().map(|&number| {
                let lit = variables[usize::from(number.unsigned_abs()) - 1];
                if number > 0 { lit } else { !lit }
            }));
            out.clause(&clause);
        }
    }
}
