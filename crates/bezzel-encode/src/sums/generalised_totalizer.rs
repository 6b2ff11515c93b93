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
//! *Parts* of which at most one literal holds are leaves with an output for each weight.
//!
//! *Propagation of ≤.* Complete. *Models.* Free.
//!
//! *Source.* S. Joshi, R. Martins, V. Manquinho, "Generalized Totalizer Encoding for Pseudo-Boolean Constraints", CP
//! 2015, LNCS 9255, 200–209, section 3. Parts: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M.
//! Villaret, "SAT Encodings for Pseudo-Boolean Constraints Together With At-Most-One Constraints", Artificial
//! Intelligence 302 (2022), the generalised generalized totalizer.
//!
//! *Departures.* The paper has one output for all sums above the bound, which is false at the root; here such sums are
//! excluded where they appear. The paper does not fix the order of the leaves. A node other than the root with more
//! than 20 million pairs of sums is refused.

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::heaviest_first;
use super::walk::{PartConstruction, Walk};
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

/// The outputs of a node with their sums, ascending: a literal for each.
type Outputs = Vec<(Lit, u64)>;

fn sums_of(outputs: &[(Lit, u64)]) -> Vec<u64> {
    outputs.iter().map(|&(_, sum)| sum).collect()
}

/// Builds the tree above these parts. None if it is too large.
fn node(parts: &[&[(Lit, u64)]], bound: u64, walk: &mut Walk<'_>) -> Option<Outputs> {
    if let [part] = parts {
        return Some(part.to_vec());
    }
    let (left, right) = parts.split_at(parts.len().div_ceil(2));
    let (left, right) = (node(left, bound, walk)?, node(right, bound, walk)?);
    let (one, two) = (left.len() as u128, right.len() as u128);
    if one * two > MAX_PAIRS.min(walk.room()) {
        return None;
    }
    let [a, b] = [&left, &right].map(|outputs| sums_of(outputs));
    let sums = sums(&a, &b, bound);
    let made = walk.fresh(sums.len() as u32);
    let outputs: Outputs = made.lits().zip(sums).collect();
    if walk.is_counting() {
        let within = pairs_within(&a, &b, bound);
        let pairs = Size::new(0, one * two, 3 * within + 2 * (one * two - within));
        walk.count(Size::binary(0, one + two) + pairs)?;
        return Some(outputs);
    }
    let output = |sum: u64| {
        let place = outputs.binary_search_by_key(&sum, |&(_, sum)| sum);
        outputs[place.expect("each sum has an output")].0
    };
    for &(lit, sum) in left.iter().chain(&right) {
        walk.clause(&[!lit, output(sum)]);
    }
    for &(a, one) in &left {
        for &(b, two) in &right {
            if one + two <= bound {
                walk.clause(&[!a, !b, output(one + two)]);
            } else {
                walk.clause(&[!a, !b]);
            }
        }
    }
    Some(outputs)
}

impl PartConstruction for GeneralisedTotalizer {
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

    fn counts_heaviest(&self) -> bool {
        true
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let parts = heaviest_first(parts);
        let (left, right) = parts.split_at(parts.len().div_ceil(2));
        let (left, right) = (node(left, bound, walk)?, node(right, bound, walk)?);
        if walk.is_counting() {
            let all = left.len() as u128 * right.len() as u128;
            let within = pairs_within(&sums_of(&left), &sums_of(&right), bound);
            return walk.count(Size::binary(0, all - within));
        }
        for &(a, one) in &left {
            let first = right.partition_point(|(_, two)| one + two <= bound);
            for &(b, _) in &right[first..] {
                walk.clause(&[!a, !b]);
            }
        }
        Some(())
    }
}
