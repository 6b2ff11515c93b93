//! The text forms of quantities in messages, plans and reports.

use std::time::{Duration, SystemTime};

pub use bezzel_encode::size::grouped;
pub use bezzel_problem::quantity::counted;

/// The longest measured time that is accepted: ten years, in seconds. The limits of configs are at most one year.
pub const LONGEST_S: f64 = 10.0 * 31_557_600.0;

/// The largest measured memory that is accepted: a pebibyte.
pub const MAX_BYTES: u64 = 1 << 50;

/// Returns an amount of memory in a suitable unit.
pub fn memory(bytes: u128) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    // Three digits suffice.
    let decimals = usize::from(value.fract() != 0.0 && value < 100.0);
    format!("{value:.decimals$} {}", units[unit])
}

/// Returns seconds as a duration, for any number in a row: zero for negative numbers, and the longest duration for
/// numbers that a duration cannot hold.
pub fn span(seconds: f64) -> Duration {
    if seconds > 0.0 {
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    } else {
        Duration::ZERO
    }
}

/// A moment in seconds since 1970.
pub(crate) fn unix_s(moment: SystemTime) -> f64 {
    moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// Returns seconds since 1970 as year, month, day, hour, minute and second of the calendar; none after the year 9999.
pub fn utc(unix_s: u64) -> Option<[u64; 6]> {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    let mut day = unix_s / 86_400;
    loop {
        let days = if is_leap(year) { 366 } else { 365 };
        if day < days {
            break;
        }
        day -= days;
        year += 1;
        if year > 9999 {
            return None;
        }
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    Some([year, month, day + 1, unix_s / 3_600 % 24, unix_s / 60 % 60, unix_s % 60])
}

/// Returns seconds in a suitable unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 120.0 => format!("{seconds} s"),
        _ if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86400.0),
    }
}

/// Returns a measured time with about three digits, in the unit of its size: `35 µs`, `1.20 ms`, `47.3 s`.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        _ if seconds < 1e-3 => return format!("{:.0} µs", 1e6 * seconds),
        _ if seconds < 1.0 => (1e3 * seconds, "ms"),
        _ => (seconds, "s"),
    };
    let decimals = 2 - usize::from(value >= 10.0) - usize::from(value >= 100.0);
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_unit_of_its_size() {
        let times = [0.0, 35e-6, 1.2e-3, 0.0473, 0.5, 47.31, 4_000.0].map(time);
        assert_eq!(times, ["0 µs", "35 µs", "1.20 ms", "47.3 ms", "500 ms", "47.3 s", "4000 s"]);
    }

    #[test]
    fn every_number_is_a_span() {
        assert_eq!(span(1.5), Duration::from_millis(1500));
        for none in [0.0, -0.0, -1.0, -1e308, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(span(none), Duration::ZERO, "{none}");
        }
        for longest in [1e20, 1e308, f64::INFINITY] {
            assert_eq!(span(longest), Duration::MAX, "{longest}");
        }
    }
}
