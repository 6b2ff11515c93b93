//! The cardinality network at-most-one: only the first two of the sorted inputs are kept.
//!
//! *Idea.* A sorting network without the later outputs: blocks of two inputs are sorted, and sorted pairs merged so
//! that of each merge only the first two outputs are read on. The second of the last is false.
//!
//! *Clauses* of a comparator of a and b with outputs h and l: a → h, b → h, a ∧ b → l. A block of two
//! inputs is one comparator. The merge of (a₁, a₂) and (b₁, b₂) compares a₁ with b₁ to d₁ and d₂, a₂
//! with b₂ to e₁ and e₂, and d₂ with e₁ to c₂ and c₃; d₁ and c₂ are read on. At the end ¬c₂. The row of ⌈n/2⌉ blocks is
//! cut in halves, the greater first, until each block stands alone. Where n is odd, the last block is one input b₁, and
//! its merge has e₁ = a₂ in place of the comparator of a₂.
//!
//! *Size for n ≥ 2 inputs.* 2n − 3 comparators: 4n − 6 auxiliary variables, 6n − 8 clauses, 14n − 20
//! literals; nothing for fewer inputs. (One for each of the ⌊n/2⌋ blocks, three for each of the ⌈n/2⌉ − 1
//! merges, two for the one with an odd input.)
//!
//! *At most k, 1 ≤ k < n.* p is the least power of two above k. Blocks of p inputs are sorted by the [sorting
//! network](super::sorting_network) with these comparators. The merge of two parts of p has p + 1 outputs, of which the
//! first p are read on: it merges their odd places to d and their even places to e, and compares dᵢ₊₁ with eᵢ for 1 ≤ i
//! ≤ p/2; single elements are compared. It takes p + (p/2)·log₂ p comparators. A literal without a partner passes
//! unchanged, so that the last block may be shorter. At the end ¬cₖ₊₁.
//!
//! *Propagation.* Complete: a true input propagates to the first output, and the false second output propagates back
//! along all other paths.
//!
//! *Models.* Free, even where an input is stated to hold: no clause reads c₃ and e₂.
//!
//! *Source.* R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, "Cardinality Networks: a
//! theoretical and empirical study", Constraints 16 (2011), 195–221 (first at SAT 2009): cardinality
//! networks with half sorting and simplified merge, for "at most 1", that is with blocks of 2, the
//! least power of two above 1.
//!
//! *Departures.* An odd number of inputs is not filled up by one that is false: the clauses are those that are left
//! when it is. The order of the merges does not change the size; here blocks are merged in halves. c₃ and e₂, which no
//! clause reads, are made, as there.

use rustsat::types::Lit;

use super::AtMostOne;
use super::comparator::Comparator;
use super::sorting_network::{comparators, sort};
use crate::bound::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct CardinalityNetwork;

impl AtMostOne for CardinalityNetwork {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "cardinality-network".into(),
            title: "cardinality network".into(),
            idea:
                "A sorting network in which each part has only its first two outputs. The second \
                 output of the network is false."
                    .into(),
            citation: "Asín, Nieuwenhuis, Oliveras, Rodríguez-Carbonell, Constraints 2011".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(if n < 2 {
            Size::default()
        } else {
            Comparator::Half.size() * (2 * n - 3) + Size::new(0, 1, 1)
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

impl AtMostK for CardinalityNetwork {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            idea: "Blocks of p literals are sorted, where p is the least power of two above k. \
                   Each merge of two sorted parts keeps only its first p outputs. Output k + 1 of \
                   the last is false."
                .into(),
            ..self.info()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let p = block(k);
        let blocks = n.div_ceil(p);
        let last = n - p * (blocks - 1);
        let mut compared = comparators(p) * u128::from(blocks - 1) + comparators(last);
        if blocks > 1 {
            compared += merging(p, p, p) * u128::from(blocks - 2) + merging(p, p, last);
        }
        Some(Comparator::Half.size() * compared + Size::new(0, 1, 1))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let sorted = network(xs, block(k) as usize, out);
        // ¬cₖ₊₁
        out.clause(&[!sorted[k as usize].expect("there are more than k literals")]);
    }
}

/// p: the least power of two above k.
fn block(k: u64) -> u64 {
    (k + 1).next_power_of_two()
}

/// The first p of `xs`, sorted; none where there is no literal.
fn network(xs: &[Lit], p: usize, out: &mut dyn ClauseSink) -> Vec<Option<Lit>> {
    let mut sorted = if xs.len() <= p {
        let sorted = sort(xs, &mut |pair| Comparator::Half.encode(pair, out));
        sorted.into_iter().map(Some).collect()
    } else {
        let blocks = xs.len().div_ceil(p);
        let (left, right) = xs.split_at(p * blocks.div_ceil(2));
        let (left, right) = (network(left, p, out), network(right, p, out));
        merge(&left, &right, out)
    };
    sorted.resize(p, None);
    sorted
}

/// The greater and the smaller of two literals; a literal without a partner passes unchanged.
fn compare(pair: [Option<Lit>; 2], out: &mut dyn ClauseSink) -> [Option<Lit>; 2] {
    match pair {
        [Some(a), Some(b)] => Comparator::Half.encode([a, b], out).map(Some),
        [one, None] | [None, one] => [one, None],
    }
}

/// The first p + 1 of two sorted parts of p, sorted.
fn merge(a: &[Option<Lit>], b: &[Option<Lit>], out: &mut dyn ClauseSink) -> Vec<Option<Lit>> {
    if a[0].is_none() || b[0].is_none() {
        let sorted = if a[0].is_none() { b } else { a };
        return sorted.iter().copied().chain([None]).collect();
    }
    if let (&[a], &[b]) = (a, b) {
        return compare([a, b], out).to_vec();
    }
    let every_second = |xs: &[Option<Lit>], from: usize| -> Vec<Option<Lit>> {
        xs.iter().skip(from).step_by(2).copied().collect()
    };
    let d = merge(&every_second(a, 0), &every_second(b, 0), out);
    let e = merge(&every_second(a, 1), &every_second(b, 1), out);
    let mut merged = vec![d[0]];
    for (&d, &e) in d[1..].iter().zip(&e) {
        merged.extend(compare([d, e], out));
    }
    merged
}

/// The comparators that merge two parts of p, of which the first `a` and `b` are literals.
fn merging(p: u64, a: u64, b: u64) -> u128 {
    if a == p && b == p {
        return u128::from(p) + u128::from(p / 2) * u128::from(p.ilog2());
    }
    if a == 0 || b == 0 {
        return 0;
    }
    let (d, e) = (a.div_ceil(2) + b.div_ceil(2), a / 2 + b / 2);
    let compared = (d - 1).min(e).min(p / 2);
    merging(p / 2, a.div_ceil(2), b.div_ceil(2))
        + merging(p / 2, a / 2, b / 2)
        + u128::from(compared)
}
