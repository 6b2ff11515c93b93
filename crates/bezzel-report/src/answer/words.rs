//! Names, ratios and intervals as the sentences have them.

use std::cmp::Ordering;

use crate::number::{count, significant};
use crate::statistics::Interval;
use crate::statistics::ratio::Estimate;

/// So many names are told in a sentence.
const NAMES: usize = 4;

/// Names, the last ones only counted if there are many.
pub(super) fn names(all: &[String]) -> String {
    match all.len().cmp(&NAMES) {
        Ordering::Greater => {
            format!("{} and {} more", all[..NAMES - 1].join(", "), all.len() - (NAMES - 1))
        }
        _ => all.join(", "),
    }
}

/// The factor that an interval leaves no doubt about: its end that is nearer to 1, turned to be above
/// 1; 1 itself if the interval holds it.
pub(super) fn certain(interval: Option<Interval>) -> f64 {
    let Some(interval) = interval else { return 1.0 };
    let below = interval.high.map_or(1.0, f64::recip);
    interval.low.unwrap_or(1.0).max(below).max(1.0)
}

/// A ratio: two digits, or its bounds.
pub(super) fn read(estimate: Estimate) -> String {
    match estimate.exact() {
        Some(ratio) => significant(ratio, 2),
        None => estimate.to_string(),
    }
}

/// An interval and the number of boards that it is of.
pub(super) fn span(interval: Option<Interval>, boards: usize) -> String {
    let boards = count(boards, "board");
    interval.map_or_else(
        || boards.clone(),
        |interval| {
            let low = interval.low.map_or_else(|| "0".into(), |low| significant(low, 2));
            let high = interval.high.map_or_else(|| "∞".into(), |high| significant(high, 2));
            format!("{low} to {high} on {boards}")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_last_are_counted() {
        let all: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
        assert_eq!(names(&all[..2]), "a, b");
        assert_eq!(names(&all[..4]), "a, b, c, d");
        assert_eq!(names(&all), "a, b, c and 2 more");
    }

    #[test]
    fn what_is_certain_is_the_end_of_an_interval_that_is_nearer_to_one() {
        let told = |interval| significant(certain(interval), 2);
        let of = |low, high| told(Some(Interval { low, high, level: 0.95 }));
        assert_eq!([of(Some(2.0), Some(3.0)), of(Some(2.0), None)], ["2.0", "2.0"]);
        assert_eq!([of(Some(0.25), Some(0.5)), of(None, Some(0.5))], ["2.0", "2.0"]);
        assert_eq!([of(Some(0.5), Some(2.0)), of(None, None), told(None)], ["1.0", "1.0", "1.0"]);
    }
}
