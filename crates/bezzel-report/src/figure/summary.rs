//! The point that represents several runs, and the keys of runs.

use bezzel_experiment::{Key, Row};

use crate::chart::{Mark, Point};
use crate::row_statistics::cell::Counts;
use bezzel_statistics::{Spread, Value};

/// The keys of these rows, in their order.
pub(super) fn keys_of(rows: &[&Row]) -> Vec<Key> {
    rows.iter().map(|row| row.key.clone()).collect()
}

/// The median of the values at `at`, with a bar from the lower to the upper quartile if there is more than one. Hollow
/// if an answer among the rows is unchecked. None without values.
pub(super) fn summary(at: f64, rows: &[&Row], values: &[Value]) -> Option<Point> {
    let spread = Spread::of(values)?;
    let several = spread.count > 1;
    let mark = if Counts::of(rows).unchecked > 0 { Mark::Hollow } else { Mark::Filled };
    Some(Point {
        low: several.then_some(spread.lower),
        high: several.then_some(spread.upper),
        mark,
        runs: spread.count,
        keys: keys_of(rows),
        ..Point::new(at, spread.median)
    })
}

/// The points of a line in their order, without missing ones. A line joins only measured medians of neighbours.
pub(super) fn joined(points: impl IntoIterator<Item = Option<Point>>) -> Vec<Point> {
    let mut before = false;
    let mut all = Vec::new();
    for point in points {
        let measured = point.as_ref().is_some_and(|point| point.value != Value::OverLimit);
        all.extend(point.map(|point| Point { joined: before && measured, ..point }));
        before = measured;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_statistics::cell::times;
    use crate::tests::sample::{solved, timed_out, unchecked};

    fn point(rows: &[Row]) -> Option<Point> {
        let rows: Vec<_> = rows.iter().collect();
        summary(8.0, &rows, &times(&rows))
    }

    #[test]
    fn one_run_has_no_bar() {
        let point = point(&[solved(2.0)]).unwrap();
        assert_eq!((point.value, point.low, point.high), (Value::Measured(2.0), None, None));
        assert_eq!(point.mark, Mark::Filled);
    }

    #[test]
    fn a_bar_that_reaches_into_time_outs_is_open_above() {
        let point = point(&[solved(1.0), solved(2.0), solved(3.0), timed_out()]).unwrap();
        assert_eq!(point.value, Value::Measured(2.5));
        assert_eq!(point.low, Some(Value::Measured(1.75)));
        assert_eq!(point.high, Some(Value::OverLimit));
    }

    #[test]
    fn half_time_outs_put_the_median_over_the_limit() {
        let point = point(&[solved(1.0), timed_out()]).unwrap();
        assert_eq!(point.value, Value::OverLimit);
    }

    #[test]
    fn one_unchecked_answer_makes_the_mark_hollow() {
        assert_eq!(point(&[solved(1.0), unchecked(1.0)]).unwrap().mark, Mark::Hollow);
        assert_eq!(point(&[]), None);
    }
}
