//! Constraints on weighted sums, brought into the form that encoders take.

use std::cmp::Reverse;

use bezzel_problem::Lists;
use bezzel_problem::weighted::common_divisor;
use rustsat::types::Lit;

use super::parts::Parts;
use super::places::any_of;
use super::walk::{Walk, counted_below, write};
use crate::amo::AtMostOne;
use crate::bound::{AtMostParts, AtMostSum, Limit};
use crate::shape::Shape;
use crate::sink::ClauseSink;
use crate::size::Size;

/// A constraint on the sum of the weights of the literals that hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SumLimit {
    /// The weight of each literal, at least 1. Their sum is below 2⁶⁴.
    pub weights: Vec<u64>,
    /// The relation.
    pub limit: Limit,
    /// The bound.
    pub bound: u64,
}

impl SumLimit {
    /// True if literals of this weight may hold.
    pub fn allows(&self, weight: u64) -> bool {
        self.limit.allows(weight, self.bound)
    }

    /// The auxiliary variables, clauses and literals that [`encode`](Self::encode) writes. None if the encoder refuses
    /// the sum.
    pub fn size(&self, encoder: &dyn AtMostOne) -> Option<Size> {
        self.size_of_parts(encoder, &Parts::of_one(self.weights.len()))
    }

    /// Writes the constraint on `xs` to `out`: the lower bound first. The literals are of different variables.
    ///
    /// # Panics
    ///
    /// When the encoder takes no sums, or refuses this one.
    pub fn encode(&self, encoder: &dyn AtMostOne, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.encode_parts(encoder, xs, &Parts::of_one(xs.len()), out);
    }

    /// The size of [`encode_parts`](Self::encode_parts).
    pub fn size_of_parts(&self, encoder: &dyn AtMostOne, parts: &Parts) -> Option<Size> {
        let build = |xs: &[Lit], walk: &mut Walk<'_>| self.build(encoder, xs, parts, walk);
        counted_below(self.weights.len(), u128::MAX, build)
    }

    /// Writes the constraint as [`encode`](Self::encode) does, for assignments in which at most one literal of each part
    /// holds. The encoder [takes parts](crate::bound::AtMostSum::of_parts), unless all parts have one literal.
    ///
    /// # Panics
    ///
    /// As [`encode`](Self::encode).
    pub fn encode_parts(
        &self,
        encoder: &dyn AtMostOne,
        xs: &[Lit],
        parts: &Parts,
        out: &mut dyn ClauseSink,
    ) {
        write(out, |walk| self.build(encoder, xs, parts, walk));
    }

    fn build(
        &self,
        encoder: &dyn AtMostOne,
        xs: &[Lit],
        parts: &Parts,
        walk: &mut Walk<'_>,
    ) -> Option<()> {
        let terms: Terms = parts
            .places()
            .map(|part| part.iter().map(|&place| (xs[place], self.weights[place])))
            .collect();
        if self.limit != Limit::AtMost {
            let most: u64 = terms.iter().map(heaviest).sum();
            let Some(room) = most.checked_sub(self.bound) else {
                walk.clause(&[]);
                return Some(());
            };
            let sums = encoder.of_sums();
            let of_parts = sums.and_then(AtMostSum::of_parts).filter(|_| terms.len() < xs.len());
            let other = of_parts.and_then(AtMostParts::of_heaviest);
            let size = |sums| {
                let build = |_: &[Lit], walk: &mut Walk<'_>| {
                    at_least((encoder, sums), &terms, parts, room, walk)
                };
                counted_below(0, u128::MAX, build).map_or(u128::MAX, |size| size.clauses)
            };
            let smaller = other.as_deref().filter(|other| size(Some(*other)) <= size(sums));
            at_least((encoder, smaller.or(sums)), &terms, parts, room, walk)?;
        }
        if self.limit != Limit::AtLeast {
            at_most((encoder, encoder.of_sums()), &terms, self.bound, walk)?;
        }
        Some(())
    }
}

/// The encoder of counts, and that of other sums.
type Encoders<'a> = (&'a dyn AtMostOne, Option<&'a dyn AtMostSum>);

/// Literals with weights, in parts.
type Terms = Lists<(Lit, u64)>;

fn heaviest(part: &[(Lit, u64)]) -> u64 {
    part.iter().map(|&(_, weight)| weight).max().unwrap_or(0)
}

/// Writes that the parts weigh at most `room` less than their heaviest literals together.
fn at_least(
    encoder: Encoders<'_>,
    terms: &Terms,
    parts: &Parts,
    room: u64,
    walk: &mut Walk<'_>,
) -> Option<()> {
    let of_parts = encoder.1.and_then(AtMostSum::of_parts);
    let counts_heaviest = of_parts.is_some_and(AtMostParts::counts_heaviest);
    let mut penalties = Terms::default();
    for (part, is_exactly_one) in terms.iter().zip(parts.exactly_one()) {
        let all = penalties_of(part, is_exactly_one, room, walk);
        if counts_heaviest {
            penalties.push(all);
        } else {
            let mut before = 0;
            for (lit, penalty) in all {
                penalties.push([(lit, penalty - before)]);
                before = penalty;
            }
        }
    }
    at_most(encoder, &penalties, room, walk)
}

/// Literals that hold if a part weighs less than its heaviest literal, each with the difference. Of those that hold, the
/// last one counts. A difference above `room` is excluded by clauses.
fn penalties_of(
    part: &[(Lit, u64)],
    is_exactly_one: bool,
    room: u64,
    walk: &mut Walk<'_>,
) -> Vec<(Lit, u64)> {
    let mut sorted = part.to_vec();
    sorted.sort_by_key(|&(_, weight)| Reverse(weight));
    let heaviest = heaviest(part);
    let mut all: Vec<(Lit, u64)> = Vec::new();
    let mut heavier = 0;
    for equal in sorted.chunk_by(|(_, one), (_, other)| one == other) {
        heavier += equal.len();
        let next = sorted.get(heavier).map(|(_, weight)| *weight);
        if next.is_none() && is_exactly_one {
            break;
        }
        let penalty = heaviest - next.unwrap_or(0);
        if let ([], &[(x, _)], true) = (&*all, equal, penalty <= room) {
            all.push((!x, penalty));
            continue;
        }
        // The part weighs less than before → a literal of this weight holds, or it weighs less than that
        let mut lits: Vec<Lit> = all.last().map(|&(less, _)| !less).into_iter().collect();
        lits.extend(equal.iter().map(|&(x, _)| x));
        if penalty > room {
            walk.clause(&lits);
            sorted[heavier..].iter().for_each(|&(x, _)| walk.clause(&[!x]));
            break;
        }
        let less = walk.fresh_lits(1)[0];
        lits.push(less);
        walk.clause(&lits);
        // At most one literal holds, so the next lighter ones exclude heavier ones.
        let lighter = sorted[heavier..].iter().take_while(|(_, weight)| Some(*weight) == next);
        lighter.for_each(|&(x, _)| walk.clause(&[!x, less]));
        all.push((less, penalty));
    }
    all
}

/// Writes that the sum is at most the bound, if at most one literal of each part holds, or if the heaviest counts and the
/// encoder takes that.
fn at_most(
    (encoder, sums): Encoders<'_>,
    terms: &Terms,
    bound: u64,
    walk: &mut Walk<'_>,
) -> Option<()> {
    for &(x, _) in terms.items().iter().filter(|(_, weight)| *weight > bound) {
        walk.clause(&[!x]);
    }
    let light = |part: &&[(Lit, u64)]| part.iter().any(|(_, weight)| *weight <= bound);
    let kept: Terms = terms
        .iter()
        .filter(light)
        .map(|part| part.iter().copied().filter(|(_, weight)| *weight <= bound))
        .collect();
    // The sum if no part weighs more, and the least by which a part can weigh less than its heaviest literal.
    let total: u64 = kept.iter().map(heaviest).sum();
    let gap = |part: &[(Lit, u64)]| {
        let lighter = part.iter().map(|&(_, weight)| weight).filter(|w| *w < heaviest(part));
        heaviest(part) - lighter.max().unwrap_or(0)
    };
    if total <= bound {
        return Some(());
    }
    if total - kept.iter().map(gap).min().unwrap_or(0) <= bound {
        let clause: Vec<Lit> = kept
            .iter()
            .map(|part| {
                let all = part.iter().filter(|(_, weight)| *weight == heaviest(part));
                !any_of(&all.map(|&(x, _)| x).collect::<Vec<Lit>>(), walk)
            })
            .collect();
        walk.clause(&clause);
        return Some(());
    }
    let divisor = common_divisor(kept.items().iter().map(|&(_, weight)| weight));
    let mut parts = Terms::default();
    for part in kept.iter() {
        let mut part = part.to_vec();
        part.sort_by_key(|&(_, weight)| weight);
        let equal = part.chunk_by(|(_, one), (_, other)| one == other).map(|equal| {
            let xs: Vec<Lit> = equal.iter().map(|&(x, _)| x).collect();
            (any_of(&xs, walk), equal[0].1 / divisor)
        });
        parts.push(equal.collect::<Vec<(Lit, u64)>>());
    }
    let bound = bound / divisor;
    let (xs, weights): (Vec<Lit>, Vec<u64>) = parts.items().iter().copied().unzip();
    if weights.iter().all(|&weight| weight == 1) {
        let shape = Shape { n: xs.len() as u64, limit: Limit::AtMost, k: bound };
        return walk.state(|| shape.size(encoder), |out| shape.encode(encoder, &xs, out));
    }
    let sums = || sums;
    if xs.len() == parts.len() {
        return walk.state(
            || sums()?.size(&weights, bound),
            |out| sums().expect(NO_SUMS).at_most(&xs, &weights, bound, out),
        );
    }
    let sums = || sums()?.of_parts();
    walk.state(
        || sums()?.size_of_parts(&parts, bound),
        |out| sums().expect(NO_SUMS).at_most_of_parts(&parts, bound, out),
    )
}

const NO_SUMS: &str = "the encoder takes the sum";
