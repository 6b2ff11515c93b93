//! The global polynomial watchdog: the bits of the weights are counted in unary, place by place.
//!
//! *Idea.* A literal is in the bucket of each place where its weight has a one. A totalizer counts the literals of a
//! bucket, and half of the count of the bucket below is added, as a carry. A constant, the tare, is added to the sum,
//! so that the bound becomes a multiple of the last place: the sum is above the bound if the count of the last bucket
//! reaches a number, whose output is false.
//!
//! *Clauses.* With p the highest place of a weight and T = (−(b + 1)) mod 2ᵖ the tare, the sum is at most b if the last
//! count is below m = (b + 1 + T)/2ᵖ. Bits of T are inputs that hold. A node of a totalizer with outputs r above
//! children with outputs a and b: aᵢ → rᵢ, bⱼ → rⱼ, aᵢ ∧ bⱼ → rᵢ₊ⱼ. The carries of a bucket are its outputs 2, 4, …, or
//! 1, 3, … if T has its bit. A node of the last bucket has at most m outputs, and rᵢ₊ⱼ is rₘ if i + j > m. Last, ¬rₘ.
//!
//! *Size.* A node with r outputs above children with a and b outputs has r variables. Its a + b + ab clauses have
//! 2(a + b) + 3ab literals. A child without outputs makes no node. The last clause has one literal.
//!
//! *Propagation of ≤.* Refuting: a sum above the bound is a conflict, and a literal that no longer fits is not always
//! excluded. *Models.* Free.
//!
//! *Source.* O. Bailleux, Y. Boufkhad, O. Roussel, "New Encodings of Pseudo-Boolean Constraints into CNF", SAT 2009,
//! LNCS 5584, 181–194, sections 3 and 4.
//!
//! *Departures.* The paper sorts by totalizers in both directions; here they have the direction that the bound needs.
//! Outputs above m are left out.

use rustsat::types::Lit;

use super::{MAX_CLAUSES, within};
use crate::bound::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct GlobalWatchdog;

/// The places of the weights: the last one, the tare, and the count that the last bucket may not reach.
struct Places {
    last: u32,
    tare: u64,
    forbidden: u64,
}

impl Places {
    fn new(weights: &[u64], bound: u64) -> Self {
        let last = weights.iter().copied().max().unwrap_or(1).ilog2();
        let unit = 1_u128 << last;
        let beyond = u128::from(bound) + 1;
        let tare = (unit - beyond % unit) % unit;
        Self { last, tare: tare as u64, forbidden: ((beyond + tare) / unit) as u64 }
    }

    /// The most outputs of a node at a place.
    fn most(&self, place: u32) -> u64 {
        if place == self.last { self.forbidden } else { u64::MAX }
    }

    fn has_tare(&self, place: u32) -> bool {
        self.tare >> place & 1 == 1
    }
}

impl AtMostSum for GlobalWatchdog {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "global-watchdog".into(),
            aliases: vec!["gpw".into()],
            title: "global polynomial watchdog".into(),
            idea: "The bits of the weights are counted in unary, place by place, with half of the count \
                   of each place as a carry."
                .into(),
            citation: "Bailleux, Boufkhad, Roussel, SAT 2009, sections 3 and 4".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let places = Places::new(weights, bound);
        let mut size = Size::default();
        let mut carry = 0_u64;
        for place in 0..=places.last {
            let bits = weights.iter().filter(|weight| **weight >> place & 1 == 1).count() as u64;
            let most = places.most(place);
            let counted = tree_size(bits, most, &mut size)?;
            let outputs = merge_size(counted, carry, most, &mut size)?;
            if place == places.last {
                // The sum of all weights is above the bound, so the count can reach this number.
                size += Size::new(0, 1, 1);
            } else {
                // With the tare the count is one more.
                carry = if places.has_tare(place) { outputs.div_ceil(2) } else { outputs / 2 };
            }
        }
        within(size)
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let places = Places::new(weights, bound);
        let mut carry: Vec<Lit> = Vec::new();
        for place in 0..=places.last {
            let terms = xs.iter().zip(weights);
            let bucket: Vec<Lit> =
                terms.filter(|(_, weight)| **weight >> place & 1 == 1).map(|(&x, _)| x).collect();
            let most = places.most(place);
            let counted = tree(&bucket, most, out);
            let outputs = merge(&counted, &carry, most, out);
            if place == places.last {
                out.clause(&[!outputs[places.forbidden as usize - 1]]);
            } else {
                // With the tare the count is one more.
                let first = usize::from(!places.has_tare(place));
                carry = outputs.into_iter().skip(first).step_by(2).collect();
            }
        }
    }
}

/// The outputs of a totalizer above these literals, and its size.
fn tree_size(inputs: u64, most: u64, size: &mut Size) -> Option<u64> {
    if inputs < 2 {
        return Some(inputs);
    }
    let left = tree_size(inputs.div_ceil(2), most, size)?;
    let right = tree_size(inputs / 2, most, size)?;
    merge_size(left, right, most, size)
}

fn tree(inputs: &[Lit], most: u64, out: &mut dyn ClauseSink) -> Vec<Lit> {
    if inputs.len() < 2 {
        return inputs.to_vec();
    }
    let (left, right) = inputs.split_at(inputs.len().div_ceil(2));
    let (left, right) = (tree(left, most, out), tree(right, most, out));
    merge(&left, &right, most, out)
}

/// The number of outputs of a node above children with these numbers of outputs, and its size. A child without
/// outputs adds nothing.
fn merge_size(left: u64, right: u64, most: u64, size: &mut Size) -> Option<u64> {
    if left == 0 || right == 0 {
        return Some(left.max(right));
    }
    let outputs = (left + right).min(most);
    let (a, b) = (u128::from(left), u128::from(right));
    *size += Size::binary(outputs.into(), a + b) + Size::new(0, a * b, 3 * a * b);
    (size.clauses <= MAX_CLAUSES).then_some(outputs)
}

fn merge(left: &[Lit], right: &[Lit], most: u64, out: &mut dyn ClauseSink) -> Vec<Lit> {
    if left.is_empty() || right.is_empty() {
        return [left, right].concat();
    }
    let count = ((left.len() + right.len()) as u64).min(most);
    let outputs: Vec<Lit> = out.fresh(count as u32).lits().collect();
    let output = |number: usize| outputs[number.min(outputs.len()) - 1];
    for child in [left, right] {
        for (number, &lit) in (1..).zip(child) {
            out.clause(&[!lit, output(number)]);
        }
    }
    for (one, &a) in (1..).zip(left) {
        for (two, &b) in (1..).zip(right) {
            out.clause(&[!a, !b, output(one + two)]);
        }
    }
    outputs
}
