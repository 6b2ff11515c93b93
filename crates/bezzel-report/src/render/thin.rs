//! Lines and marks of very many points: points that would cover each other are drawn once.
//!
//! In each strip half a pixel wide a line keeps the first, the last, the highest and the lowest point. The drawn line
//! differs from the whole line by less than half a pixel. The data of a figure has every point.

use std::collections::HashSet;

use super::pen::PixelPosition;
use crate::chart::Mark;

/// The number of points above which lines are thinned.
const MANY: usize = 2000;
/// The number of strips in a pixel.
const FINE: f64 = 2.0;

/// The points that are needed to draw a line, in their order: four for each strip at most.
pub(super) fn line(line: &[PixelPosition]) -> Vec<PixelPosition> {
    if line.len() <= MANY {
        return line.to_vec();
    }
    let strip = |position: &PixelPosition| (position.0 * FINE).floor() as i64;
    let mut kept = Vec::new();
    for run in line.chunk_by(|one, two| strip(one) == strip(two)) {
        let high = |&one: &usize, &two: &usize| run[one].1.total_cmp(&run[two].1);
        let (highest, lowest) = ((0..run.len()).min_by(high), (0..run.len()).max_by(high));
        let mut places: Vec<usize> =
            [Some(0), highest, lowest, Some(run.len() - 1)].into_iter().flatten().collect();
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|place| run[place]));
    }
    kept
}

/// The marks of one series that are drawn already.
#[derive(Default)]
pub(super) struct DrawnMarks {
    known: HashSet<(u8, bool, i64, i64)>,
}

impl DrawnMarks {
    /// True if no mark of this kind is drawn in the same pixel yet. All marks of a series with at most [`MANY`]
    /// `points` are drawn.
    pub(super) fn is_new(
        &mut self,
        mark: Mark,
        over: bool,
        (x, y): PixelPosition,
        points: usize,
    ) -> bool {
        if points <= MANY {
            return true;
        }
        let kind = match mark {
            Mark::None => return false,
            Mark::Filled => 0,
            Mark::Hollow => 1,
            Mark::Shape(_) => 2,
            Mark::HollowShape(_) => 3,
            Mark::Tick => 4,
        };
        self.known.insert((kind, over, x.floor() as i64, y.floor() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of a line at `x`, by joining its points.
    fn height(line: &[PixelPosition], x: f64) -> f64 {
        let pair = line.windows(2).find(|pair| pair[0].0 <= x && x <= pair[1].0).unwrap();
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
        if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y0 }
    }

    #[test]
    fn a_line_of_very_many_points_is_drawn_by_few_and_stays_where_it_was() {
        let whole: Vec<PixelPosition> = (0..100_000)
            .map(|at| (f64::from(at) * 0.003, 150.0 - 20.0 * (1.0 + f64::from(at)).ln()))
            .collect();
        let thin = line(&whole);
        assert!(thin.len() <= 4 * 600 + 4, "{}", thin.len());
        assert_eq!((thin.first(), thin.last()), (whole.first(), whole.last()));
        for x in [0.9, 3.3, 77.7, 150.01, 299.2] {
            // The line falls, so that the whole line has this height within half a pixel to either side.
            let (left, right) = (height(&whole, x - 0.5), height(&whole, x + 0.5));
            assert!((right..=left).contains(&height(&thin, x)), "at {x}");
        }
    }

    #[test]
    fn a_single_leap_among_very_many_points_is_kept() {
        let mut whole: Vec<PixelPosition> =
            (0..50_000).map(|at| (f64::from(at) * 0.001, 10.0)).collect();
        whole[31_415].1 = 90.0;
        let thin = line(&whole);
        assert!(thin.contains(&whole[31_415]));
        assert!(thin.len() < 500, "{}", thin.len());
    }

    #[test]
    fn few_points_are_all_kept() {
        let few: Vec<PixelPosition> = (0..MANY).map(|at| (1.0, at as f64)).collect();
        assert_eq!(line(&few), few);
        let mut drawn = DrawnMarks::default();
        assert!(drawn.is_new(Mark::Filled, false, (1.0, 1.0), 2));
        assert!(drawn.is_new(Mark::Filled, false, (1.0, 1.0), 2));
    }

    #[test]
    fn of_very_many_marks_the_distinguishable_ones_are_drawn() {
        let mut drawn = DrawnMarks::default();
        let mut new = |mark, over, position| drawn.is_new(mark, over, position, 10_000);
        assert!(new(Mark::Hollow, false, (10.1, 5.0)));
        assert!(!new(Mark::Hollow, false, (10.8, 5.9)));
        assert!(new(Mark::Filled, false, (10.8, 5.9)), "another kind");
        assert!(new(Mark::Hollow, true, (10.8, 5.9)), "with an arrow");
        assert!(new(Mark::Hollow, false, (11.0, 5.0)));
    }
}
