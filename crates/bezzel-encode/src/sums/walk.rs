//! One walk over a construction that writes its clauses or counts them.
//!
//! The size of some encoders has no closed form. Such an encoder describes its construction once, as a function of a
//! [`Walk`]. For the size, a walk without a sink gives literals of one variable and adds up sizes; the parts that need
//! most clauses are added by their formula. A walk ends early if it has more than the clauses that a sum may have.

use std::sync::Arc;

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::MAX_CLAUSES;
use crate::amo::comparator::Comparator;
use crate::amo::sorting_network::{merge, merge_comparators};
use crate::amo::totalizer::{up, up_size};
use crate::bound::{AtMostParts, AtMostSum};
use crate::info::EncodingInfo;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// An encoder whose clauses and whose size come from one walk.
pub(super) trait Construction: Send + Sync {
    /// As for [`AtMostSum`].
    fn about(&self) -> EncodingInfo;

    /// Walks over the construction of one sum; none if it has too many clauses.
    fn build(&self, xs: &[Lit], weights: &[u64], bound: u64, walk: &mut Walk<'_>) -> Option<()>;

    /// As for [`AtMostSum`].
    fn of_parts(&self) -> Option<&dyn AtMostParts> {
        None
    }
}

/// An encoder of sums of parts whose clauses and whose size come from one walk. Without groups, each term is a part.
pub(super) trait PartConstruction: Send + Sync {
    /// As for [`AtMostSum`].
    fn about(&self) -> EncodingInfo;

    /// True if it takes parts of several terms.
    fn takes_parts(&self) -> bool {
        true
    }

    /// As for [`AtMostParts`].
    fn counts_heaviest(&self) -> bool;

    /// As for [`AtMostParts`].
    fn of_heaviest(&self) -> Option<Arc<dyn AtMostSum>> {
        None
    }

    /// Walks over the construction of one sum; none if it has too many clauses.
    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()>;
}

impl<P: PartConstruction> Construction for P {
    fn about(&self) -> EncodingInfo {
        PartConstruction::about(self)
    }

    fn build(&self, xs: &[Lit], weights: &[u64], bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let terms = xs.iter().copied().zip(weights.iter().copied());
        PartConstruction::build(self, &terms.map(|term| [term]).collect(), bound, walk)
    }

    fn of_parts(&self) -> Option<&dyn AtMostParts> {
        self.takes_parts().then_some(self)
    }
}

impl<P: PartConstruction> AtMostParts for P {
    fn counts_heaviest(&self) -> bool {
        PartConstruction::counts_heaviest(self)
    }

    fn of_heaviest(&self) -> Option<Arc<dyn AtMostSum>> {
        PartConstruction::of_heaviest(self)
    }

    fn size_of_parts(&self, parts: &Lists<(Lit, u64)>, bound: u64) -> Option<Size> {
        let build =
            |_: &[Lit], walk: &mut Walk<'_>| PartConstruction::build(self, parts, bound, walk);
        counted_below(0, MAX_CLAUSES, build)
    }

    fn at_most_of_parts(&self, parts: &Lists<(Lit, u64)>, bound: u64, out: &mut dyn ClauseSink) {
        write(out, |walk| PartConstruction::build(self, parts, bound, walk));
    }
}

impl<C: Construction> AtMostSum for C {
    fn about(&self) -> EncodingInfo {
        Construction::about(self)
    }

    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        counted_below(weights.len(), MAX_CLAUSES, |xs, walk| self.build(xs, weights, bound, walk))
    }

    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        write(out, |walk| self.build(xs, weights, bound, walk));
    }

    fn of_parts(&self) -> Option<&dyn AtMostParts> {
        Construction::of_parts(self)
    }
}

/// The sink of the clauses, if they are written, and the size so far.
pub(super) struct Walk<'a> {
    out: Option<&'a mut dyn ClauseSink>,
    size: Size,
    most: u128,
}

/// The size of a construction above `n` literals; none if it has more than `most` clauses.
pub(super) fn counted_below(
    n: usize,
    most: u128,
    build: impl FnOnce(&[Lit], &mut Walk<'_>) -> Option<()>,
) -> Option<Size> {
    let mut walk = Walk { out: None, size: Size::default(), most };
    build(&vec![Lit::positive(0); n], &mut walk)?;
    walk.check()?;
    Some(walk.size)
}

/// Writes a construction whose size is accepted.
pub(super) fn write(out: &mut dyn ClauseSink, build: impl FnOnce(&mut Walk<'_>) -> Option<()>) {
    let mut walk = Walk { out: Some(out), size: Size::default(), most: MAX_CLAUSES };
    build(&mut walk).expect("the size accepts the sum");
}

impl Walk<'_> {
    /// New variables.
    pub(super) fn fresh_lits(&mut self, count: usize) -> Vec<Lit> {
        self.fresh(count as u32).lits().collect()
    }

    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.size += Size::new(0, 1, lits.len() as u128);
        if let Some(out) = &mut self.out {
            out.clause(lits);
        }
    }

    /// Has a constraint written, or adds its size.
    pub(super) fn state(
        &mut self,
        size: impl FnOnce() -> Option<Size>,
        write: impl FnOnce(&mut dyn ClauseSink),
    ) -> Option<()> {
        match &mut self.out {
            Some(out) => write(&mut **out),
            None => self.count(size()?)?,
        }
        Some(())
    }

    /// True if clauses are counted and not written.
    pub(super) fn is_counting(&self) -> bool {
        self.out.is_none()
    }

    /// Adds a size whose clauses are not written.
    pub(super) fn count(&mut self, size: Size) -> Option<()> {
        self.size += size;
        self.check()
    }

    /// None if there are too many clauses.
    pub(super) fn check(&self) -> Option<()> {
        (self.size.clauses <= self.most).then_some(())
    }

    /// The clauses that a walk may still have.
    pub(super) fn room(&self) -> u128 {
        self.most.saturating_sub(self.size.clauses)
    }
}

impl ClauseSink for Walk<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.size += Size::new(count.into(), 0, 0);
        match &mut self.out {
            Some(out) => out.fresh(count),
            None => VarRange::after(0, count),
        }
    }

    fn clause(&mut self, lits: &[Lit]) {
        Walk::clause(self, lits);
    }
}

/// A way to count literals in unary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// The tree of a [totalizer](crate::amo::totalizer), with the outputs up to a number.
    Totalizer,
    /// Merges of a [sorting network](crate::amo::sorting_network) by half comparators, with all outputs.
    Network,
}

impl Counter {
    /// The count of literals that count as often as their numbers say. A tree over them adds the counts of its halves.
    pub(super) fn count(
        self,
        terms: &[(Lit, u64)],
        most: u64,
        walk: &mut Walk<'_>,
    ) -> Option<Vec<Lit>> {
        match terms {
            [] => Some(Vec::new()),
            &[(x, times)] => Some(vec![x; times as usize]),
            _ => {
                let (left, right) = terms.split_at(terms.len().div_ceil(2));
                let (left, right) = (self.count(left, most, walk)?, self.count(right, most, walk)?);
                self.add(&left, &right, most, walk)
            }
        }
    }

    /// The comparators of a [count](Self::count) of terms with these numbers, none of them 0, and of carries added to it.
    pub(super) fn comparators(terms: &[u64], carries: u64) -> u128 {
        fn count(terms: &[u64]) -> (u64, u128) {
            match terms {
                [] => (0, 0),
                &[times] => (times, 0),
                _ => {
                    let (left, right) = terms.split_at(terms.len().div_ceil(2));
                    let ((a, left), (b, right)) = (count(left), count(right));
                    (a + b, left + right + merge_comparators(a, b))
                }
            }
        }
        let (outputs, comparators) = count(terms);
        comparators + merge_comparators(outputs, carries)
    }

    /// The sum of two counts. A count without outputs adds nothing.
    pub(super) fn add(
        self,
        a: &[Lit],
        b: &[Lit],
        most: u64,
        walk: &mut Walk<'_>,
    ) -> Option<Vec<Lit>> {
        if a.is_empty() || b.is_empty() {
            return Some([a, b].concat());
        }
        let (one, two) = (a.len() as u64, b.len() as u64);
        match (self, &mut walk.out) {
            (Self::Totalizer, Some(out)) => {
                let outputs: Vec<Lit> = out.fresh((one + two).min(most) as u32).lits().collect();
                up(a, b, &outputs, &mut **out);
                Some(outputs)
            }
            (Self::Totalizer, None) => {
                let outputs = (one + two).min(most);
                walk.count(up_size(outputs, one, two))?;
                Some(vec![Lit::positive(0); outputs as usize])
            }
            (Self::Network, Some(out)) => {
                Some(merge(a, b, &mut |pair| Comparator::Half.encode(pair, &mut **out)))
            }
            (Self::Network, None) => {
                walk.count(Comparator::Half.size() * merge_comparators(one, two))?;
                Some([a, b].concat())
            }
        }
    }
}
