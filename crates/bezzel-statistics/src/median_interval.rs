//! The exact interval of a median by order statistics (David and Nagaraja, *Order Statistics*, 3rd edition, 2003,
//! section 7.1).

use super::ratio::LogRatio;

/// The number of instances that an interval of this level needs.
pub fn min_instances(level: f64) -> usize {
    // The extremes reach 1 − 2^(1 − n), and a float has no level closer than 2⁻⁶⁴ to 1.
    (2..64).find(|&count| rank(count, level).is_some()).unwrap_or(usize::MAX)
}

/// The largest k for which the k-th smallest and the k-th largest of `count` values enclose the median with this level.
/// None if even the extremes do not.
fn rank(count: usize, level: f64) -> Option<usize> {
    // The logarithm of a probability, which may be below the range of floats.
    let mut chance = -(count as f64) * std::f64::consts::LN_2;
    let (mut below, mut k) = (0.0, 0);
    // A rounding error must not decide.
    while k < count / 2 && 2.0 * (below + chance.exp()) <= (1.0 - level) * (1.0 + 1e-9) {
        below += chance.exp();
        chance += ((count - k) as f64 / (k + 1) as f64).ln();
        k += 1;
    }
    (k > 0).then_some(k)
}

/// The interval of the median by order statistics.
pub(super) fn order_statistics(ratios: &[LogRatio], level: f64) -> Option<(f64, f64)> {
    let k = rank(ratios.len(), level)?;
    let sorted = |of: fn(&LogRatio) -> f64| {
        let mut logs: Vec<f64> = ratios.iter().map(of).collect();
        logs.sort_unstable_by(f64::total_cmp);
        logs
    };
    Some((sorted(|ratio| ratio.low)[k - 1], sorted(|ratio| ratio.high)[ratios.len() - k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::{LEVEL, simultaneous};

    #[test]
    fn ranks_are_those_of_the_tables_of_the_sign_test() {
        for (count, expected) in
            [(5, None), (6, Some(1)), (8, Some(1)), (9, Some(2)), (10, Some(2))]
        {
            assert_eq!(rank(count, LEVEL), expected, "{count}");
        }
        for (count, expected) in [(15, Some(4)), (20, Some(6)), (25, Some(8)), (30, Some(10))] {
            assert_eq!(rank(count, LEVEL), expected, "{count}");
        }
        // Probabilities below the least positive float.
        assert!((954..=958).contains(&rank(2_000, LEVEL).unwrap()), "{:?}", rank(2_000, LEVEL));
        assert_eq!([min_instances(LEVEL), min_instances(simultaneous(LEVEL, 28))], [6, 11]);
        assert_eq!(
            [min_instances(simultaneous(LEVEL, 7)), min_instances(simultaneous(LEVEL, 253))],
            [9, 14]
        );
    }
}
