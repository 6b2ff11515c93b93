//! Which sides of boards bear markers and labels, where there are many.

use std::collections::BTreeSet;

/// With more sides than these, few of them bear a marker and a label.
const MOST: usize = 16;

/// All sides, if there are few; of many the smallest, the largest, and those that halve the way
/// between powers of two: 4, 6, 8, 12, 16, 24, 32. They stand about evenly on a log axis.
pub(super) fn marked(sides: &BTreeSet<u32>) -> BTreeSet<u32> {
    if sides.len() <= MOST {
        return sides.clone();
    }
    let is_round = |side: u32| {
        side.is_power_of_two() || (side.is_multiple_of(3) && (side / 3).is_power_of_two())
    };
    let ends = [sides.first(), sides.last()];
    let round = sides.iter().filter(|&&side| is_round(side));
    round.chain(ends.into_iter().flatten()).copied().collect()
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
