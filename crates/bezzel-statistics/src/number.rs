//! Numbers with a number of significant digits.

use bezzel_problem::quantity::grouped;

/// The number with `digits` significant digits, without an exponent: `0.00123`, `12.3`, `1,230`.
///
/// Numbers that are not finite are words.
pub fn significant(number: f64, digits: u32) -> String {
    rounded(number, digits, f64::round)
}

/// The same of a positive lower bound, rounded down, or of an upper one, rounded up.
pub fn significant_bound(number: f64, digits: u32, is_lower: bool) -> String {
    rounded(number, digits, |units| match units.round() {
        nearest if (nearest - units).abs() < 1e-9 * units => nearest,
        _ if is_lower => units.floor(),
        _ => units.ceil(),
    })
}

fn rounded(number: f64, digits: u32, round: impl Fn(f64) -> f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "not a number".into() } else { "infinite".into() };
    }
    if number == 0.0 {
        return "0".into();
    }
    let digits = digits as i32;
    // Rounding may reach the next power of ten, so the exponent is that of the rounded number.
    let exponent = |number: f64| number.abs().log10().floor() as i32;
    let unit = 10.0_f64.powi(exponent(number) - digits + 1);
    let rounded = round(number / unit) * unit;
    let decimals = digits - 1 - exponent(rounded * (1.0 + 1e-12));
    if decimals <= 0 {
        let sign = if rounded < 0.0 { "−" } else { "" };
        return format!("{sign}{}", grouped(rounded.abs().round() as u128));
    }
    format!("{rounded:.*}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn significant_digits_are_kept_whatever_the_magnitude() {
        assert_eq!(significant(0.001_234_5, 3), "0.00123");
        assert_eq!(significant(12.345, 3), "12.3");
        let bound = |number, is_lower| significant_bound(number, 3, is_lower);
        assert_eq!((bound(0.997_846, true), bound(9.999, false)), ("0.997".into(), "10.0".into()));
        assert_eq!(
            (bound(0.563_488, false), bound(0.563, false)),
            ("0.564".into(), "0.563".into())
        );
        assert_eq!(significant(12_345.0, 3), "12,300");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(significant(9.999, 2), "10");
        assert_eq!(significant(0.099_99, 2), "0.10");
        assert_eq!(significant(1.0, 2), "1.0");
        assert_eq!(significant(-5_000.0, 1), "−5,000");
        assert_eq!(significant(f64::NAN, 3), "not a number");
    }
}
