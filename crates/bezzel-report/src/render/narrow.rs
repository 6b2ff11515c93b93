//! Heat maps in narrow figures: their columns are divided among several panels, so that the numbers in the cells fit.

use super::axis::name_space;
use super::font::{self, Weight};
use super::layout::{PAGE, SMALL};
use crate::chart::{Chart, Facet, FacetBody, HeatCell, HeatMap, Scale};

/// The least width of a cell.
const CELL: f64 = 42.0;
/// The width beside names and cells: margins and ticks.
const BESIDE: f64 = 28.0;

/// The chart with wide heat maps divided. None if none has to be divided.
pub(super) fn narrowed(chart: &Chart, width: f64) -> Option<Chart> {
    let is_wide = |facet: &Facet| columns(facet) > fitting(facet, width);
    if width >= PAGE || !chart.facets.iter().any(is_wide) {
        return None;
    }
    let facets = chart.facets.iter().flat_map(|facet| divided(facet, fitting(facet, width)));
    Some(Chart { facets: facets.collect(), columns: 1, ..chart.clone() })
}

/// The number of columns of a heat map.
fn columns(facet: &Facet) -> usize {
    match (&facet.body, &facet.value.scale) {
        (FacetBody::Heat(_), Scale::Names(names)) => names.len(),
        _ => 0,
    }
}

/// The number of columns that a figure of this width has room for.
fn fitting(facet: &Facet, width: f64) -> usize {
    let Scale::Names(names) = &facet.position.scale else { return 1 };
    let names = names.iter().map(|name| font::width(&name.label, SMALL, Weight::Regular));
    let names = names.fold(0.0, f64::max).min(name_space(facet, width));
    ((width - names - BESIDE) / CELL).max(1.0) as usize
}

/// A heat map in panels of at most `most` columns, as even as possible.
fn divided(facet: &Facet, most: usize) -> Vec<Facet> {
    let all = columns(facet);
    let (FacetBody::Heat(heat), Scale::Names(names)) = (&facet.body, &facet.value.scale) else {
        return vec![facet.clone()];
    };
    let each = all.div_ceil(all.div_ceil(most).max(1)).max(1);
    let parts = names.chunks(each).enumerate().map(|(part, names)| {
        let here = part * each..part * each + names.len();
        let cells = heat.cells.iter().filter(|cell| here.contains(&cell.column));
        let cells = cells.map(|cell| HeatCell { column: cell.column - here.start, ..cell.clone() });
        let heat = HeatMap { cells: cells.collect(), ..heat.clone() };
        let mut facet = Facet { body: FacetBody::Heat(heat), ..facet.clone() };
        facet.value.scale = Scale::Names(names.to_vec());
        facet
    });
    parts.collect()
}
