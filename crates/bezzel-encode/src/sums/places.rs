//! Counts of the digits of weights, place by place, with the carries of the place below.
//!
//! A literal is in the bucket of each place as often as the digit of its weight there states. The count of a bucket, and of
//! the carries into it, is a unary number. With the radix r of the place, the carries out of it are its outputs r, 2r,
//! …; the last place has no radix. A constant, the tare, is added to the sum, so that the bound becomes a multiple of
//! the last place. The digit t of the tare moves the carries of its place to the outputs r − t, 2r − t, ….
//!
//! With P the product of the radices and T = (−(b + 1)) mod P the tare, the sum is at most b if the last count is below
//! m = (b + 1 + T)/P. A place below the last needs the outputs up to r·m′ − t alone, where m′ is the number of outputs
//! that the place above needs. Of the first place this is b + 1.

use std::collections::BTreeMap;

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::walk::{Counter, Walk, counted_below};

/// The radices of the places below the last, the digits of the tare, and the count that the last place may not reach.
pub(super) struct Places {
    radices: Vec<u64>,
    tare: Vec<u64>,
    forbidden: u64,
}

impl Places {
    pub(super) fn new(radices: Vec<u64>, bound: u64) -> Self {
        let unit: u128 = radices.iter().copied().map(u128::from).product();
        let beyond = u128::from(bound) + 1;
        let all = (unit - beyond % unit) % unit;
        let mut rest = all;
        let mut digit = |&radix: &u64| {
            let digit = rest % u128::from(radix);
            rest /= u128::from(radix);
            digit as u64
        };
        let tare = radices.iter().map(&mut digit).collect();
        Self { radices, tare, forbidden: ((beyond + all) / unit) as u64 }
    }

    /// The bits of these weights.
    pub(super) fn binary(weights: &[u64], bound: u64) -> Self {
        let last = weights.iter().copied().max().unwrap_or(1).ilog2();
        Self::new(vec![2; last as usize], bound)
    }

    /// The digits of the tare, from the first place on.
    pub(super) fn tare(&self) -> &[u64] {
        &self.tare
    }

    /// The outputs that each place needs, from the first place on.
    fn most(&self) -> Vec<u64> {
        let mut most = vec![self.forbidden];
        for (&radix, &tare) in self.radices.iter().zip(&self.tare).rev() {
            let above = u128::from(*most.last().expect("it has the last place"));
            most.push((above * u128::from(radix) - u128::from(tare)) as u64);
        }
        most.reverse();
        most
    }

    /// The literal that holds if the sum is above the bound, which the sum of all weights is. Where there are literals of
    /// a tare, each is in the bucket of its place, and all outputs of all places are made.
    pub(super) fn excess(
        &self,
        counter: Counter,
        xs: &[Lit],
        weights: &[u64],
        tares: Option<&[Lit]>,
        walk: &mut Walk<'_>,
    ) -> Option<Lit> {
        let mut rest = weights.to_vec();
        let mut carries: Vec<Lit> = Vec::new();
        let most = if tares.is_some() { vec![u64::MAX; self.tare.len() + 1] } else { self.most() };
        // The last place takes all that is left.
        let radices = self.radices.iter().copied().chain([u64::MAX]);
        for (place, (radix, most)) in radices.zip(most).enumerate() {
            let digits = xs.iter().zip(&rest).map(|(&x, rest)| (x, rest % radix));
            let mut bucket: Vec<(Lit, u64)> = digits.filter(|(_, digit)| *digit > 0).collect();
            for rest in &mut rest {
                *rest /= radix;
            }
            bucket.extend(tares.and_then(|tares| tares.get(place)).map(|&tare| (tare, 1)));
            let count = counter.count(&bucket, most, walk)?;
            let outputs = counter.add(&count, &carries, most, walk)?;
            let Some(&tare) = self.tare.get(place) else {
                return Some(outputs[self.forbidden as usize - 1]);
            };
            let moved = if tares.is_some() { 0 } else { tare };
            let first = (radix - moved - 1) as usize;
            carries = outputs.into_iter().skip(first).step_by(radix as usize).collect();
        }
        unreachable!("the last place returns")
    }
}

/// The terms that each part adds to the buckets of bits. A literal that alone has a bit of its part adds it; a bit of
/// several literals is that of a new variable, which holds if one of them does.
pub(super) fn ones(parts: &Lists<(Lit, u64)>, walk: &mut Walk<'_>) -> Lists<(Lit, u64)> {
    let mut all = Lists::default();
    for part in parts.iter() {
        if let [term] = part {
            all.push([*term]);
            continue;
        }
        // The sets of literals that have a bit, by their places in the part, with the bits that they have.
        let mut sets: Vec<(Vec<usize>, u64)> = Vec::new();
        for place in 0..u64::BITS {
            let bit = 1 << place;
            let set: Vec<usize> = (0..part.len()).filter(|&at| part[at].1 & bit != 0).collect();
            match sets.iter_mut().find(|(known, _)| *known == set) {
                _ if set.is_empty() => {}
                Some((_, bits)) => *bits |= bit,
                None => sets.push((set, bit)),
            }
        }
        all.push(sets.into_iter().map(|(set, bits)| {
            let xs: Vec<Lit> = set.into_iter().map(|at| part[at].0).collect();
            (any_of(&xs, walk), bits)
        }));
    }
    all
}

/// A literal that holds if one of these does.
pub(super) fn any_of(xs: &[Lit], walk: &mut Walk<'_>) -> Lit {
    if let [x] = xs {
        return *x;
    }
    let any = walk.fresh_lits(1)[0];
    for &x in xs {
        walk.clause(&[!x, any]);
    }
    any
}

/// For each literal whose weight is `chosen`: it does not hold if the other parts are above the rest of the bound. Bits
/// are counted.
pub(super) fn exclude_each(
    counter: Counter,
    parts: &Lists<(Lit, u64)>,
    bound: u64,
    chosen: impl Fn(u64) -> bool,
    walk: &mut Walk<'_>,
) -> Option<()> {
    let ones = ones(parts, walk);
    let heaviest = |part: &[(Lit, u64)]| part.last().map_or(0, |(_, weight)| *weight);
    let total: u64 = parts.iter().map(heaviest).sum();
    // The others of two literals of one weight have the same size, if their parts have the same weights.
    let mut sizes = BTreeMap::new();
    for (number, part) in parts.iter().enumerate() {
        let others = total - heaviest(part);
        for &(x, weight) in part.iter().filter(|(_, weight)| chosen(*weight)) {
            if others <= bound - weight {
                continue;
            }
            let of = |walk: &mut Walk<'_>| {
                let others = (0..ones.len()).filter(|at| *at != number);
                let terms = others.flat_map(|at| ones.get(at).iter().copied());
                let (xs, weights): (Vec<Lit>, Vec<u64>) = terms.unzip();
                let places = Places::binary(&weights, bound - weight);
                let excess = places.excess(counter, &xs, &weights, None, walk)?;
                // xᵢ → ¬(the others exceed the rest)
                walk.clause(&[!x, !excess]);
                Some(())
            };
            if walk.is_counting() {
                let weights: Vec<u64> = part.iter().map(|(_, weight)| *weight).collect();
                let key = (weights, weight);
                let size = match sizes.get(&key) {
                    Some(&size) => size,
                    None => counted_below(0, walk.room(), |_, walk| of(walk))?,
                };
                sizes.insert(key, size);
                walk.count(size)?;
            } else {
                of(walk)?;
            }
        }
    }
    Some(())
}
