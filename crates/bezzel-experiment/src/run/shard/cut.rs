//! Division of jobs into parts that take about the same time.
//!
//! The jobs are assigned by decreasing weight, each to the lightest part so far (Graham, *Bounds on multiprocessing
//! timing anomalies*, SIAM J. Appl. Math. 17 (1969), §4: no part is heavier than 4/3 of the optimum). Each part gets
//! small and large instances, and if all weights are wrong by one factor, the parts are still balanced.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Divides jobs of these weights into `parts` parts, and returns the places of the jobs of each part, in order. A part is
/// empty only if there are fewer jobs than parts. The jobs of a round stay together, unless the round is more than half
/// of a part's share, or there are too few rounds.
pub(super) fn cut(weights: &[f64], rounds: &[Range<usize>], parts: usize) -> Vec<Vec<usize>> {
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
    // Units of equal weight stay in their order, so that the division is reproducible.
    units.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    // The lightest part is first, and of equal parts the first. Weights are not negative, so that their bits have the
    // same order.
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
        (0..parts).map(|part| Reverse((0.0_f64.to_bits(), part))).collect();
    let mut cut = vec![Vec::new(); parts];
    for (weight, jobs) in units {
        let Some(mut lightest) = loads.peek_mut() else { break };
        let Reverse((load, part)) = *lightest;
        cut[part].extend(jobs);
        *lightest = Reverse(((f64::from_bits(load) + weight).to_bits(), part));
    }
    for part in &mut cut {
        part.sort_unstable();
    }
    cut
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Returns rounds with these numbers of jobs.
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
            let mut all: Vec<usize> = cut.concat();
            all.sort_unstable();
            assert_eq!(all, (0..jobs).collect::<Vec<_>>());
            let share = weights.iter().sum::<f64>() / parts as f64;
            let heaviest = weights.iter().copied().fold(0.0, f64::max);
            for part in &cut {
                assert!(part.is_sorted());
                assert!(jobs < parts || !part.is_empty());
                let weight: f64 = part.iter().map(|&job| weights[job]).sum();
                // The lightest part got the last unit, which is one job or at most half a share.
                assert!(weight <= share + heaviest.max(share / 2.0) + 1e-9);
            }
        }
    }

    #[test]
    fn rounds_stay_together_where_there_are_many() {
        let cut = cut(&[1.0; 24], &rounds(&[3; 8]), 2);
        for part in &cut {
            assert_eq!(part.len(), 12);
            assert!(part.chunks(3).all(|round| round[0] % 3 == 0 && round[2] == round[0] + 2));
        }
    }

    #[test]
    fn a_round_that_is_too_heavy_is_taken_apart() {
        let mut weights = vec![1.0; 40];
        weights[36..].fill(20.0);
        let cut = cut(&weights, &rounds(&[4; 10]), 4);
        for part in &cut {
            assert_eq!(part.iter().filter(|&&job| job >= 36).count(), 1);
        }
    }

    #[test]
    fn more_parts_than_jobs_leave_some_empty() {
        let cut = cut(&[1.0, 2.0], &rounds(&[2]), 3);
        assert_eq!(cut, [vec![1], vec![0], vec![]]);
    }
}
