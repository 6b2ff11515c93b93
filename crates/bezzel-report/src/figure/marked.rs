//! The choice of the points with markers and labels on dense lines.

use std::collections::BTreeSet;

use bezzel_experiment::Key;

use crate::chart::{Mark, Point, Series};
use crate::dataset::Dataset;
use bezzel_statistics::Value;

/// The number of sides above which only a few have a marker and a label.
const MAX_MARKED_SIDES: usize = 16;

/// All sides, if there are few. Of many sides the smallest, the largest, and those at powers of two and half-way
/// between them: 4, 6, 8, 12, 16, 24, 32. They are about evenly spaced on a log axis.
pub(super) fn marked(sides: &BTreeSet<u32>) -> BTreeSet<u32> {
    if sides.len() <= MAX_MARKED_SIDES {
        return sides.clone();
    }
    let is_round = |side: u32| {
        side.is_power_of_two() || (side.is_multiple_of(3) && (side / 3).is_power_of_two())
    };
    let ends = [sides.first(), sides.last()];
    let round = sides.iter().filter(|&&side| is_round(side));
    round.chain(ends.into_iter().flatten()).copied().collect()
}

/// The mark of a point at a side. Only `marked` sides have a mark.
pub(super) fn mark(side: u32, marked: &BTreeSet<u32>) -> Mark {
    if marked.contains(&side) { Mark::Filled } else { Mark::None }
}

/// A line of `numbers` for one encoding, each with its board side and the keys of its rows. It has markers on the sides
/// `marked`.
pub(super) fn line(
    dataset: &Dataset<'_>,
    style: usize,
    numbers: impl IntoIterator<Item = (u32, f64, Vec<Key>)>,
    marked: &BTreeSet<u32>,
) -> Series {
    let points = numbers.into_iter().map(|(side, number, keys)| Point {
        mark: mark(side, marked),
        keys,
        ..Point::new(side.into(), Value::Measured(number))
    });
    dataset.series(style, points.collect())
}

/// The approximate number of markers of a line on which every run or every board is a point.
pub(super) const MARKERS: usize = 4;

/// The mark of one of the points of a dense line: unchecked points, the last point and a few along the line have a
/// marker.
pub(super) fn along(index: usize, points: usize, style: usize, unchecked: bool) -> Mark {
    let every = points.div_ceil(MARKERS).max(1);
    // Each encoding marks other points, so that markers of close lines do not cover.
    let marked = index + 1 == points || (index + style * 2) % every == every / 2;
    match (unchecked, marked) {
        (true, _) => Mark::Hollow,
        (false, true) => Mark::Filled,
        (false, false) => Mark::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_few_sides_are_marked_and_few_of_many() {
        let few: BTreeSet<u32> = (4..20).collect();
        assert_eq!(marked(&few), few);
        let many: BTreeSet<u32> = (5..=70).collect();
        assert_eq!(marked(&many), [5, 6, 8, 12, 16, 24, 32, 48, 64, 70].into());
    }
}
