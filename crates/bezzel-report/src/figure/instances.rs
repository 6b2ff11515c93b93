//! `instances`: instances with their solutions as they were found, and the values that unit propagation finds on one
//! instance.

use bezzel_experiment::{Row, Task, Verdict};
use bezzel_problem::{CellLook, Drawing, Instance};

use super::FigureKind;
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{Axis, CellSign, Chart, Facet, FacetBody, LegendSign, SignKind};
use crate::dataset::Dataset;

mod propagated;
mod solved;

pub(super) const KIND: FigureKind = FigureKind {
    id: "instances",
    title: "Instances",
    shows: "one instance of each family with its solution, or the values that unit propagation determines",
    draw,
};

/// The number of panels side by side.
const COLUMNS: usize = 3;

/// The looks of chequered cells, in the order of the legend.
const LOOKS: [CellLook; 4] =
    [CellLook::Found, CellLook::Given, CellLook::Blocked, CellLook::RuledOut];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let rows = dataset.rows(|row| row.verdict == Verdict::Verified);
    let (measured, answered): (Vec<&Row>, Vec<&Row>) =
        rows.into_iter().partition(|row| row.job.task == Task::Propagate);
    let solved = solved::select(dataset, &answered);
    let found = propagated::select(&measured);
    let facets = solved.iter().map(|solved| solved.facet(dataset));
    let facets: Vec<Facet> = facets.chain(found.iter().map(|found| found.facet(dataset))).collect();
    if facets.is_empty() {
        return None;
    }
    let signs = signs(&facets);
    let caption =
        paragraph(&[&solved::caption(dataset, &solved), &propagated::caption(dataset, &found)]);
    Some(Chart { signs, ..KIND.chart("", caption, COLUMNS, facets) })
}

/// The title of an instance above its drawing.
fn title(dataset: &Dataset<'_>, instance: &Instance) -> String {
    instance.reported().panel_title().unwrap_or_else(|| dataset.name(instance))
}

/// The preference of an instance. The least comes first: the usual size of its kind, then the smallest.
fn preference(instance: &Instance) -> (bool, u32) {
    let size = instance.size();
    (instance.reported().usual_size().is_some_and(|usual| usual != size), size)
}

/// A panel with a drawing.
fn facet(title: String, drawing: Drawing) -> Facet {
    Facet {
        body: FacetBody::Drawing(drawing),
        ..Facet::new(title, Axis::count(""), Axis::count(""), Vec::new())
    }
}

/// The signs that occur in chequered drawings, the first of each look.
fn signs(facets: &[Facet]) -> Vec<LegendSign> {
    let cells = facets.iter().filter_map(|facet| match &facet.body {
        FacetBody::Drawing(Drawing::Grid { rows, chequered: true, .. }) => Some(rows),
        _ => None,
    });
    let signs: Vec<CellSign> = cells.flatten().flatten().filter_map(CellSign::of).collect();
    let first = |look: CellLook| signs.iter().find(|sign| sign.look == look);
    let occurring = LOOKS.into_iter().filter_map(first);
    let entry =
        |&of: &CellSign| LegendSign { sign: SignKind::Cell(of), label: of.look.label().to_owned() };
    occurring.map(entry).collect()
}

#[cfg(test)]
mod tests;
