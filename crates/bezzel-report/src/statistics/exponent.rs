//! Time exponents: the power of the side with which times grow, with its interval.
//!
//! Only informative points have a share: medians of at least [`LEAST_S`], since shorter times are mostly the start of a
//! search, of cells of which less than half is over the limit. The omitted points are counted. Sizes of formulas are
//! exact, and have a slope but no interval: see [`growth`](super::growth).

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::bootstrap::{DRAWS, below, middle_ranks};
use super::growth::slope;
use super::observation::{self, Observation};

/// The shortest median that has a share, in CPU seconds.
pub const LEAST_S: f64 = 0.01;

/// The least number of sides of an exponent. Two points are always on one line.
pub const SIDES: usize = 3;

/// The least number of replicates of a point for an interval. Resamples of fewer have less than the spread of a median.
pub const REPLICATES: usize = 6;

/// An exponent with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponent {
    /// The least-squares slope of the logarithms.
    pub slope: f64,
    /// The 95 % percentile interval over the replicates of each point. None if a point has fewer than [`REPLICATES`].
    /// The sides are fixed: the interval does not cover sides between and beyond.
    pub interval: Option<(f64, f64)>,
    /// The number of points.
    pub points: usize,
}

/// The points that were left out of an exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExcludedPoints {
    /// Points with medians that are too short.
    pub short: usize,
    /// Points of which half or more is over the limit.
    pub over: usize,
}

/// The exponent of points, each a side with the times of the replicates, in CPU seconds. None if fewer than [`SIDES`]
/// sides are left. A side occurs once: several boards of a side are one point, since the sides with most boards would
/// dominate the slope otherwise.
///
/// Replicates are resampled within each point. A drawn median over the limit counts by its lower bound, which bends the
/// exponent downwards. So few replicates are over the limit that this is rare.
pub fn exponent(points: &[(f64, Vec<Observation>)]) -> (Option<Exponent>, ExcludedPoints) {
    let mut left_out = ExcludedPoints::default();
    let mut kept: Vec<(f64, Vec<Observation>)> = Vec::new();
    for (side, replicates) in points {
        // A time must have a logarithm.
        let mut replicates: Vec<Observation> =
            replicates.iter().map(|seen| seen.floored(LEAST_S / 1e3)).collect();
        observation::sort(&mut replicates);
        let over = replicates.iter().filter(|seen| seen.is_over()).count();
        let Some(median) = observation::median(&replicates) else { continue };
        if 2 * over >= replicates.len() {
            left_out.over += 1;
        } else if median.bound() < LEAST_S {
            left_out.short += 1;
        } else {
            kept.push((*side, replicates));
        }
    }
    let medians: Vec<(f64, f64)> = kept
        .iter()
        .filter_map(|(side, replicates)| Some((*side, observation::median(replicates)?.bound())))
        .collect();
    let found = slope(&medians).filter(|_| medians.len() >= SIDES).map(|slope| Exponent {
        slope,
        interval: interval(&kept, medians.clone()),
        points: medians.len(),
    });
    (found, left_out)
}

fn interval(kept: &[(f64, Vec<Observation>)], mut drawn: Vec<(f64, f64)>) -> Option<(f64, f64)> {
    if kept.iter().any(|(_, replicates)| replicates.len() < REPLICATES) {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(DRAWS.seed);
    let mut counts = Vec::new();
    let mut slopes: Vec<f64> = (0..DRAWS.resamples)
        .filter_map(|_| {
            for ((_, replicates), (_, median)) in kept.iter().zip(&mut drawn) {
                counts.clear();
                counts.resize(replicates.len(), 0);
                for _ in 0..replicates.len() {
                    counts[below(&mut random, replicates.len())] += 1;
                }
                let (lower, upper) = middle_ranks(&counts);
                *median = f64::midpoint(replicates[lower].bound(), replicates[upper].bound());
            }
            slope(&drawn)
        })
        .collect();
    slopes.sort_unstable_by(f64::total_cmp);
    let place = slopes.len() / 40;
    Some((slopes[place], slopes[slopes.len() - 1 - place]))
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;

    #[test]
    fn a_power_law_without_spread_has_its_exponent_and_no_width() {
        let points =
            [10.0, 20.0, 40.0].map(|side: f64| (side, vec![Exact(1e-4 * side.powi(2)); 6]));
        let (found, left_out) = exponent(&points);
        let found = found.unwrap();
        assert!((found.slope - 2.0).abs() < 1e-9);
        let (low, high) = found.interval.unwrap();
        assert!((low - 2.0).abs() < 1e-9 && (high - 2.0).abs() < 1e-9);
        assert_eq!((found.points, left_out), (3, ExcludedPoints::default()));
    }

    #[test]
    fn short_rows_and_rows_half_over_the_limit_are_left_out_and_reported() {
        let points = [
            (2.0, vec![Exact(0.03125)]),
            (4.0, vec![Exact(0.001)]),
            (8.0, vec![Exact(0.02), Exact(0.5), AtLeast(5.0)]),
            (16.0, vec![Exact(2.0)]),
            (32.0, vec![Exact(4.0), AtLeast(5.0)]),
            (64.0, vec![AtLeast(5.0)]),
        ];
        let (found, left_out) = exponent(&points);
        assert_eq!(left_out, ExcludedPoints { short: 1, over: 2 });
        // From 0.5 s to 2 s as the side doubles.
        assert!((found.unwrap().slope - 2.0).abs() < 1e-12);
        assert_eq!(exponent(&points[1..]).0, None, "two sides");
    }

    #[test]
    fn the_interval_spans_what_the_replicates_spread() {
        // In six draws of 1 or 4, four or more are 1 in 22 of 64 cases, and as often 4: the median is either.
        let spread = [1.0, 1.0, 1.0, 4.0, 4.0, 4.0].map(Exact).to_vec();
        let with = |number: usize| {
            let points = [(4.0, vec![Exact(0.5); number]), (8.0, vec![Exact(1.0); 6])];
            let points = [points.as_slice(), &[(16.0, spread.clone())]].concat();
            exponent(&points).0.unwrap()
        };
        let found = with(6);
        // The slope of the three points is half the logarithm of the last over the first.
        assert!((found.slope - 5.0_f64.log2() / 2.0).abs() < 1e-12);
        let (low, high) = found.interval.unwrap();
        assert!((low - 0.5).abs() < 1e-12 && (high - 1.5).abs() < 1e-12);
        assert_eq!(with(5), Exponent { interval: None, ..found }, "five runs of one side");
    }
}
