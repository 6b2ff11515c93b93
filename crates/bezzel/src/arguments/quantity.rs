//! Parsers of quantities in options.

use std::time::Duration;

/// Reads a number of bytes with its unit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("kB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("bytes", 1),
        ("", 1),
    ];
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text[digits.len()..].trim();
    let factor = units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let number = digits.parse::<u64>().ok();
    let bytes = factor.and_then(|factor: u64| number?.checked_mul(factor));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "give a size such as 512MiB or 2GiB".to_owned())
}

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a time is a number of seconds, 0 or more".to_owned())
}

/// Reads a time limit in the notation of batch systems, in minutes and rounded up: `90min`, `4h`, `2d`, `04:00:00`.
pub(super) fn minutes(text: &str) -> Result<u32, String> {
    let number = |part: &str| part.parse::<u32>().ok();
    let by_clock = || -> Option<u64> {
        let (days, clock) = text.split_once('-').map_or(("0", text), |split| split);
        let parts: Vec<u32> = clock.split(':').map(number).collect::<Option<_>>()?;
        let [hours, minutes, seconds] = parts[..] else { return None };
        let days = u64::from(number(days)?);
        Some((days * 24 + u64::from(hours)) * 60 + u64::from(minutes) + u64::from(seconds > 0))
    };
    let by_unit = || -> Option<u64> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let factor = match text[digits.len()..].trim() {
            "min" => 1,
            "h" => 60,
            "d" => 24 * 60,
            _ => return None,
        };
        u64::from(number(digits)?).checked_mul(factor)
    };
    let minutes = by_clock().or_else(by_unit).and_then(|minutes| u32::try_from(minutes).ok());
    minutes
        .filter(|minutes| *minutes > 0)
        .ok_or_else(|| "give a time such as 90min, 4h, 2d or 04:00:00".to_owned())
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn time_limits_are_read_in_words_and_by_the_clock() {
        for (text, expected) in
            [("90min", 90), ("4h", 240), ("2 d", 2880), ("04:00:00", 240), ("1-00:00:01", 1441)]
        {
            assert_eq!(minutes(text), Ok(expected), "{text}");
        }
        for text in ["", "4", "0h", "4 s", "4:00", "-1h", "99999999d", "1:2:3:4"] {
            assert!(minutes(text).is_err(), "{text}");
        }
    }
}
