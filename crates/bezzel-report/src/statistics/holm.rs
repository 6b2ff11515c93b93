//! Holm's correction for many comparisons.

/// The adjusted probabilities of a family of tests: rejecting those below a level keeps the chance of
/// even one false rejection below it (Holm, *A simple sequentially rejective multiple test
/// procedure*, Scandinavian Journal of Statistics 6, 1979).
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|one, two| probabilities[*one].total_cmp(&probabilities[*two]));
    let mut adjusted = vec![1.0; probabilities.len()];
    let mut largest: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        let left = (probabilities.len() - rank) as f64;
        largest = largest.max((probabilities[place] * left).min(1.0));
        adjusted[place] = largest;
    }
    adjusted
}

/// The level of each of so many intervals that together hold with `level`, from 0 to 1.
///
/// Bonferroni's: the same for all, since intervals that step down as Holm's tests do hold one by one
/// but not together, and a claim that arms are equivalent needs an interval that does.
pub fn simultaneous(level: f64, intervals: usize) -> f64 {
    1.0 - (1.0 - level) / intervals.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
    }

    #[test]
    fn the_smallest_counts_for_all_and_none_falls_below_the_one_before() {
        // 4 · 0.005, 3 · 0.01, 2 · 0.03, and 0.04, which stays at 0.06.
        same(&holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
        same(&holm(&[0.5, 0.9]), &[1.0, 1.0]);
        same(&holm(&[0.02]), &[0.02]);
        same(&holm(&[]), &[]);
    }

    #[test]
    fn equal_probabilities_are_adjusted_alike() {
        same(&holm(&[0.01, 0.01, 0.01]), &[0.03, 0.03, 0.03]);
    }

    #[test]
    fn adjusted_rejections_are_those_of_the_stepwise_procedure() {
        // Holm's own words: test the smallest at α/n, the next at α/(n − 1), stop at the first failure.
        let cases = [vec![0.001, 0.02, 0.03, 0.012], vec![0.013, 0.012, 0.6], vec![0.04, 0.04]];
        for probabilities in cases {
            let adjusted = holm(&probabilities);
            let mut order: Vec<usize> = (0..probabilities.len()).collect();
            order.sort_by(|one, two| probabilities[*one].total_cmp(&probabilities[*two]));
            let mut rejecting = true;
            for (rank, place) in order.into_iter().enumerate() {
                let left = probabilities.len() - rank;
                rejecting &= probabilities[place] <= 0.05 / left as f64;
                assert_eq!(adjusted[place] <= 0.05, rejecting, "{probabilities:?}");
            }
        }
    }

    #[test]
    fn one_of_twenty_intervals_is_wider_than_one_alone() {
        same(&[simultaneous(0.95, 1), simultaneous(0.95, 20)], &[0.95, 0.9975]);
    }
}
