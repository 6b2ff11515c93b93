//! The search for a packing: depth-first, the largest items first.
//!
//! A packing is left if the free room of bins that can take no item left is more than the bins have to spare. Bins with the
//! same room and the same conflicts are tried once.

use super::super::optimum::{Steps, StepsSpent};
use super::BinPacking;

impl BinPacking {
    /// The fewest bins that hold the items, and the capacity: if `is_tight`, the least with which they do.
    pub(super) fn optimum(&self, is_tight: bool) -> Result<(u32, u32), StepsSpent> {
        let mut steps = Steps::new();
        let mut bins = 1;
        while !self.fit(bins, self.capacity, &mut steps)? {
            bins += 1;
        }
        // They do not fit with `below`, and do with `least`.
        let (mut below, mut least) = (self.sizes[0] - 1, self.capacity);
        while is_tight && least - below > 1 {
            let middle = below.midpoint(least);
            let fit = self.fit(bins, middle, &mut steps)?;
            (below, least) = if fit { (below, middle) } else { (middle, least) };
        }
        Ok((bins, least))
    }

    /// True if the items fit into this number of bins of this capacity.
    pub(super) fn fit(
        &self,
        bins: u32,
        capacity: u32,
        steps: &mut Steps,
    ) -> Result<bool, StepsSpent> {
        let mut apart = vec![0; self.sizes.len()];
        for &[one, other] in &self.conflicts {
            apart[one as usize] |= 1 << other;
        }
        let room = u64::from(bins) * u64::from(capacity);
        let all: u64 = self.sizes.iter().map(|&size| u64::from(size)).sum();
        let Some(spare) = room.checked_sub(all) else { return Ok(false) };
        let bins = vec![(capacity, 0); bins as usize];
        Search { sizes: &self.sizes, apart, spare, bins, steps }.visit(0)
    }
}

/// A depth-first search for a packing, the largest items first.
struct Search<'a> {
    sizes: &'a [u32],
    /// Of each item the later items that it is in conflict with, a bit for each.
    apart: Vec<u128>,
    /// The room that may stay free.
    spare: u64,
    /// The free room of each bin, and the items in conflict with one of its items.
    bins: Vec<(u32, u128)>,
    steps: &'a mut Steps,
}

impl Search<'_> {
    /// Packs the items from `item` on. True if they fit.
    fn visit(&mut self, item: usize) -> Result<bool, StepsSpent> {
        let Some(&size) = self.sizes.get(item) else { return Ok(true) };
        self.steps.take(self.bins.len())?;
        let left = (u128::MAX >> (u128::BITS as usize - self.sizes.len())) & (u128::MAX << item);
        // The smallest item that a bin can take is the last one without a conflict.
        let is_lost = |&&(free, blocked): &&(u32, u128)| {
            let last = (left & !blocked).checked_ilog2();
            last.is_none_or(|last| self.sizes[last as usize] > free)
        };
        let lost: u64 = self.bins.iter().filter(is_lost).map(|&(free, _)| u64::from(free)).sum();
        if lost > self.spare {
            return Ok(false);
        }
        for place in 0..self.bins.len() {
            let bin = self.bins[place];
            let (free, blocked) = bin;
            // A bin is tried once among those with the same room and the same conflicts.
            let is_like = |&(other, conflicts): &(u32, u128)| {
                other == free && (conflicts ^ blocked) & left == 0
            };
            let is_blocked = blocked >> item & 1 == 1;
            if free < size || is_blocked || self.bins[..place].iter().any(is_like) {
                continue;
            }
            self.bins[place] = (free - size, blocked | self.apart[item]);
            if self.visit(item + 1)? {
                return Ok(true);
            }
            self.bins[place] = bin;
        }
        Ok(false)
    }
}
