//! The order of the jobs of a round.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The seed of the order of all rounds.
pub(super) const SEED: u64 = 1;

/// Shuffles the jobs of each round, so that a drift of the machine affects all cells alike. The order of the rounds
/// does not change.
///
/// Each round uses its own ChaCha8 stream. Another instance or another shuffle does not change the rounds before it.
pub(super) fn arrange<T>(jobs: &mut [T], rounds: &[Range<usize>], seed: u64) {
    for (round, range) in (0..).zip(rounds) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(round);
        jobs[range.clone()].shuffle(&mut random);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_shuffled_in_itself_and_otherwise_than_the_next() {
        let listed: Vec<u32> = (0..40).collect();
        let rounds = [0..20, 20..40];
        let arranged = |seed| {
            let mut jobs = listed.clone();
            arrange(&mut jobs, &rounds, seed);
            jobs
        };
        let first = arranged(1);
        assert_eq!(first, arranged(1));
        assert_ne!(first, arranged(2));
        for (range, from) in [(0..20, 0), (20..40, 20)] {
            let mut round = first[range].to_vec();
            assert!(!round.is_sorted());
            round.sort_unstable();
            assert_eq!(round, listed[from..from + 20]);
        }
        let moved: Vec<u32> = first[20..].iter().map(|job| job - 20).collect();
        assert_ne!(first[..20], moved);
    }

    #[test]
    fn over_many_seeds_every_job_is_in_every_place_about_equally_often() {
        let mut seen = [[0_u32; 4]; 4];
        for seed in 0..4_000 {
            let mut jobs = [0, 1, 2, 3, 4];
            arrange(&mut jobs, &[0..4, 4..5], seed);
            assert_eq!(jobs[4], 4);
            for (place, job) in jobs[..4].iter().copied().enumerate() {
                seen[place][job] += 1;
            }
        }
        // 1,000 expected, with a deviation of 27.
        assert!(seen.iter().flatten().all(|count| (860..1_140).contains(count)), "{seen:?}");
    }
}
