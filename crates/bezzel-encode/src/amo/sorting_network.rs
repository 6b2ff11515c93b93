//! The sorting network at-most-one: sort the inputs, and let the second output be false.
//!
//! *Idea.* Batcher's odd-even merge sort of truth values, the true ones first. Of n sorted values at
//! most one is true if the second is false.
//!
//! *Clauses* of a comparator of a and b with outputs h (the greater) and l (the smaller): a → h,
//! b → h, a ∧ b → l; the variant `+defined` adds h → a ∨ b, l → a and l → b. At the end ¬o₂.
//!
//! *The network* for any n: sort the first ⌈n/2⌉ and the last ⌊n/2⌋, then merge. Two sorted sequences are merged by
//! merging their elements at odd places to v, those at even places to w, and comparing wᵢ with vᵢ₊₁ wherever there are
//! both; single elements are compared at once, and a sequence that is merged with an empty one stays unchanged.
//!
//! *Size for n ≥ 2 inputs*, with C(n) comparators: 2·C(n) auxiliary variables, 3·C(n) + 1 clauses,
//! 7·C(n) + 1 literals; `+defined`: 6·C(n) + 1 and 14·C(n) + 1. C(n) = C(⌈n/2⌉) + C(⌊n/2⌋) + M(n)
//! and C(1) = 0, where merging the halves takes M(2m) = D(m) + 1 comparators and
//! M(2m + 1) = M(2⌊m/2⌋ + 1) + D(⌈m/2⌉) + 1 + m, M(1) = 0, with D(m) = m·(⌈log₂ m⌉ + 1) − 2^⌈log₂ m⌉. For
//! n = 2^k, k ≥ 1: C(n) = (k² − k + 4)·2^(k−2) − 1. C(2) to C(8) are 1, 3, 5, 9, 12, 16, 19.
//!
//! *At most k, 1 ≤ k < n.* The same network and ¬oₖ₊₁. With `+defined`, exactly k adds oₖ to it.
//!
//! *Propagation.* Complete: a true input propagates to the first output, and the false second output propagates back
//! along all other paths.
//!
//! *Models.* Half comparators leave their outputs free, even where an input is stated to hold: a smaller output may
//! hold that no clause makes hold. `+defined`: determined.
//!
//! *Source.* K. E. Batcher, "Sorting Networks and Their Applications", AFIPS 1968. D. E. Knuth, "The Art of Computer
//! Programming", volume 3, section 5.3.4, for any n. As clauses: N. Eén, N. Sörensson, "Translating Pseudo-Boolean
//! Constraints into SAT", JSAT 2 (2006), 1–26, which states half the clauses where half suffice.
//!
//! *Departures.* No inputs are added to make n a power of two. Outputs that no clause reads keep their variables and
//! clauses. The first output, true if an input holds, is not used.

use rustsat::types::Lit;

use super::AtMostOne;
use super::comparator::Comparator;
use crate::bound::{self, AtMostK};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, depths, tree};

/// See the [module](self).
#[derive(Clone, Copy, Debug, Default)]
pub struct SortingNetwork {
    /// True if comparators state both directions.
    pub defined: bool,
}

impl SortingNetwork {
    fn comparator(self) -> Comparator {
        if self.defined { Comparator::Full } else { Comparator::Half }
    }
}

impl AtMostOne for SortingNetwork {
    fn info(&self) -> EncodingInfo {
        let (id, title) = if self.defined {
            ("sorting-network+defined", "sorting network, defined")
        } else {
            ("sorting-network", "sorting network")
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: "A network of comparators sorts the inputs, true ones first. The second output \
                   is false."
                .into(),
            citation: "Batcher, AFIPS 1968; Eén, Sörensson, JSAT 2006".into(),
            propagation: Propagation::Complete,
            auxiliaries: if self.defined { Auxiliaries::Defined } else { Auxiliaries::Free },
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Some(if n < 2 {
            Size::default()
        } else {
            self.comparator().size() * comparators(n) + Size::new(0, 1, 1)
        })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() > 1 {
            self.at_most(xs, 1, out);
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl AtMostK for SortingNetwork {
    fn about(&self) -> EncodingInfo {
        let directions = if self.defined {
            " The clauses state both directions, so that the literals determine all variables."
        } else {
            ""
        };
        EncodingInfo {
            idea: format!(
                "A network of comparators sorts the literals, true ones first. Output k + 1 is \
                 false.{directions}"
            ),
            ..self.info()
        }
    }

    fn at_most_size(&self, n: u64, _k: u64) -> Option<Size> {
        self.size(n)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let comparator = self.comparator();
        let sorted = sort(xs, &mut |pair| comparator.encode(pair, out));
        // ¬oₖ₊₁
        out.clause(&[!sorted[k as usize]]);
    }

    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        if self.defined {
            return Some(self.size(n)? + Size::new(0, 1, 1));
        }
        bound::both_size(self, n, k)
    }

    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        if !self.defined {
            return bound::both(self, xs, k, out);
        }
        let comparator = self.comparator();
        let sorted = sort(xs, &mut |pair| comparator.encode(pair, out));
        // oₖ, ¬oₖ₊₁
        out.clause(&[sorted[k as usize - 1]]);
        out.clause(&[!sorted[k as usize]]);
    }
}

/// Sorts by comparing, the greater first.
pub(super) fn sort<T: Copy>(xs: &[T], compare: &mut impl FnMut([T; 2]) -> [T; 2]) -> Vec<T> {
    if xs.len() < 2 {
        return xs.to_vec();
    }
    let (first, last) = xs.split_at(xs.len().div_ceil(2));
    let (first, last) = (sort(first, compare), sort(last, compare));
    merge(&first, &last, compare)
}

/// Merges two sorted sequences by comparing.
pub(crate) fn merge<T: Copy>(
    a: &[T],
    b: &[T],
    compare: &mut impl FnMut([T; 2]) -> [T; 2],
) -> Vec<T> {
    match (a, b) {
        ([], rest) | (rest, []) => return rest.to_vec(),
        (&[a], &[b]) => return compare([a, b]).to_vec(),
        _ => {}
    }
    let every_second =
        |xs: &[T], from: usize| -> Vec<T> { xs.iter().skip(from).step_by(2).copied().collect() };
    let v = merge(&every_second(a, 0), &every_second(b, 0), compare);
    let w = merge(&every_second(a, 1), &every_second(b, 1), compare);
    let mut merged = vec![v[0]];
    for (&w, &v) in w.iter().zip(&v[1..]) {
        merged.extend(compare([w, v]));
    }
    // One of them is at an end; the rest of the other one comes last.
    let compared = w.len().min(v.len() - 1);
    merged.extend(&w[compared..]);
    merged.extend(&v[1 + compared..]);
    merged
}

/// C(n): the comparators that sort `n` values.
pub(super) fn comparators(n: u64) -> u128 {
    tree(n, merging)
}

/// M(n): the comparators that merge the two sorted halves of `n` values.
fn merging(n: u64) -> u128 {
    if n.is_multiple_of(2) {
        return depths(n / 2) + 1;
    }
    let mut sum = 0;
    let mut m = n / 2;
    while m > 0 {
        sum += depths(m.div_ceil(2)) + 1 + u128::from(m);
        m /= 2;
    }
    sum
}

/// The comparators that merge sorted sequences of a and b values, by Knuth's recursion.
pub(crate) fn merge_comparators(a: u64, b: u64) -> u128 {
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (1, 1) => 1,
        _ => {
            let odd = merge_comparators(a.div_ceil(2), b.div_ceil(2));
            odd + merge_comparators(a / 2, b / 2) + u128::from((a + b - 1) / 2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_sorts_all_truth_values_and_takes_the_comparators_stated() {
        for n in 0_u32..=12 {
            for code in 0_u32..1 << n {
                let values: Vec<bool> = (0..n).map(|place| code >> place & 1 == 1).collect();
                let mut compared = 0;
                let sorted = sort(&values, &mut |[a, b]| {
                    compared += 1;
                    [a || b, a && b]
                });
                let held = code.count_ones() as usize;
                let expected: Vec<bool> = (0..n as usize).map(|place| place < held).collect();
                assert_eq!(sorted, expected, "{values:?}");
                assert_eq!(compared, comparators(u64::from(n)), "n = {n}");
            }
        }
    }

    #[test]
    fn comparators_are_those_of_knuths_recursion() {
        let mut sorting = vec![0, 0];
        for n in 2_usize..=1100 {
            let (first, last) = (n.div_ceil(2), n / 2);
            let sum = sorting[first] + sorting[last] + merge_comparators(first as u64, last as u64);
            sorting.push(sum);
            assert_eq!(comparators(n as u64), sum, "n = {n}");
        }
    }

    #[test]
    fn powers_of_two_have_their_closed_form() {
        for k in 1_u32..40 {
            let power = 1_u128 << k;
            let k = u128::from(k);
            assert_eq!(comparators(power as u64), (k * k - k + 4) * power / 4 - 1, "k = {k}");
        }
    }
}
