//! The arms of a comparison, and the draws of its interval.

/// The draws of a bootstrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draws {
    /// The number of resamples, rounded down to a multiple of [`PARTS`].
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// The draws of reports. The same rows have the same intervals.
pub const DRAWS: Draws = Draws { resamples: 100_000, seed: 1848 };

/// The parts in which resamples are drawn, each by its own stream of random numbers, so that the number of threads has
/// no effect.
pub const PARTS: usize = 50;

/// The compared arms: the ratio of the first to the second of each pair. A comparison over several pairs, such as one
/// of numberings over all encodings, first takes the geometric mean over its pairs on each instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The pairs of arms.
    pub pairs: Vec<(usize, usize)>,
}

impl Contrast {
    /// The contrast of two arms.
    pub fn of(one: usize, two: usize) -> Self {
        Self { pairs: vec![(one, two)] }
    }
}
