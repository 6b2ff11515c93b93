//! Quantities as options take them.

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
