//! Cutting jobs into parts that take about the same time.
//!
//! The heaviest first, each to the part that has least so far (Graham, *Bounds on multiprocessing timing
//! anomalies*, SIAM J. Appl. Math. 17 (1969), §4: no part is heavier than 4/3 of what is best possible).
//! So each part gets of small boards and of large ones, and where all weights are wrong by one factor
//! the parts are still alike.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Jobs in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The places of the jobs of each part, in order. A part is empty only if there are fewer jobs than
    /// parts.
    pub parts: Vec<Vec<usize>>,
    /// What each of them weighs.
    pub weights: Vec<f64>,
}

/// Cuts jobs of these weights into so many parts. The jobs of a round stay together, but those of a
/// round that is more than half of a part's share, or where there would be too few rounds.
pub fn cut(weights: &[f64], rounds: &[Range<usize>], parts: usize) -> Cut {
    let share = weights.iter().sum::<f64>() / parts as f64;
    let weight = |jobs: &Range<usize>| weights[jobs.clone()].iter().sum::<f64>();
    let few = rounds.len() < 2 * parts;
    let mut units: Vec<(f64, Range<usize>)> = Vec::new();
    for round in rounds {
        let whole = weight(round);
        if few || whole > share / 2.0 {
            units.extend(round.clone().map(|job| (weights[job], job..job + 1)));
        } else {
            units.push((whole, round.clone()));
        }
    }
    // Equal ones stay in their order, so that everybody cuts alike.
    units.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    // The lightest part comes first, and of these the first. No weight is negative, so that the bits of weights
    // have their order.
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
        (0..parts).map(|part| Reverse((0, part))).collect();
    let mut cut = Cut { parts: vec![Vec::new(); parts], weights: vec![0.0; parts] };
    for (weight, jobs) in units {
        let Some(mut lightest) = loads.peek_mut() else { break };
        let Reverse((_, part)) = *lightest;
        cut.parts[part].extend(jobs);
        cut.weights[part] += weight;
        *lightest = Reverse((cut.weights[part].to_bits(), part));
    }
    cut.parts.iter_mut().for_each(|part| part.sort_unstable());
    cut
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Rounds of so many jobs each.
    fn rounds(of: &[usize]) -> Vec<Range<usize>> {
        let mut from = 0;
        of.iter()
            .map(|&jobs| {
                from += jobs;
                from - jobs..from
            })
            .collect()
    }

    #[test]
    fn every_job_is_in_one_part_and_parts_weigh_about_the_same() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        for _ in 0..200 {
            let sizes: Vec<usize> =
                (0..random.random_range(1..60)).map(|_| random.random_range(1..9)).collect();
            let jobs: usize = sizes.iter().sum();
            let weights: Vec<f64> = (0..jobs).map(|_| random.random_range(0.01..3.0)).collect();
            let parts = random.random_range(1..12);
            let cut = cut(&weights, &rounds(&sizes), parts);
            let mut all: Vec<usize> = cut.parts.concat();
            all.sort_unstable();
            assert_eq!(all, (0..jobs).collect::<Vec<_>>());
            let share = weights.iter().sum::<f64>() / parts as f64;
            let heaviest = weights.iter().copied().fold(0.0, f64::max);
            for (part, told) in cut.parts.iter().zip(&cut.weights) {
                assert!(part.is_sorted());
                assert!(jobs < parts || !part.is_empty());
                let weight: f64 = part.iter().map(|&job| weights[job]).sum();
                assert!((weight - told).abs() < 1e-9);
                // The lightest took the last unit, which is one job or at most half a share.
                assert!(weight <= share + heaviest.max(share / 2.0) + 1e-9);
            }
        }
    }

    #[test]
    fn rounds_stay_together_where_there_are_many() {
        let cut = cut(&[1.0; 24], &rounds(&[3; 8]), 2);
        for part in &cut.parts {
            assert_eq!(part.len(), 12);
            assert!(part.chunks(3).all(|round| round[0] % 3 == 0 && round[2] == round[0] + 2));
        }
    }

    #[test]
    fn a_round_that_is_too_heavy_is_taken_apart() {
        let mut weights = vec![1.0; 40];
        weights[36..].fill(20.0);
        let cut = cut(&weights, &rounds(&[4; 10]), 4);
        for part in &cut.parts {
            assert_eq!(part.iter().filter(|&&job| job >= 36).count(), 1);
        }
    }

    #[test]
    fn more_parts_than_jobs_leave_some_empty() {
        let cut = cut(&[1.0, 2.0], &rounds(&[2]), 3);
        assert_eq!(cut.parts, [vec![1], vec![0], vec![]]);
    }
}
