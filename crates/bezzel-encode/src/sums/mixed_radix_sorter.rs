//! Sorters over a mixed radix: the digits of the weights are sorted place by place, to a base that makes few comparators.
//!
//! *Idea.* A base is a sequence of radices. A weight has a digit to each of them, and what is left is its last digit. A
//! literal is in the bucket of a place as often as its digit states. A network sorts the bucket together with the carries
//! of the place below, and each r-th output is a carry, where r is the radix of the place. A constant, the tare, is
//! added to the sum, so that one output of the last place means that the sum is above the bound.
//!
//! *Clauses.* With P the product of the base and T = (−(b + 1)) mod P, the sum is at most b if the last count is below m =
//! (b + 1 + T)/P. The carries of a place where T has the digit t are the outputs r − t, 2r − t, …. Networks are those
//! of the [binary merge](super::binary_merge): a literal begins as a sorted sequence of itself, a tree merges these,
//! and the carries are merged last. Last, ¬rₘ.
//!
//! *The base.* Radices are primes below 20, and their product is at most the largest weight. Products are tried in
//! ascending order, and for each the best base found with it is kept, by its comparators so far. Of these, the base is
//! taken that has the fewest comparators with its last place. The search ends after it has made two million digits. It
//! begins with the base 2, 2, …, which is taken if no other is better.
//!
//! *Size.* That of the merges, as there, and the last clause of one literal.
//!
//! *Propagation of ≤.* Refuting. *Models.* Free.
//!
//! *Source.* N. Eén, N. Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006), 1–26, the
//! translation through sorters. M. Codish, Y. Fekete, C. Fuhs, P. Schneider-Kamp, "Optimal Base Encodings for
//! Pseudo-Boolean Constraints", TACAS 2011, LNCS 6605, 189–204: bases by the number of comparators.
//!
//! *Departures.* Eén and Sörensson compare the digits of the sum with those of the bound; the tare leaves one output. They
//! take the base with the least sum of digits. Codish and others find the best of all bases, also of radices that are
//! not prime.

use std::collections::BTreeMap;

use rustsat::types::Lit;

use super::places::Places;
use super::walk::{Construction, Counter, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MixedRadixSorter;

/// The radices that are tried.
const RADICES: [u64; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// The digits after which the search for a base ends.
const MAX_DIGITS: usize = 2_000_000;

/// A beginning of a base: its radices, the comparators of their places, and the carries into the next place.
#[derive(Clone)]
struct Beginning {
    radices: Vec<u64>,
    comparators: u128,
    carries: u64,
}

/// The comparators of a place with these digits, and its outputs; none if there are more than `most`.
fn place(digits: &[u64], carries: u64, most: u128) -> Option<(u128, u64)> {
    let total = digits.iter().fold(u128::from(carries), |total, &digit| total + u128::from(digit));
    // Outputs that are merged take as many comparators but one at least.
    if total > most.saturating_add(1) {
        return None;
    }
    let terms: Vec<u64> = digits.iter().copied().filter(|&digit| digit > 0).collect();
    let comparators = Counter::comparators(&terms, carries);
    (comparators < most).then_some((comparators, total as u64))
}

/// The best base that the search finds.
fn base(weights: &[u64], bound: u64) -> Vec<u64> {
    let largest = weights.iter().copied().max().unwrap_or(1);
    let (mut best, mut fewest) = (vec![2; largest.ilog2() as usize], u128::MAX);
    let quotients =
        |product: u64| -> Vec<u64> { weights.iter().map(|weight| weight / product).collect() };
    let step = |beginning: &Beginning, product: u64, radix: u64, most: u128| {
        let digits: Vec<u64> =
            quotients(product).into_iter().map(|quotient| quotient % radix).collect();
        let (added, outputs) = place(&digits, beginning.carries, most - beginning.comparators)?;
        // The digit of the tare here is that of every base with these radices below.
        let unit = u128::from(product) * u128::from(radix);
        let tare = (unit - (u128::from(bound) + 1) % unit) % unit / u128::from(product);
        let radices = [&beginning.radices[..], &[radix]].concat();
        let carries = (outputs + tare as u64) / radix;
        Some(Beginning { radices, comparators: beginning.comparators + added, carries })
    };
    let end = |beginning: &Beginning, product: u64, most: u128| {
        let (added, _) =
            place(&quotients(product), beginning.carries, most - beginning.comparators)?;
        Some(beginning.comparators + added)
    };
    let none = Beginning { radices: Vec::new(), comparators: 0, carries: 0 };
    let mut twos = none.clone();
    for place in 0..largest.ilog2() {
        twos = step(&twos, 1 << place, 2, u128::MAX).expect("there is no limit");
    }
    fewest = end(&twos, 1 << largest.ilog2(), fewest).unwrap_or(fewest);
    let mut open = BTreeMap::from([(1_u64, none)]);
    let mut digits = 0;
    while let Some((product, beginning)) = open.pop_first() {
        digits += (RADICES.len() + 1) * weights.len();
        if digits > MAX_DIGITS {
            break;
        }
        if beginning.comparators >= fewest {
            continue;
        }
        if let Some(comparators) = end(&beginning, product, fewest) {
            (best, fewest) = (beginning.radices.clone(), comparators);
        }
        for radix in RADICES {
            let Some(next) = product.checked_mul(radix).filter(|next| *next <= largest) else {
                break;
            };
            let Some(made) = step(&beginning, product, radix, fewest) else { continue };
            let known = open.entry(next).or_insert_with(|| made.clone());
            if made.comparators < known.comparators {
                *known = made;
            }
        }
    }
    best
}

impl Construction for MixedRadixSorter {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "mixed-radix-sorter".into(),
            title: "sorters over a mixed radix".into(),
            idea: "The digits of the weights to a base that makes few comparators are sorted place by \
                   place. Each r-th output of a place with the radix r is a carry."
                .into(),
            citation: "Eén, Sörensson, JSAT 2006, translation through sorters; Codish, Fekete, Fuhs, \
                       Schneider-Kamp, TACAS 2011"
                .into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn build(&self, xs: &[Lit], weights: &[u64], bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let places = Places::new(base(weights, bound), bound);
        let excess = places.excess(Counter::Network, xs, weights, None, walk)?;
        walk.clause(&[!excess]);
        Some(())
    }
}
