//! The distributions that tests and intervals refer to.

use std::f64::consts::{FRAC_2_PI, SQRT_2};

/// The probability that a standard normal number is below `x`.
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The probability that a number of Student's distribution is between −`t` and `t`: Abramowitz and Stegun, *Handbook of
/// Mathematical Functions*, 26.7.3 and 26.7.4.
fn student_within(t: f64, degrees: usize) -> f64 {
    let theta = (t / (degrees as f64).sqrt()).atan();
    let (sine, cosine) = theta.sin_cos();
    // Each term of the series is the one before it times cos² θ and a fraction.
    let mut sum = 0.0;
    let (mut term, first) = if degrees.is_multiple_of(2) { (1.0, 1) } else { (cosine, 2) };
    for number in (first..degrees).step_by(2) {
        sum += term;
        term *= cosine * cosine * number as f64 / (number + 1) as f64;
    }
    if degrees.is_multiple_of(2) { sine * sum } else { FRAC_2_PI * (theta + sine * sum) }
}

/// The number below which a number of Student's distribution with `degrees` degrees of freedom is with probability `p`,
/// above a half and below 1.
pub(crate) fn student_quantile(p: f64, degrees: usize) -> f64 {
    let target = 2.0 * p - 1.0;
    let (mut low, mut high) = (0.0, 1.0);
    while student_within(high, degrees) < target && high < 1e12 {
        high *= 2.0;
    }
    // Each step halves the distance. After 80 steps the number is constant.
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if student_within(middle, degrees) < target { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() < error, "{found} for {expected}");
    }

    #[test]
    fn the_normal_distribution_has_the_values_of_its_tables() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (1.644_854, 0.95),
            (1.959_964, 0.975),
            (-2.326_348, 0.01),
        ] {
            near(normal(x), expected, 1e-6);
        }
        // In the far tail, 1 minus a number next to 1 would have no digit left.
        near(normal(-8.0) / 6.220_961e-16, 1.0, 1e-6);
    }

    #[test]
    fn students_distribution_has_the_values_of_its_tables() {
        for (p, degrees, expected) in [
            (0.975, 1, 12.706),
            (0.975, 2, 4.303),
            (0.95, 3, 2.353),
            (0.975, 4, 2.776),
            (0.975, 9, 2.262),
            (0.995, 10, 3.169),
            (0.975, 30, 2.042),
            (0.9995, 7, 5.408),
            (0.975, 120, 1.980),
        ] {
            near(student_quantile(p, degrees), expected, 5e-4);
        }
    }
}
