//! The adder: the literals that hold are counted in binary, and the number is compared with k.
//!
//! *Idea.* A full adder takes three bits of one weight to their sum and a carry of twice the weight; a half adder takes
//! two. Of each weight they add until one bit is left. These bits are the number of literals that hold.
//!
//! *Clauses.* Adders are defined in both directions. Full adder of a, b and c: eight clauses s ↔ a ⊕ b ⊕ c, six
//! clauses for the carry ↔ at least two of a, b and c. Half adder of a and b: four clauses s ↔ a ⊕ b, three clauses for
//! the carry ↔ a ∧ b. Bits of one weight are added in the order in which they were made, the first three first.
//! For each bit that is 0 in k: it is false, or a higher bit that is 1 in k is.
//!
//! *Size for 1 ≤ k < n.* cᵢ = ⌊n/2ⁱ⌋ bits of weight 2ⁱ are added by ⌊(cᵢ − 1)/2⌋ full adders, and by one half adder if
//! cᵢ is even and not 0. A full adder has 2 variables, 14 clauses and 50 literals; a half adder 2 variables, 7 clauses
//! and 19 literals. The comparison has a clause for each 0 among the ⌊log₂ n⌋ + 1 bits of k, with one literal and one
//! more for each 1 above it.
//!
//! *Propagation.* Weak. *Models.* Defined: the literals determine all bits.
//!
//! *Source.* C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints", CP 2005, section 3, the
//! parallel counter. N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006), 1–26,
//! section 5.1, the order of the adders.
//!
//! *Departures.* Sinz states one direction of each adder, which leaves bits free.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Adder;

const FULL: Size = Size::new(2, 14, 50);
const HALF: Size = Size::new(2, 7, 19);

impl AtMostK for Adder {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "adder".into(),
            aliases: vec!["parallel-counter".into()],
            title: "adder".into(),
            idea: "Full and half adders compute the number of true literals in binary. A \
                   comparator states that it is at most k."
                .into(),
            citation: "Sinz, CP 2005, section 3; Eén, Sörensson, JSAT 2006, section 5.1".into(),
            propagation: Propagation::Weak,
            auxiliaries: Auxiliaries::Defined,
            ..EncodingInfo::default()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let mut size = Size::default();
        let mut ones = u128::from(k.count_ones());
        for weight in 0..=n.ilog2() {
            let bits = u128::from(n >> weight);
            size += FULL * ((bits - 1) / 2) + HALF * (1 - bits % 2);
            if k >> weight & 1 == 1 {
                ones -= 1;
            } else {
                size += Size::new(0, 1, 1 + ones);
            }
        }
        Some(size)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let mut bits: VecDeque<Lit> = xs.iter().copied().collect();
        let mut number = Vec::new();
        while !bits.is_empty() {
            let mut carries = VecDeque::with_capacity(bits.len() / 2);
            while let Some(a) = bits.pop_front() {
                let Some(b) = bits.pop_front() else {
                    number.push(a);
                    break;
                };
                let c = bits.pop_front();
                let [sum, carry] = add(a, b, c, out);
                bits.push_back(sum);
                carries.push_back(carry);
            }
            bits = carries;
        }
        // A false bit of k: not this bit and all true bits above it.
        let mut clause = Vec::with_capacity(number.len());
        for (weight, &bit) in number.iter().enumerate() {
            if k >> weight & 1 == 0 {
                clause.clear();
                clause.push(!bit);
                let above = (weight + 1..).zip(&number[weight + 1..]);
                clause
                    .extend(above.filter(|(weight, _)| k >> weight & 1 == 1).map(|(_, &bit)| !bit));
                out.clause(&clause);
            }
        }
    }
}

/// The sum and the carry of two or three bits.
fn add(a: Lit, b: Lit, c: Option<Lit>, out: &mut dyn ClauseSink) -> [Lit; 2] {
    let made = out.fresh(2);
    let (sum, carry) = (made.lit(0), made.lit(1));
    let Some(c) = c else {
        // sum ↔ a ⊕ b
        out.clause(&[!a, !b, !sum]);
        out.clause(&[!a, b, sum]);
        out.clause(&[a, !b, sum]);
        out.clause(&[a, b, !sum]);
        // carry ↔ a ∧ b
        out.clause(&[!a, !b, carry]);
        out.clause(&[a, !carry]);
        out.clause(&[b, !carry]);
        return [sum, carry];
    };
    // sum ↔ a ⊕ b ⊕ c
    for [a, b, c] in [[a, b, c], [a, !b, !c], [!a, b, !c], [!a, !b, c]] {
        out.clause(&[a, b, c, !sum]);
        out.clause(&[!a, !b, !c, sum]);
    }
    // carry ↔ at least two of a, b and c
    for [a, b] in [[a, b], [a, c], [b, c]] {
        out.clause(&[!a, !b, carry]);
        out.clause(&[a, b, !carry]);
    }
    [sum, carry]
}
