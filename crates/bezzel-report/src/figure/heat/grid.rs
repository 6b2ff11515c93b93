//! Grids: the content of each cell before drawing.

use bezzel_experiment::Key;

use super::super::instance::CellMedian;
use super::super::summary::keys_of;
use bezzel_statistics::{Value, median};

/// The content of one cell.
pub(super) struct GridCell {
    pub(super) value: Value,
    /// The ratio to the best cell of the comparison.
    pub(super) ratio: Value,
    /// A bound from below of the ratio. Of the value itself before ratios are set. None if there is none.
    pub(super) bound: Option<f64>,
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
        let CellMedian { value, bound, runs, unchecked, rows } = seen(row, column)?;
        Some(GridCell { value, ratio: value, bound, runs, unchecked, keys: keys_of(rows) })
    };
    rows.iter().map(|&row| (0..columns).map(|column| of(row, column)).collect()).collect()
}

/// Sets the ratios to the least value of these cells.
pub(super) fn compare<'a>(cells: impl IntoIterator<Item = &'a mut Option<GridCell>>) {
    let cells: Vec<&mut GridCell> = cells.into_iter().flatten().collect();
    let least = cells.iter().filter_map(|seen| seen.value.measured()).reduce(f64::min);
    divide(cells, least, 0.0);
}

/// Sets the ratios to the median of these cells. `zero` is added on both sides, so that zero values have ratios.
pub(super) fn compare_to_median<'a>(
    cells: impl IntoIterator<Item = &'a mut Option<GridCell>>,
    zero: f64,
) {
    let cells: Vec<&mut GridCell> = cells.into_iter().flatten().collect();
    let values: Vec<Value> = cells.iter().map(|seen| seen.value).collect();
    let middle = median(&values).and_then(Value::measured);
    divide(cells, middle, zero);
}

fn divide(cells: Vec<&mut GridCell>, by: Option<f64>, zero: f64) {
    let ratio = |value: f64| {
        let ratio = (value + zero) / (by? + zero);
        Some(if ratio.is_nan() { 1.0 } else { ratio })
    };
    for seen in cells {
        let of_value = seen.value.measured().and_then(ratio);
        seen.ratio = of_value.map_or(Value::OverLimit, Value::Measured);
        seen.bound = seen.bound.and_then(ratio);
    }
}

/// Sets the ratios within each column.
pub(super) fn down_columns(grid: &mut Grid, columns: usize) {
    for column in 0..columns {
        compare(grid.iter_mut().map(|row| &mut row[column]));
    }
}
