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

/// The numbers that are drawn at once.
const CHUNK: usize = 1 << 17;

/// Random numbers in the order of the generator, of which a window is known. Shapes read the same numbers, each at its
/// own place.
pub(super) struct Words {
    random: ChaCha8Rng,
    known: Vec<u32>,
    /// The place of the first known number.
    first: usize,
}

impl Words {
    pub(super) fn new(seed: u64, stream: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream as u64);
        Self { random, known: Vec::new(), first: 0 }
    }

    /// Forgets the numbers before a place, and draws many more if fewer than `least` are left.
    pub(super) fn extend(&mut self, from: usize, least: usize) {
        self.known.drain(..from - self.first);
        self.first = from;
        let mut bytes = [0; 8_192];
        let wanted = if self.known.len() < least { least + CHUNK } else { 0 };
        while self.known.len() < wanted {
            self.random.fill_bytes(&mut bytes);
            self.known.extend(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)));
        }
    }

    /// The known numbers from a place on.
    pub(super) fn from(&self, place: usize) -> Reader<'_> {
        Reader(&self.known[place - self.first..])
    }
}

/// Random numbers that were not used.
pub(super) struct Reader<'w>(&'w [u32]);

impl<'w> Reader<'w> {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The next `count` numbers.
    fn take(&mut self, count: usize) -> &'w [u32] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
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
pub(super) struct Batch<'s> {
    shape: &'s Shape,
    multisets: &'s [Multisets],
    /// The largest number of random numbers of a resample.
    pub(super) largest: usize,
    pub(super) resamples: usize,
    /// The drawn instances, by their places in their strata, each with the place of its first number in `ids`.
    pub(super) places: Vec<(u32, u32)>,
    /// The draws of each instance of each stratum: the resample, and the place of the first number in `ids`.
    pub(super) of_instances: Vec<Vec<(u32, u32)>>,
    /// A number for each draw on them: that of a multiset, that of a resample of the pool, or the place of its counts.
    pub(super) ids: Vec<u32>,
    /// The numbers of draws of each of many replicates.
    pub(super) counts: Vec<u16>,
}

impl<'s> Batch<'s> {
    pub(super) fn new(shape: &'s Shape, multisets: &'s [Multisets]) -> Self {
        let of_drawn = |drawn: &Drawn| match *drawn {
            Drawn::Pooled => 1,
            Drawn::Replicates(count) => count,
        };
        let of_instance = |draws: &Vec<Drawn>| 1 + draws.iter().map(of_drawn).sum::<usize>();
        let of_stratum = |stratum: &Vec<Vec<Drawn>>| {
            stratum.len() * stratum.iter().map(of_instance).max().unwrap_or_default()
        };
        Self {
            shape,
            multisets,
            largest: shape.iter().map(of_stratum).sum(),
            resamples: 0,
            places: Vec::new(),
            of_instances: vec![Vec::new(); shape.iter().map(Vec::len).sum()],
            ids: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Draws resamples, at most this number, as long as there are enough random numbers.
    pub(super) fn draw(&mut self, resamples: usize, words: &mut Reader<'_>) {
        self.resamples = 0;
        self.places.clear();
        self.of_instances.iter_mut().for_each(Vec::clear);
        self.ids.clear();
        self.counts.clear();
        while self.resamples < resamples && words.len() >= self.largest {
            let mut first = 0;
            for stratum in self.shape {
                for _ in 0..stratum.len() {
                    let (place, start) = (words.below(stratum.len()), self.ids.len() as u32);
                    self.places.push((place as u32, start));
                    self.of_instances[first + place].push((self.resamples as u32, start));
                    for drawn in &stratum[place] {
                        let id = self.id(*drawn, words);
                        self.ids.push(id);
                    }
                }
                first += stratum.len();
            }
            self.resamples += 1;
        }
    }

    fn id(&mut self, drawn: Drawn, words: &mut Reader<'_>) -> u32 {
        match drawn {
            Drawn::Pooled => words.below(POOL) as u32,
            Drawn::Replicates(count) if count <= FEW => {
                let Multisets { of_draws, units, .. } = &self.multisets[count];
                let draws = words.take(count).iter().zip(units);
                let digits = draws.map(|(&word, unit)| below(word, count) * unit);
                of_draws[digits.sum::<usize>()].into()
            }
            Drawn::Replicates(count) => {
                let start = self.counts.len();
                self.counts.resize(start + count, 0);
                words.count(&mut self.counts[start..]);
                start as u32
            }
        }
    }
}
