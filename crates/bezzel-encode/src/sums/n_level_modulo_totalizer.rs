//! The n-level modulo totalizer: sums of weights are numbers of n digits to one modulus, and each digit is unary.
//!
//! *Idea.* A binary tree over the literals, sorted from the heaviest to the lightest. A node has the weight of the
//! literals below it that hold, as n digits. A digit has an output for each value that weights below the node can give
//! it. Where two digits and the carry into them reach the modulus, there is a carry to the next digit. The last digit
//! has no modulus, and its sums above that of the bound are excluded.
//!
//! *Clauses* of a node above children with digits a and b, for values i and j of them or 0, and for the carry c into the
//! digit or none, not all 0: with v = i + j, or i + j + 1 with the carry, aᵢ ∧ bⱼ ∧ c → rᵥ ∨ c′ if v is below the
//! modulus p, and else aᵢ ∧ bⱼ ∧ c → c′ and, if v > p, aᵢ ∧ bⱼ ∧ c → rᵥ₋ₚ. Without a carry c′ out of the digit, → rᵥ. In
//! the last digit there is no c′, and v above the digit of the bound is a conflict. A digit that one child alone has,
//! with no carry into it, is that of the child. At the root, for each value of a digit above that of the bound: it is
//! false, or a higher digit of the bound that is not 0 is.
//!
//! *The modulus* is ⌈(b + 1)^(1/n)⌉, at least 2, with the least n that has this modulus. That with the fewest clauses is
//! taken, and the least of these.
//!
//! *Size.* A variable for each output and carry. It is counted by the walk that writes the clauses.
//!
//! *Propagation of ≤.* Weak: a carry may make up for an output. Not even all literals together refute a sum above the
//! bound by unit propagation. *Models.* Free.
//!
//! *Source.* A. Zha, M. Koshimura, H. Fujita, "N-Level Modulo-Based CNF Encodings of Pseudo-Boolean Constraints for
//! MaxSAT", Constraints 24 (2019), 133–161. The carry: T. Ogawa, Y. Liu, R. Hasegawa, M. Koshimura, H. Fujita, "Modulo
//! Based CNF Encoding of Cardinality Constraints and Its Application to MaxSAT Solvers", ICTAI 2013.
//!
//! *Departures.* It is rebuilt from the idea and from the modulo totalizer of counts. The paper has a heuristic for the
//! moduli; here there is one modulus. Sums above the bound are excluded where they appear in the last digit.

use rustsat::types::Lit;

use super::MAX_CLAUSES;
use super::walk::{Walk, counted_below, write};
use crate::bound::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct NLevelModuloTotalizer;

/// The values of a digit that are not 0, ascending, with their outputs.
type Digit = Vec<(u64, Lit)>;

/// The modulus, and the digits of the bound from the lowest on.
struct Levels {
    modulus: u64,
    bound: Vec<u64>,
}

impl Levels {
    /// n digits.
    fn new(n: usize, bound: u64) -> Self {
        let modulus = root(bound, n as u32).max(2);
        Self { modulus, bound: digits(bound, modulus, n) }
    }

    fn leaf(&self, x: Lit, weight: u64) -> Vec<Digit> {
        let digits = digits(weight, self.modulus, self.bound.len());
        digits.into_iter().map(|digit| if digit > 0 { vec![(digit, x)] } else { vec![] }).collect()
    }

    fn node(&self, terms: &[(Lit, u64)], walk: &mut Walk<'_>) -> Option<Vec<Digit>> {
        if let &[(x, weight)] = terms {
            return Some(self.leaf(x, weight));
        }
        let (left, right) = terms.split_at(terms.len().div_ceil(2));
        let (left, right) = (self.node(left, walk)?, self.node(right, walk)?);
        let mut carry = None;
        let mut sum = Vec::with_capacity(self.bound.len());
        for (level, (a, b)) in left.into_iter().zip(right).enumerate() {
            if carry.is_none() && (a.is_empty() || b.is_empty()) {
                sum.push([a, b].concat());
                continue;
            }
            // Each pair makes a clause at least.
            if (a.len() as u128 + 1) * (b.len() as u128 + 1) > walk.room() + 1 {
                return None;
            }
            let digit;
            (digit, carry) = self.add(level, &a, &b, carry, walk);
            sum.push(digit);
        }
        walk.check()?;
        Some(sum)
    }

    /// The sum of two digits, and the carry out of it.
    fn add(
        &self,
        level: usize,
        a: &Digit,
        b: &Digit,
        carry: Option<Lit>,
        walk: &mut Walk<'_>,
    ) -> (Digit, Option<Lit>) {
        let is_last = level + 1 == self.bound.len();
        // From here on a value is reduced, or in the last digit excluded.
        let end = if is_last { self.bound[level] + 1 } else { self.modulus };
        let with_zero = |digit: &Digit| -> Vec<(u64, Option<Lit>)> {
            let values = digit.iter().map(|&(value, lit)| (value, Some(lit)));
            std::iter::once((0, None)).chain(values).collect()
        };
        let (a, b) = (with_zero(a), with_zero(b));
        let carries = [(0, None), (1, carry)];
        let carries = &carries[..=usize::from(carry.is_some())];
        let terms = || {
            a.iter().flat_map(|&one| {
                let b = &b;
                b.iter().flat_map(move |&two| carries.iter().map(move |&three| [one, two, three]))
            })
        };
        let value = |terms: [(u64, Option<Lit>); 3]| terms.iter().map(|(value, _)| value).sum();
        let mut values: Vec<u64> = terms().map(value).collect();
        let is_carried = !is_last && values.iter().any(|value| *value >= end);
        if is_last {
            values.retain(|value| *value < end);
        }
        for value in &mut values {
            *value %= end;
        }
        values.sort_unstable();
        values.dedup();
        // The least value is 0, which has no output.
        let made = walk.fresh_lits(values.len() - 1);
        let digit: Digit = values.into_iter().skip(1).zip(made).collect();
        let carry = is_carried.then(|| walk.fresh_lits(1)[0]);
        let output = |value: u64| {
            let place = digit.binary_search_by_key(&value, |(value, _)| *value);
            digit[place.expect("all values have outputs")].1
        };
        let mut clause = Vec::with_capacity(5);
        for terms in terms().skip(1) {
            let value: u64 = value(terms);
            let mut state = |heads: &[Option<Lit>]| {
                clause.clear();
                clause.extend(terms.iter().filter_map(|(_, lit)| lit.map(|lit| !lit)));
                clause.extend(heads.iter().flatten());
                walk.clause(&clause);
            };
            if value < end {
                state(&[Some(output(value)), carry]);
                continue;
            }
            state(&[carry]);
            if !is_last && value > end {
                state(&[Some(output(value - end))]);
            }
        }
        (digit, carry)
    }

    /// The number at the root is at most the bound.
    fn compare(&self, root: &[Digit], walk: &mut Walk<'_>) {
        // The higher digits of the bound.
        let mut above: Vec<Lit> = Vec::new();
        for (digit, bound) in root.iter().zip(&self.bound).rev() {
            for &(_, output) in digit.iter().filter(|(value, _)| value > bound) {
                let clause: Vec<Lit> = above.iter().copied().chain([!output]).collect();
                walk.clause(&clause);
            }
            if *bound > 0 {
                // A number without this digit of the bound, and none above it, is smaller.
                let Some(&(_, equal)) = digit.iter().find(|(value, _)| value == bound) else {
                    return;
                };
                above.push(!equal);
            }
        }
    }

    fn build(&self, terms: &[(Lit, u64)], walk: &mut Walk<'_>) -> Option<()> {
        let root = self.node(terms, walk)?;
        self.compare(&root, walk);
        Some(())
    }
}

/// The least p with pⁿ > number.
fn root(number: u64, n: u32) -> u64 {
    let is_above = |p: u64| u128::from(p).checked_pow(n).is_none_or(|power| power > number.into());
    let (mut low, mut high) = (1, number.saturating_add(1));
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if is_above(middle) { (low, middle) } else { (middle + 1, high) };
    }
    low
}

/// The n digits of a number. The last has the rest of it.
fn digits(mut number: u64, modulus: u64, n: usize) -> Vec<u64> {
    let mut digits: Vec<u64> = Vec::with_capacity(n);
    for _ in 1..n {
        digits.push(number % modulus);
        number /= modulus;
    }
    digits.push(number);
    digits
}

/// The terms, the heaviest first; those of one weight keep their order.
fn heaviest_first(xs: &[Lit], weights: &[u64]) -> Vec<(Lit, u64)> {
    let mut terms: Vec<(Lit, u64)> = xs.iter().copied().zip(weights.iter().copied()).collect();
    terms.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
    terms
}

/// The levels with the fewest clauses, and their size; none if all have too many.
fn best(weights: &[u64], bound: u64) -> Option<(Levels, Size)> {
    let mut all: Vec<Levels> =
        (1..=bound.ilog2() as usize + 1).map(|n| Levels::new(n, bound)).collect();
    all.dedup_by_key(|levels| levels.modulus);
    let mut best: Option<(Levels, Size)> = None;
    for levels in all.into_iter().rev() {
        let most = best.as_ref().map_or(MAX_CLAUSES, |(_, size)| size.clauses - 1);
        let size = counted_below(0, most, |_, walk| {
            let any = vec![Lit::positive(0); weights.len()];
            levels.build(&heaviest_first(&any, weights), walk)
        });
        best = size.map(|size| (levels, size)).or(best);
    }
    best
}

impl AtMostSum for NLevelModuloTotalizer {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "n-level-modulo-totalizer".into(),
            title: "n-level modulo totalizer".into(),
            idea: "A binary tree over the literals. Each node has the weight of the true literals below \
                   it as digits to one modulus, with an output for each possible value of a digit."
                .into(),
            citation: "after Zha, Koshimura, Fujita, Constraints 2019".into(),
            propagation: Propagation::Weak,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        best(weights, bound).map(|(_, size)| size)
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let (levels, _) = best(weights, bound).expect("the size accepts the sum");
        write(out, |walk| levels.build(&heaviest_first(xs, weights), walk));
    }
}
