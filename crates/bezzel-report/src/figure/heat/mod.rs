//! `heat-sizes`, `heat-families` and `heat-numberings`: encodings in rows, and the other varied factor in columns.
//!
//! Lines of many encodings cross and cover each other; numbers in cells do not. Each kind has a file that fills a grid
//! for every solver. This module draws the grids.

use bezzel_experiment::Key;
use bezzel_statistics::{Value, median};

use super::FigureKind;
use super::instance::{CellMedian, keys_of};
use super::remark::{ends_note, occurring, paragraph, proofs_note};
use crate::chart::{
    Axis, AxisName, Chart, Facet, FacetBody, HeatCell, HeatKey, HeatMap, LegendSign, SignKind,
};
use crate::dataset::Dataset;
use crate::number::{significant, whole_or};
use crate::row_statistics::CellIndex;

mod families;
mod numberings;
mod sizes;
#[cfg(test)]
mod tests;

pub(super) use families::FAMILIES;
pub(super) use numberings::NUMBERINGS;
pub(super) use sizes::SIZES;

/// The start of the sentence on shades. A dark page exchanges light and dark, so the text names neither.
const NEAR: &str = "The cells nearest to the background in colour have the smallest ratios";
/// The number of letters that have room below a panel with another one beside it.
const SPACE: usize = 24;

/// The texts and names of a figure of this kind, without its grids.
struct HeatSpec<'a> {
    kind: &'a FigureKind,
    title: String,
    /// The text above the panels.
    heading: String,
    about: &'a str,
    /// The title below the columns.
    below: &'a str,
    columns: Vec<AxisName>,
    /// The measure of the cells, and its unit.
    label: &'a str,
    unit: Option<&'a str>,
    /// The meaning of the shades.
    shades: &'a str,
    /// The text for a value over the limit.
    over: String,
    /// True if the cells show ratios instead of values.
    ratios: bool,
}

/// Draws a panel for each grid.
fn chart(
    dataset: &Dataset<'_>,
    plan: HeatSpec<'_>,
    styles: &[usize],
    grids: Vec<(String, Grid)>,
    is_shown: impl Fn(CellIndex) -> bool,
) -> Option<Chart> {
    let shades = if plan.kind.id == NUMBERINGS.id {
        ShadeScale::around_one(&grids)
    } else {
        ShadeScale::from_one(&grids)
    };
    let names: Vec<AxisName> = styles.iter().map(|&style| dataset.entry(style).into()).collect();
    let facet = |(title, grid): (String, Grid)| {
        let cells = grid.into_iter().enumerate().flat_map(|(row, cells)| {
            let (plan, shades) = (&plan, &shades);
            let cells = cells.into_iter().enumerate();
            cells.map(move |(column, seen)| cell(plan, shades, row, column, seen))
        });
        let heat = HeatMap {
            label: plan.label.to_owned(),
            unit: plan.unit.map(str::to_owned),
            cells: cells.collect(),
            key: shades.key(plan.shades),
        };
        let rows = Axis::names("", names.clone());
        let columns = Axis::names(plan.below, plan.columns.clone());
        Facet { body: FacetBody::Heat(heat), ..Facet::sideways(title, rows, columns, Vec::new()) }
    };
    let facets: Vec<Facet> = grids.into_iter().map(facet).collect();
    // Many columns, and long words below them, need the whole width.
    let words = plan.columns.iter().flat_map(|name| name.label.split([' ', '-']));
    let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
    let beside = if plan.columns.len() * longest.max(6) > SPACE { 1 } else { 2 };
    let cells = dataset.cells.iter().filter(|cell| is_shown(cell.index));
    let rows: Vec<_> = cells.flat_map(|cell| cell.rows.iter().copied()).collect();
    let caption = paragraph(&[plan.about, &proofs_note(dataset, &rows), &ends_note(&rows)]);
    let columns = facets.len().clamp(1, beside);
    let mut chart =
        Chart { title: plan.title, ..plan.kind.chart(&plan.heading, caption, columns, facets) };
    chart.signs = signs(&chart);
    let measured = chart.cells().any(|(_, _, cell)| cell.value.is_some());
    measured.then_some(chart)
}

fn cell(
    plan: &HeatSpec<'_>,
    shades: &ShadeScale,
    row: usize,
    column: usize,
    seen: Option<GridCell>,
) -> HeatCell {
    let Some(seen) = seen else {
        let (value, shade, text, keys) = (None, None, "–".into(), Vec::new());
        return HeatCell { row, column, value, text, shade, unchecked: false, runs: 0, keys };
    };
    let shown = if plan.ratios { seen.ratio } else { seen.value };
    let text = match shown {
        Value::Measured(value) if plan.ratios => significant(value, 2),
        // Efforts are counts.
        Value::Measured(value) if plan.unit.is_none() && value < 1e5 => one_decimal(value),
        Value::Measured(value) => significant(value, 2),
        Value::OverLimit if plan.ratios => {
            let bound = seen.bound.filter(|bound| *bound >= 1.0);
            bound.map_or_else(|| plan.over.clone(), |bound| format!("≥ {}", significant(bound, 2)))
        }
        Value::OverLimit => plan.over.clone(),
    };
    // A value over the limit is worse than all others.
    let shade = Some(seen.ratio.measured().map_or(1.0, |ratio| shades.shade(ratio)));
    let GridCell { runs, unchecked, keys, .. } = seen;
    HeatCell { row, column, value: Some(shown), text, shade, unchecked, runs, keys }
}

/// A count, or a median of counts with at most one decimal.
fn one_decimal(value: f64) -> String {
    if value.fract() == 0.0 || value >= 100.0 {
        whole_or(value.round(), 3)
    } else {
        format!("{value:.1}")
    }
}

/// The signs of the cells that are over the limit, missing or unchecked.
fn signs(chart: &Chart) -> Vec<LegendSign> {
    let any = |is: fn(&HeatCell) -> bool| chart.cells().any(|(_, _, cell)| is(cell));
    let known = [
        (any(|cell| cell.value == Some(Value::OverLimit)), SignKind::OverCell, "over the limit"),
        (any(|cell| cell.value.is_none()), SignKind::MissingCell, "missing"),
        (any(|cell| cell.unchecked), SignKind::UncheckedCell, "an answer is unchecked"),
    ];
    occurring(known.map(|(occurs, sign, label)| (occurs, sign, label.to_owned())))
}

/// The text of a cell over the limit: the limit of CPU time if all runs had the same and no other limit ended a run, in
/// a unit of which `second` make a second.
fn over(dataset: &Dataset<'_>, second: f64) -> String {
    match dataset.cpu_limit() {
        Some(limit) => format!("> {}", whole_or(second * limit, 2)),
        None => "no answer".into(),
    }
}

/// The encodings that occur in cells of this kind.
fn styles(dataset: &Dataset<'_>, is: impl Fn(CellIndex) -> bool) -> Vec<usize> {
    let mut styles: Vec<usize> = dataset
        .cells
        .iter()
        .map(|cell| cell.index)
        .filter(|&it| is(it))
        .map(|it| it.encoding)
        .collect();
    styles.sort_unstable();
    styles.dedup();
    styles
}

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

/// The key of the shades: whole powers of ten, and at most three of them.
pub(super) struct ShadeScale {
    /// The ratio with the lightest shade.
    min: f64,
    max: f64,
    /// True if some ratio is beyond the ends.
    open: [bool; 2],
}

impl ShadeScale {
    /// Shades from a ratio of 1, to the smallest value.
    pub(super) fn from_one(grids: &[(String, Grid)]) -> Self {
        let [_, largest] = range(grids);
        let max = [2.0, 10.0, 100.0].into_iter().find(|max| largest <= *max).unwrap_or(1000.0);
        Self { min: 1.0, max, open: [false, largest > max] }
    }

    /// Shades around a ratio of 1, to the median, for at least three quarters of the cells.
    pub(super) fn around_one(grids: &[(String, Grid)]) -> Self {
        let ratios: Vec<f64> = ratios(grids).collect();
        let outside = |max: f64| ratios.iter().filter(|&&it| it < 1.0 / max || it > max).count();
        let fits = |max: &f64| 4 * outside(*max) <= ratios.len();
        let max = [3.0, 10.0].into_iter().find(fits).unwrap_or(100.0);
        let [least, largest] = range(grids);
        Self { min: 1.0 / max, max, open: [least < 1.0 / max, largest > max] }
    }

    pub(super) fn shade(&self, ratio: f64) -> f64 {
        let share = (ratio / self.min).ln() / (self.max / self.min).ln();
        share.clamp(0.0, 1.0)
    }

    pub(super) fn key(&self, label: &str) -> HeatKey {
        let ratios: &[f64] = match (self.min, self.max) {
            (1.0, 2.0) => &[1.0, 1.2, 1.5, 2.0],
            (1.0, 10.0) => &[1.0, 2.0, 5.0, 10.0],
            (1.0, 100.0) => &[1.0, 3.0, 10.0, 30.0, 100.0],
            (1.0, _) => &[1.0, 10.0, 100.0, 1000.0],
            (_, 3.0) => &[1.0 / 3.0, 0.6, 1.0, 1.7, 3.0],
            (_, 10.0) => &[0.1, 0.3, 1.0, 3.0, 10.0],
            _ => &[0.01, 0.1, 1.0, 10.0, 100.0],
        };
        let read = |ratio: f64| {
            let [less, more] = self.open;
            let beyond = match ratio {
                ratio if less && ratio <= self.min => "≤ ",
                ratio if more && ratio >= self.max => "≥ ",
                _ => "",
            };
            format!("{beyond}{}×", whole_or(ratio, if ratio < 1.0 { 1 } else { 2 }))
        };
        let ticks = ratios.iter().map(|&ratio| (self.shade(ratio), read(ratio))).collect();
        HeatKey { label: label.to_owned(), ticks }
    }
}

/// The measured ratios.
fn ratios(grids: &[(String, Grid)]) -> impl Iterator<Item = f64> {
    let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
    seen.filter_map(|seen| seen.ratio.measured())
}

/// The smallest and the largest measured ratio, and 1.
fn range(grids: &[(String, Grid)]) -> [f64; 2] {
    ratios(grids).fold([1.0, 1.0], |[least, max], ratio| [least.min(ratio), max.max(ratio)])
}
