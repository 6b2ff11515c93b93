//! The choice of the points with markers and labels on dense lines.

use std::collections::BTreeSet;

use bezzel_experiment::Key;

use crate::chart::{Mark, Point, Series};
use crate::dataset::Dataset;
use bezzel_statistics::Value;

/// The number of sizes above which only a few have a marker and a label.
const MAX_MARKED_SIDES: usize = 16;

/// All sizes, if there are few. Of many sizes the smallest, the largest, and those at powers of two and half-way
/// between them: 4, 6, 8, 12, 16, 24, 32. They are about evenly spaced on a log axis.
pub fn marked(sizes: &BTreeSet<u32>) -> BTreeSet<u32> {
    if sizes.len() <= MAX_MARKED_SIDES {
        return sizes.clone();
    }
    let is_round = |size: u32| {
        size.is_power_of_two() || (size.is_multiple_of(3) && (size / 3).is_power_of_two())
    };
    let ends = [sizes.first(), sizes.last()];
    let round = sizes.iter().filter(|&&size| is_round(size));
    round.chain(ends.into_iter().flatten()).copied().collect()
}

/// The mark of a point at a size. Only `marked` sizes have a mark.
pub fn mark(size: u32, marked: &BTreeSet<u32>) -> Mark {
    if marked.contains(&size) { Mark::Filled } else { Mark::None }
}

/// A line of `numbers` for one encoding, each with its instance size and the keys of its rows. It has markers on the
/// sizes
/// `marked`.
pub fn line(
    dataset: &Dataset<'_>,
    style: usize,
    numbers: impl IntoIterator<Item = (u32, f64, Vec<Key>)>,
    marked: &BTreeSet<u32>,
) -> Series {
    let points = numbers.into_iter().map(|(size, number, keys)| Point {
        mark: mark(size, marked),
        keys,
        ..Point::new(size.into(), Value::Measured(number))
    });
    dataset.series(style, points.collect())
}

/// The approximate number of markers of a line on which every run or every instance is a point.
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
