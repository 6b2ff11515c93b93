//! Draws of instances and replicates, by their numbers alone.

use indexmap::IndexSet;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The largest number of replicates whose multisets are numbered. Six replicates have 462.
pub(super) const FEW: usize = 6;
/// The largest number of replicates that each draw of their instance draws. Medians of more are drawn from those of
/// [`POOL`] resamples of the instance, since every draw takes as many random numbers as there are replicates.
pub(super) const MANY: usize = 16;
pub(super) const POOL: usize = 2_000;
/// The draws on an instance for arms that are drawn together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Drawn {
    /// As many replicates as there are.
    Replicates(usize),
    /// One resample of the pool, for all arms.
    Pooled,
}

/// The draws on each instance of each stratum.
pub(super) type Shape = Vec<Vec<Vec<Drawn>>>;

/// Random numbers, in the order of the generator.
pub(super) struct Words {
    random: ChaCha8Rng,
    drawn: Vec<u32>,
    used: usize,
}

impl Words {
    pub(super) fn new(seed: u64, stream: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream as u64);
        Self { random, drawn: Vec::new(), used: 0 }
    }

    /// The next `count` random numbers.
    #[inline]
    fn take(&mut self, count: usize) -> &[u32] {
        if self.drawn.len() - self.used < count {
            self.refill(count);
        }
        self.used += count;
        &self.drawn[self.used - count..self.used]
    }

    #[cold]
    fn refill(&mut self, count: usize) {
        self.drawn.drain(..std::mem::take(&mut self.used));
        while self.drawn.len() < count {
            let mut bytes = [0; 8_192];
            self.random.fill_bytes(&mut bytes);
            let words = bytes.as_chunks().0.iter();
            self.drawn.extend(words.map(|word| u32::from_le_bytes(*word)));
        }
    }

    /// The next number, below `count`.
    fn below(&mut self, count: usize) -> usize {
        below(self.take(1)[0], count)
    }

    /// Draws as many replicates as there are, and counts the draws of each.
    pub(super) fn count(&mut self, counts: &mut [u16]) {
        let replicates = counts.len();
        for &word in self.take(replicates) {
            counts[below(word, replicates)] += 1;
        }
    }
}

/// A random number below `count`. The probabilities of two numbers differ by at most `count` / 2³², far less than the
/// spread of the draws.
fn below(word: u32, count: usize) -> usize {
    ((u64::from(word) * count as u64) >> 32) as usize
}

/// The multisets of draws of some replicates: the numbers of draws of each.
pub(super) struct Multisets {
    /// The number of the multiset of each list of draws, which are its digits.
    of_draws: Vec<u16>,
    /// The value of each digit.
    units: Vec<usize>,
    pub(super) counts: IndexSet<Vec<u16>>,
}

impl Multisets {
    pub(super) fn new(replicates: usize) -> Self {
        let mut counts = IndexSet::new();
        let of_draws = (0..replicates.pow(replicates as u32)).map(|mut digits| {
            let mut drawn = vec![0; replicates];
            for _ in 0..replicates {
                drawn[digits % replicates] += 1;
                digits /= replicates;
            }
            counts.insert_full(drawn).0 as u16
        });
        let units = (0..replicates as u32).map(|place| replicates.pow(place)).collect();
        Self { of_draws: of_draws.collect(), units, counts }
    }
}

/// The draws of some resamples.
pub(super) struct Batch {
    pub(super) resamples: usize,
    /// The drawn instances, by their places in their strata.
    pub(super) places: Vec<usize>,
    /// A number for each draw on them: that of a multiset, that of a resample of the pool, or the place of its counts.
    pub(super) ids: Vec<u32>,
    /// The numbers of draws of each of many replicates.
    pub(super) counts: Vec<u16>,
}

impl Batch {
    pub(super) fn draw(
        shape: &Shape,
        multisets: &[Multisets],
        resamples: usize,
        words: &mut Words,
    ) -> Self {
        let mut batch = Self { resamples, places: Vec::new(), ids: Vec::new(), counts: Vec::new() };
        for stratum in (0..resamples).flat_map(|_| shape) {
            for _ in 0..stratum.len() {
                let place = words.below(stratum.len());
                batch.places.push(place);
                for drawn in &stratum[place] {
                    batch.ids.push(match *drawn {
                        Drawn::Pooled => words.below(POOL) as u32,
                        Drawn::Replicates(count) if count <= FEW => {
                            let Multisets { of_draws, units, .. } = &multisets[count];
                            let draws = words.take(count).iter().zip(units);
                            let digits = draws.map(|(&word, unit)| below(word, count) * unit);
                            of_draws[digits.sum::<usize>()].into()
                        }
                        Drawn::Replicates(count) => {
                            let start = batch.counts.len();
                            batch.counts.resize(start + count, 0);
                            words.count(&mut batch.counts[start..]);
                            start as u32
                        }
                    });
                }
            }
        }
        batch
    }
}
