//! Upper bounds for a share of a population by order statistics, for every distribution (Wilks, Annals of Mathematical
//! Statistics 12(1), 1941; David and Nagaraja, *Order Statistics*, 3rd edition, 2003, section 7.2).
//!
//! Of `count` values that are drawn independently, the r-th smallest is below the `share`-quantile of the population only
//! if at least r of them are. So it bounds this share of the population with a probability of at least
//! P(Binomial(`count`, `share`) < r). Nothing is assumed on the values; some of them may be infinite.

/// The smallest rank, counted from 1, whose order statistic bounds the share `share` of the population with probability
/// `level`, both between 0 and 1. None if the largest of `count` values does not.
pub fn rank(count: usize, share: f64, level: f64) -> Option<usize> {
    // The logarithm of a probability, which may be below the range of floats.
    let mut chance = count as f64 * (1.0 - share).ln();
    let mut below = 0.0;
    for smaller in 0..count {
        below += chance.exp();
        // A rounding error must not decide.
        if below >= level - 1e-9 {
            return Some(smaller + 1);
        }
        chance +=
            ((count - smaller) as f64 / (smaller + 1) as f64).ln() + (share / (1.0 - share)).ln();
    }
    None
}

/// The smallest number of values whose largest bounds this share with probability `level`: 1 − shareⁿ ≥ level.
pub fn min_count(share: f64, level: f64) -> usize {
    ((1.0 - level).ln() / share.ln() - 1e-9).ceil() as usize
}

/// The least order statistic that bounds this share of the population with probability `level`. None if there are fewer
/// than [`min_count`] values.
pub fn upper_bound(values: &[f64], share: f64, level: f64) -> Option<f64> {
    let rank = rank(values.len(), share, level)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some(sorted[rank - 1])
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn ranks_are_those_of_published_tables() {
        // Sample sizes for 95 % of the population with 95 % confidence by the largest, second largest … value: the tables
        // of nuclear safety analyses (Nutt and Wallis, Reliability Engineering & System Safety 83(1), 2004).
        for (below_largest, count) in [59, 93, 124, 153, 181].into_iter().enumerate() {
            assert_eq!(rank(count, 0.95, 0.95), Some(count - below_largest));
            let before = rank(count - 1, 0.95, 0.95);
            assert_eq!(before, (below_largest > 0).then(|| count - below_largest));
        }
        for (share, level, count) in
            [(0.95, 0.95, 59), (0.9, 0.95, 29), (0.8, 0.95, 14), (0.9, 0.9, 22), (0.99, 0.99, 459)]
        {
            assert_eq!(min_count(share, level), count);
            assert_eq!([count - 1, count].map(|of| rank(of, share, level)), [None, Some(count)]);
        }
        assert_eq!((rank(0, 0.9, 0.95), min_count(0.5, 0.75)), (None, 2));
        // Probabilities below the least positive float: the mean is 18,000, and 1.645 deviations of 42.4 are 70.
        assert!((18_068..18_073).contains(&rank(20_000, 0.9, 0.95).unwrap()));
    }

    #[test]
    fn the_rank_is_the_smallest_that_covers_by_all_outcomes_counted() {
        for count in 1..=12_usize {
            for share in [0.5_f64, 0.7, 0.8, 0.9] {
                // The probability that the r-th smallest reaches the quantile, over all sets of values below it.
                let covers = |rank: usize| -> f64 {
                    let sets = (0..1_u32 << count).map(u32::count_ones);
                    let sets = sets.filter(|&below| (below as usize) < rank);
                    sets.map(|below| {
                        share.powi(below as i32) * (1.0 - share).powi(count as i32 - below as i32)
                    })
                    .sum()
                };
                for level in [0.6, 0.9, 0.95] {
                    let expected = (1..=count).find(|&rank| covers(rank) >= level);
                    assert_eq!(rank(count, share, level), expected, "{count} {share} {level}");
                }
            }
        }
    }

    #[test]
    fn bounds_of_drawn_values_cover_the_share_as_often_as_stated() {
        let mut random = ChaCha8Rng::seed_from_u64(29);
        let (count, draws) = (40, 4_000);
        let mut covering = [0; 2];
        for _ in 0..draws {
            // A uniform number is its own share of the population.
            let mut values: Vec<f64> = (0..count).map(|_| random.random_range(0.0..1.0)).collect();
            let bound = upper_bound(&values, 0.8, 0.95).unwrap();
            values.sort_unstable_by(f64::total_cmp);
            let next = values[rank(count, 0.8, 0.95).unwrap() - 2];
            covering[0] += usize::from(bound >= 0.8);
            covering[1] += usize::from(next >= 0.8);
        }
        // 97.2 % and 92.4 % are expected, with deviations of 11 and 17 draws.
        assert!(covering[0] >= 3_790, "{covering:?}");
        assert!(covering[1] < 3_750, "{covering:?}");
        assert_eq!(upper_bound(&[2.0, f64::INFINITY, 1.0], 0.3, 0.95), Some(f64::INFINITY));
        assert_eq!(upper_bound(&[2.0; 13], 0.8, 0.95), None);
    }
}
