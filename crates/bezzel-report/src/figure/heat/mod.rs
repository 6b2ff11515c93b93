//! `heat-sizes`, `heat-families` and `heat-numberings`: encodings in rows, and the other varied factor in columns.
//!
//! Lines of many encodings cross and cover each other; numbers in cells do not. Each kind has a file that fills a grid
//! for every solver. This module draws the grids.

use self::grid::{Grid, GridCell};
use self::shades::ShadeScale;
use super::FigureKind;
use super::legend::occurring;
use super::remark::{ends_note, paragraph, proofs_note};
use crate::chart::{
    Axis, AxisName, Chart, Facet, FacetBody, HeatCell, HeatMap, LegendSign, SignKind,
};
use crate::dataset::Dataset;
use crate::number::{significant, whole_or};
use crate::row_statistics::CellIndex;
use bezzel_statistics::Value;

mod families;
mod grid;
mod numberings;
mod shades;
mod sizes;
#[cfg(test)]
mod tests;

pub(super) use families::FAMILIES;
pub(super) use numberings::NUMBERINGS;
pub(super) use sizes::SIZES;

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
