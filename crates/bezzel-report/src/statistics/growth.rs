//! The growth of a quantity with the side of the board.

use std::fmt;

/// The least-squares slope of ln y against ln x, which is the exponent of a power law.
///
/// None for fewer than two different x, or if a number is not positive.
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|&(x, y)| x <= 0.0 || y <= 0.0) {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|log| log.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|log| log.1).sum::<f64>() / count;
    let spread = logs.iter().map(|log| (log.0 - mean_x).powi(2)).sum::<f64>();
    let common = logs.iter().map(|log| (log.0 - mean_x) * (log.1 - mean_y)).sum::<f64>();
    (spread > 0.0).then(|| common / spread)
}

/// The slope between the two largest x: the growth at the right end of a figure.
pub fn local_slope(points: &[(f64, f64)]) -> Option<f64> {
    let mut points = points.to_vec();
    points.sort_by(|one, two| one.0.total_cmp(&two.0));
    slope(&points[points.len().checked_sub(2)?..])
}

/// The leading term of a closed form, without its factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadingTerm {
    /// The exponent of N.
    pub power: u32,
    /// True if the logarithm of N is a factor.
    pub log: bool,
}

/// The sizes between which the leading term of a closed form is determined.
const FAR: [u32; 2] = [1 << 11, 1 << 12];

impl LeadingTerm {
    /// The leading term of `form`, from its slope at large sizes. None if the slope is neither near a whole number nor
    /// at the distance from one that a factor log N gives.
    pub fn of(form: impl Fn(u32) -> Option<u128>) -> Option<Self> {
        let [near, far] = FAR;
        let slope =
            local_slope(&[(near.into(), form(near)? as f64), (far.into(), form(far)? as f64)])?;
        // ⌈log₂ N⌉ goes from 11 to 12 here: that adds log₂(12/11) to the slope.
        let of_log = (12.0_f64 / 11.0).log2();
        // Lower terms of order √N below the leading one still bend the slope by a few percent.
        let near_to = |target: f64| (slope - target).abs() < 0.05;
        let power = slope.floor();
        if near_to(power) {
            Some(Self { power: power as u32, log: false })
        } else if near_to(power + 1.0) {
            Some(Self { power: power as u32 + 1, log: false })
        } else if near_to(power + of_log) {
            Some(Self { power: power as u32, log: true })
        } else {
            None
        }
    }
}

/// The text of a term, as in `N³` and `N² log N`.
impl fmt::Display for LeadingTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = match self.power {
            0 => "",
            1 => "N",
            2 => "N²",
            3 => "N³",
            4 => "N⁴",
            more => return write!(f, "N^{more}{}", if self.log { " log N" } else { "" }),
        };
        match (power, self.log) {
            ("", false) => f.write_str("1"),
            ("", true) => f.write_str("log N"),
            (power, false) => f.write_str(power),
            (power, true) => write!(f, "{power} log N"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("there is a slope");
        assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    }

    #[test]
    fn the_slope_of_a_power_law_is_its_exponent() {
        close(slope(&[(1.0, 5.0), (2.0, 40.0), (10.0, 5000.0)]), 3.0);
        close(slope(&[(4.0, 7.0), (16.0, 7.0)]), 0.0);
    }

    #[test]
    fn the_slope_through_scattered_points_is_that_of_least_squares() {
        // In logarithms to base e: (0, 0), (1, 3), (2, 3). Means 1 and 2; 3 over 2.
        let e = std::f64::consts::E;
        close(slope(&[(1.0, 1.0), (e, e.powi(3)), (e * e, e.powi(3))]), 1.5);
    }

    #[test]
    fn the_local_slope_takes_the_two_largest_sizes_only() {
        close(local_slope(&[(8.0, 64.0), (2.0, 999.0), (4.0, 8.0)]), 3.0);
    }

    #[test]
    fn there_is_no_slope_without_two_sizes_and_positive_numbers() {
        assert_eq!(slope(&[]), None);
        assert_eq!(local_slope(&[(8.0, 64.0)]), None);
        assert_eq!(slope(&[(8.0, 64.0), (8.0, 65.0)]), None);
        assert_eq!(slope(&[(1.0, 0.0), (2.0, 1.0)]), None);
    }

    #[test]
    fn leading_terms_are_read_off_closed_forms() {
        let term = |form: fn(u128) -> u128| {
            LeadingTerm::of(|n| Some(form(n.into()))).expect("there is a leading term").to_string()
        };
        assert_eq!(term(|n| n * (n - 1) * (5 * n - 1) / 3 + 2 * n), "N³");
        assert_eq!(term(|n| 12 * n * n - 22 * n + 12), "N²");
        assert_eq!(term(|n| n * n * u128::from(n.next_power_of_two().ilog2())), "N² log N");
        // Chen's product: 2n + 4√n for each of 6n lines.
        assert_eq!(term(|n| 12 * n * n + 24 * n * n.isqrt()), "N²");
        assert_eq!(term(|n| n), "N");
        assert_eq!(term(|_| 7), "1");
        assert_eq!(LeadingTerm::of(|n| Some(u128::from(n) * u128::from(n.isqrt()))), None);
        assert_eq!(LeadingTerm::of(|_| None), None);
    }
}
