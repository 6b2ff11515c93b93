//! `heat-sides`, `heat-families` and `heat-numberings`: encodings in rows, and in columns what else
//! was varied.
//!
//! Lines of many encodings cross and hide each other; numbers in cells do not. Each kind has a file,
//! which fills a grid for every solver; here the grids are drawn.

use self::grid::{Grid, Seen};
use self::shades::Shades;
use super::FigureKind;
use super::legend::occurring;
use super::remark::{ends, paragraph, proofs};
use crate::chart::{Axis, Body, Chart, Heat, HeatCell, Name, Panel, Sign, SignKind};
use crate::material::Material;
use crate::number::{significant, whole_or};
use crate::statistics::{Place, Value};

mod families;
mod grid;
mod numberings;
mod shades;
mod sides;
#[cfg(test)]
mod tests;

pub(super) use families::FAMILIES;
pub(super) use numberings::NUMBERINGS;
pub(super) use sides::SIDES;

/// The number of letters that have room below a panel with another one beside it.
const ROOM: usize = 24;

/// The texts and names of a figure of this kind, without its grids.
struct Plan<'a> {
    kind: &'a FigureKind,
    title: String,
    /// The text above the panels.
    heading: String,
    about: &'a str,
    /// The title below the columns.
    below: &'a str,
    columns: Vec<Name>,
    /// The measure of the cells, and its unit.
    label: &'a str,
    unit: Option<&'a str>,
    /// The meaning of the shades.
    shades: &'a str,
    /// What is written for a value over the limit.
    over: String,
    /// Whether the ratio is written and not the value.
    ratios: bool,
}

/// Draws a panel for each grid.
fn chart(
    material: &Material<'_>,
    plan: Plan<'_>,
    styles: &[usize],
    grids: Vec<(String, Grid)>,
    places: impl Fn(Place) -> bool,
) -> Option<Chart> {
    let shades = Shades::of(&grids);
    let names: Vec<Name> = styles.iter().map(|&style| material.entry(style).into()).collect();
    let panel = |(title, grid): (String, Grid)| {
        let cells = grid.into_iter().enumerate().flat_map(|(row, cells)| {
            let (plan, shades) = (&plan, &shades);
            let cells = cells.into_iter().enumerate();
            cells.map(move |(column, seen)| cell(plan, shades, row, column, seen))
        });
        let heat = Heat {
            label: plan.label.to_owned(),
            unit: plan.unit.map(str::to_owned),
            cells: cells.collect(),
            key: shades.key(plan.shades),
        };
        let rows = Axis::names("", names.clone());
        let columns = Axis::names(plan.below, plan.columns.clone());
        Panel { body: Body::Heat(heat), ..Panel::sideways(title, rows, columns, Vec::new()) }
    };
    let panels: Vec<Panel> = grids.into_iter().map(panel).collect();
    // Many columns, and long words below them, need the whole width.
    let words = plan.columns.iter().flat_map(|name| name.label.split([' ', '-']));
    let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
    let beside = if plan.columns.len() * longest.max(6) > ROOM { 1 } else { 2 };
    let cells = material.cells.iter().filter(|cell| places(cell.place));
    let rows: Vec<_> = cells.flat_map(|cell| cell.rows.iter().copied()).collect();
    let caption = paragraph(&[plan.about, &proofs(material, &rows), &ends(&rows)]);
    let columns = panels.len().clamp(1, beside);
    let mut chart =
        Chart { title: plan.title, ..plan.kind.chart(&plan.heading, caption, columns, panels) };
    chart.signs = signs(&chart);
    let measured = chart.cells().any(|(_, _, cell)| cell.value.is_some());
    measured.then_some(chart)
}

fn cell(
    plan: &Plan<'_>,
    shades: &Shades,
    row: usize,
    column: usize,
    seen: Option<Seen>,
) -> HeatCell {
    let Some(seen) = seen else {
        let (value, shade, text) = (None, None, "–".into());
        return HeatCell { row, column, value, text, shade, unchecked: false, runs: 0 };
    };
    let shown = if plan.ratios { seen.ratio } else { seen.value };
    let text = match shown {
        Value::Measured(value) if plan.ratios => significant(value, 2),
        // Efforts are counts.
        Value::Measured(value) if plan.unit.is_none() && value < 1e5 => whole_or(value, 3),
        Value::Measured(value) => significant(value, 2),
        Value::OverLimit => plan.over.clone(),
    };
    let shade = seen.ratio.measured().map(|ratio| shades.shade(ratio));
    let (runs, unchecked) = (seen.runs, seen.unchecked);
    HeatCell { row, column, value: Some(shown), text, shade, unchecked, runs }
}

/// The signs of the cells that have no shade or are unchecked.
fn signs(chart: &Chart) -> Vec<Sign> {
    let any = |is: fn(&HeatCell) -> bool| chart.cells().any(|(_, _, cell)| is(cell));
    let known = [
        (any(|cell| cell.value == Some(Value::OverLimit)), SignKind::OverCell, "over the limit"),
        (any(|cell| cell.value.is_none()), SignKind::MissingCell, "missing"),
        (any(|cell| cell.unchecked), SignKind::UncheckedCell, "an answer is unchecked"),
    ];
    occurring(known.map(|(occurs, sign, label)| (occurs, sign, label.to_owned())))
}

/// The text of a cell over the limit: the limit of CPU time if all runs had the same and no other
/// one ended a run, in a unit of which so many are a second.
fn over(material: &Material<'_>, second: f64) -> String {
    match material.cpu_limit() {
        Some(limit) => format!("> {}", whole_or(second * limit, 2)),
        None => "over".into(),
    }
}

/// The encodings that occur at places of this kind.
fn styles(material: &Material<'_>, is: impl Fn(Place) -> bool) -> Vec<usize> {
    let mut styles: Vec<usize> = material
        .cells
        .iter()
        .map(|cell| cell.place)
        .filter(|&it| is(it))
        .map(|it| it.encoding)
        .collect();
    styles.sort_unstable();
    styles.dedup();
    styles
}
