//! Numbers as text.

use std::hash::Hash;

use bezzel_experiment::quantity::{grouped, utc};
use indexmap::IndexMap;

pub(crate) use bezzel_experiment::quantity::counted as count;
pub(crate) use bezzel_statistics::number::{significant, significant_bound};

/// A whole number unchanged, another one with `digits` significant digits.
pub(crate) fn whole_or(number: f64, digits: u32) -> String {
    if number >= 0.0 && number.fract() == 0.0 && number < 1e15 {
        grouped(number as u128)
    } else {
        significant(number, digits)
    }
}

/// Seconds since 1970 as a date and time: `2026-03-01 12:00:05 UTC`. Beyond the year 9999, in which no run was started,
/// the number of seconds.
pub(crate) fn date(unix_s: u64) -> String {
    let Some([year, month, day, hour, minute, second]) = utc(unix_s) else {
        return format!("{unix_s} s after 1970");
    };
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The distinct values, in the order of first appearance.
pub fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for thing in things {
        if !seen.contains(&thing) {
            seen.push(thing);
        }
    }
    seen
}

/// The distinct values with their numbers of occurrences, in the order of first appearance.
pub(crate) fn count_distinct<T: Eq + Hash>(things: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counted: IndexMap<T, usize> = IndexMap::new();
    for thing in things {
        *counted.entry(thing).or_default() += 1;
    }
    counted.into_iter().collect()
}

/// Adds a sentence to the last paragraph, or as the only one.
pub(crate) fn join_last(paragraphs: &mut Vec<String>, sentence: Option<String>) {
    match (paragraphs.last_mut(), sentence) {
        (Some(last), Some(sentence)) => last.extend([" ", &sentence]),
        (None, sentence) => paragraphs.extend(sentence),
        (Some(_), None) => {}
    }
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::quantity::memory;

    use super::*;

    #[test]
    fn digits_come_in_groups_of_three_and_memory_in_binary_units() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(352_940), "352,940");
        assert_eq!(grouped(13_253_800), "13,253,800");
        assert_eq!(memory(999), "999 bytes");
        assert_eq!(memory(2 << 30), "2 GiB");
        // A number a little below 2 GiB has a decimal.
        assert_eq!(memory((2 << 30) - 1), "2.0 GiB");
    }

    #[test]
    fn whole_numbers_are_not_rounded() {
        assert_eq!(whole_or(123_456.0, 3), "123,456");
        assert_eq!(whole_or(2.5, 3), "2.50");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(951_868_800), "2000-03-01 00:00:00 UTC");
        assert_eq!(date(1_767_225_599), "2025-12-31 23:59:59 UTC");
        assert_eq!(date(u64::MAX), format!("{} s after 1970", u64::MAX));
    }
}
