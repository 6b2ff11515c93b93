//! Grids: what is to be seen of each cell, before it is drawn.

use super::super::instance::Median;
use crate::statistics::Value;

/// What is to be seen of one cell.
pub(super) struct Seen {
    pub(super) value: Value,
    /// How many times the best it is compared with.
    pub(super) ratio: Value,
    pub(super) runs: usize,
    pub(super) unchecked: bool,
}

/// A grid of cells, by row and then by column.
pub(super) type Grid = Vec<Vec<Option<Seen>>>;

/// Before ratios are known.
pub(super) fn grid(
    rows: &[usize],
    columns: usize,
    seen: impl Fn(usize, usize) -> Option<Median>,
) -> Grid {
    let of = |row: usize, column: usize| {
        let Median { value, runs, unchecked } = seen(row, column)?;
        Some(Seen { value, ratio: value, runs, unchecked })
    };
    rows.iter().map(|&row| (0..columns).map(|column| of(row, column)).collect()).collect()
}

/// Makes the ratios those to the least value of these cells. `zero` is added on both sides, so that
/// what may be none at all has a ratio.
pub(super) fn compare<'a>(cells: impl IntoIterator<Item = &'a mut Option<Seen>>, zero: f64) {
    let cells: Vec<&mut Seen> = cells.into_iter().flatten().collect();
    let least = cells.iter().filter_map(|seen| seen.value.measured()).reduce(f64::min);
    for seen in cells {
        seen.ratio = match (seen.value, least) {
            (Value::Measured(value), Some(least)) => {
                let ratio = (value + zero) / (least + zero);
                Value::Measured(if ratio.is_nan() { 1.0 } else { ratio })
            }
            _ => Value::OverLimit,
        };
    }
}

/// Cells that are compared down each column.
pub(super) fn down_columns(grid: &mut Grid, columns: usize) {
    for column in 0..columns {
        compare(grid.iter_mut().map(|row| &mut row[column]), 0.0);
    }
}
