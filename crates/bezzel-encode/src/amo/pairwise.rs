//! The pairwise at-most-one: no two inputs hold. For at most k it is the binomial encoding.
//!
//! *Clauses.* ¬xᵢ ∨ ¬xⱼ for every pair i < j.
//!
//! *Size for n inputs.* No auxiliary variable, n(n − 1)/2 clauses, n(n − 1) literals.
//!
//! *At most k, 1 ≤ k < n.* A clause of negations for each k + 1 inputs: C(n, k + 1) clauses, (k + 1)·C(n, k + 1)
//! literals.
//!
//! *Propagation.* Complete: a true input falsifies every other one directly, and so do k true inputs.
//!
//! *Models.* No auxiliary variable, so the number of models is kept.
//!
//! *Source.* Folklore. J. D. Cook, "Solving the eight queens problem with a SAT solver", second
//! approach; H. Zantema, example of 2IW15, Eindhoven; X. Cao, CS517 project, 2020, ψ₁ to ψ₇.
//!
//! *Departures.* Zantema prints i + k = j + m for the second diagonal; i + j = k + m is meant. Cao's
//! ψ₃ runs k to n + d and ψ₆ to d − 1; n − d and n are meant. As printed, Zantema's formula has no
//! model at n = 6 and 7, and Cao's mentions squares outside the grid.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::bound::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Pairwise;

impl AtMostOne for Pairwise {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "pairwise".into(),
            aliases: vec!["binomial".into(), "naive".into()],
            title: "pairwise".into(),
            idea: "A clause for every two inputs: at least one of the two is false.".into(),
            citation: "folklore; Cook, second approach; Zantema; Cao 2020, ψ1–ψ7".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let pairs = pairs(n.into());
        Some(Size::binary(0, pairs))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        for (index, &first) in xs.iter().enumerate() {
            for &second in &xs[index + 1..] {
                out.clause(&[!first, !second]);
            }
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl AtMostK for Pairwise {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            title: "pairwise; binomial for k > 1".into(),
            idea: "A clause for every k + 1 literals: at least one of them is false.".into(),
            ..self.info()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let (n, length) = (u128::from(n), u128::from(k) + 1);
        let clauses = binomial(n, length);
        Some(Size::new(0, clauses, clauses.saturating_mul(length)))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let length = k as usize + 1;
        let mut places: Vec<usize> = (0..length).collect();
        let mut clause: Vec<Lit> = places.iter().map(|&place| !xs[place]).collect();
        loop {
            out.clause(&clause);
            // The next subset in lexicographic order.
            let last = |place: usize| xs.len() - length + place;
            let Some(first) = (0..length).rev().find(|&place| places[place] < last(place)) else {
                return;
            };
            let start = places[first] + 1;
            for (place, number) in (first..length).zip(start..) {
                places[place] = number;
                clause[place] = !xs[number];
            }
        }
    }
}

/// C(n, m) for n below 2⁶⁴, or [`Size::BOUND`] if it is larger than that.
fn binomial(n: u128, m: u128) -> u128 {
    // C(n, i) from C(n, i − 1). These grow up to the middle.
    let product = (1..=m.min(n - m)).try_fold(1_u128, |number, i| {
        // The quotient is exact: `number / i` and the rest are multiplied apart, so that only a large result overflows.
        let factor = n + 1 - i;
        let number = (number / i).checked_mul(factor)? + number % i * factor / i;
        (number < Size::BOUND).then_some(number)
    });
    product.unwrap_or(Size::BOUND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_of_clauses_are_exact_or_said_to_be_bounds() {
        let size = |n, k| Pairwise.at_most_size(n, k).unwrap();
        assert_eq!(size(100, 50).clauses, 98_913_082_887_808_032_681_188_722_800);
        assert_eq!(size(100, 50).literals, 51 * size(100, 50).clauses);
        assert_eq!(size(123, 60).clauses, 760_401_738_905_937_245_009_910_944_207_609_328);
        // C(124, 62) is larger than 2¹²⁰.
        for (n, k) in [(124, 61), (1_000, 500), (u64::MAX, u64::MAX / 2)] {
            assert_eq!(size(n, k).clauses, Size::BOUND, "at most {k} of {n}");
        }
    }
}
