//! Grids: the content of each cell before drawing.

use bezzel_experiment::Key;

use super::super::instance::CellMedian;
use super::super::summary::keys_of;
use bezzel_statistics::Value;

/// The content of one cell.
pub(super) struct GridCell {
    pub(super) value: Value,
    /// The ratio to the best cell of the comparison.
    pub(super) ratio: Value,
    pub(super) runs: usize,
    pub(super) unchecked: bool,
    /// The keys of the rows.
    pub(super) keys: Vec<Key>,
}

/// A grid of cells, by row and then by column.
pub(super) type Grid = Vec<Vec<Option<GridCell>>>;

/// Makes a grid without ratios.
pub(super) fn grid<'m>(
    rows: &[usize],
    columns: usize,
    seen: impl Fn(usize, usize) -> Option<CellMedian<'m>>,
) -> Grid {
    let of = |row: usize, column: usize| {
        let CellMedian { value, runs, unchecked, rows } = seen(row, column)?;
        Some(GridCell { value, ratio: value, runs, unchecked, keys: keys_of(rows) })
    };
    rows.iter().map(|&row| (0..columns).map(|column| of(row, column)).collect()).collect()
}

/// Sets the ratios to the least value of these cells. `zero` is added on both sides, so that zero values have ratios.
pub(super) fn compare<'a>(cells: impl IntoIterator<Item = &'a mut Option<GridCell>>, zero: f64) {
    let cells: Vec<&mut GridCell> = cells.into_iter().flatten().collect();
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

/// Sets the ratios within each column.
pub(super) fn down_columns(grid: &mut Grid, columns: usize) {
    for column in 0..columns {
        compare(grid.iter_mut().map(|row| &mut row[column]), 0.0);
    }
}
