//! The generalised totalizer: a binary tree in which each node has an output for each sum of the weights below it.
//!
//! *Idea.* The literals, sorted from the heaviest to the lightest, are the leaves of a balanced tree. A node has an
//! output for each sum of weights of literals below it that is at most the bound. The output holds if literals with
//! this sum hold. Two children with sums above the bound do not hold together.
//!
//! *Clauses* of a node above children with outputs a and b: aᵢ → rᵢ, bⱼ → rⱼ, aᵢ ∧ bⱼ → rᵢ₊ⱼ if i + j is at most the
//! bound, and else ¬aᵢ ∨ ¬bⱼ. The root has the last kind alone, and no outputs.
//!
//! *Size.* A variable for each sum of each node but the root, and |a| + |b| + |a|·|b| clauses for each. Those of pairs
//! within the bound have three literals, all others two. The root has a clause for each pair above the bound. The
//! number of sums is found by adding them up.
//!
//! *Propagation of ≤.* Complete. *Models.* Free.
//!
//! *Source.* S. Joshi, R. Martins, V. Manquinho, "Generalized Totalizer Encoding for Pseudo-Boolean Constraints", CP
//! 2015, LNCS 9255, 200–209, section 3.
//!
//! *Departures.* The paper has one output for all sums above the bound, which is false at the root; here such sums are
//! excluded where they appear. The paper does not fix the order of the leaves. A node other than the root with more
//! than 20 million pairs of sums is refused.

use rustsat::types::Lit;

use super::{MAX_CLAUSES, heaviest_first, within};
use crate::bound::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct GeneralisedTotalizer;

/// The most pairs of sums below a node other than the root. Their sums are held in memory.
const MAX_PAIRS: u128 = 20_000_000;

/// The sums of a node in ascending order, up to the bound.
fn sums(left: &[u64], right: &[u64], bound: u64) -> Vec<u64> {
    let mut all: Vec<u64> = left.iter().chain(right).copied().collect();
    for one in left {
        all.extend(right.iter().map(|other| one + other).take_while(|sum| *sum <= bound));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The number of pairs whose sum is at most the bound. Both lists ascend.
fn pairs_within(left: &[u64], right: &[u64], bound: u64) -> u128 {
    left.iter().map(|one| right.partition_point(|other| one + other <= bound) as u128).sum()
}

/// The sums of the tree above these weights, and its size, without the root.
fn node_size(weights: &[u64], bound: u64, size: &mut Size) -> Option<Vec<u64>> {
    if let [weight] = weights {
        return Some(vec![*weight]);
    }
    let (left, right) = weights.split_at(weights.len().div_ceil(2));
    let (left, right) = (node_size(left, bound, size)?, node_size(right, bound, size)?);
    let (one, two) = (left.len() as u128, right.len() as u128);
    if one * two > MAX_PAIRS || size.clauses + one * two > MAX_CLAUSES {
        return None;
    }
    let within = pairs_within(&left, &right, bound);
    let sums = sums(&left, &right, bound);
    let pairs = Size::new(0, one * two, 3 * within + 2 * (one * two - within));
    *size += Size::binary(sums.len() as u128, one + two) + pairs;
    Some(sums)
}

/// The outputs of a node with their sums, ascending.
type Outputs = Vec<(u64, Lit)>;

fn node(terms: &[(u64, Lit)], bound: u64, out: &mut dyn ClauseSink) -> Outputs {
    if let [term] = terms {
        return vec![*term];
    }
    let (left, right) = terms.split_at(terms.len().div_ceil(2));
    let (left, right) = (node(left, bound, out), node(right, bound, out));
    let of = |outputs: &Outputs| outputs.iter().map(|(sum, _)| *sum).collect::<Vec<u64>>();
    let sums = sums(&of(&left), &of(&right), bound);
    let made = out.fresh(sums.len() as u32);
    let outputs: Outputs = sums.into_iter().zip(made.lits()).collect();
    let output = |sum: u64| {
        let place = outputs.binary_search_by_key(&sum, |(sum, _)| *sum);
        outputs[place.expect("each sum has an output")].1
    };
    for &(sum, lit) in left.iter().chain(&right) {
        out.clause(&[!lit, output(sum)]);
    }
    for &(one, a) in &left {
        for &(two, b) in &right {
            if one + two <= bound {
                out.clause(&[!a, !b, output(one + two)]);
            } else {
                out.clause(&[!a, !b]);
            }
        }
    }
    outputs
}

impl AtMostSum for GeneralisedTotalizer {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "generalised-totalizer".into(),
            aliases: vec!["gte".into()],
            title: "generalised totalizer".into(),
            idea: "A binary tree over the literals. A node has an output for each sum of weights below \
                   it, up to the bound."
                .into(),
            citation: "Joshi, Martins, Manquinho, CP 2015, section 3".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let sorted: Vec<u64> =
            heaviest_first(weights).into_iter().map(|place| weights[place]).collect();
        let (left, right) = sorted.split_at(sorted.len().div_ceil(2));
        let mut size = Size::default();
        let left = node_size(left, bound, &mut size)?;
        let right = node_size(right, bound, &mut size)?;
        let all = left.len() as u128 * right.len() as u128;
        within(size + Size::binary(0, all - pairs_within(&left, &right, bound)))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let terms: Vec<(u64, Lit)> =
            heaviest_first(weights).into_iter().map(|place| (weights[place], xs[place])).collect();
        let (left, right) = terms.split_at(terms.len().div_ceil(2));
        let (left, right) = (node(left, bound, out), node(right, bound, out));
        for &(one, a) in &left {
            let first = right.partition_point(|(two, _)| one + two <= bound);
            for &(_, b) in &right[first..] {
                out.clause(&[!a, !b]);
            }
        }
    }
}
