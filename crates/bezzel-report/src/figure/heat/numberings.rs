//! `heat-numberings`: every encoding under every numbering, on one instance. It needs three numberings and
//! two encodings.

use super::super::FigureKind;
use super::super::instance::{CellMedian, time_axis};
use super::{HeatSpec, NEAR, chart, compare_to_median, grid, over, styles};
use crate::analysis::Analysis;
use crate::chart::{Axis, AxisName, Chart};
use crate::dataset::instance_label;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::{conflicts, times};

pub(in super::super) const NUMBERINGS: FigureKind = FigureKind {
    id: "heat-numberings",
    title: "Effort by encoding and numbering (variable order)",
    shows: "heat map of median conflicts or CPU times on the largest instance, shaded by the ratio to \
            the median of the panel",
    draw,
};

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let instance = dataset.compared_number()?;
    let shown = |index: CellIndex| index.instance == instance;
    let styles = styles(dataset, shown);
    let columns = dataset.numberings.len();
    if styles.len() < 2 || columns < 3 {
        return None;
    }
    // Conflicts are preferred if they are reported, since they do not depend on the machine.
    let is_effort = dataset.cells.iter().any(|cell| !cell.conflicts().is_empty());
    let axis = if is_effort { Axis::log("Conflicts", None) } else { time_axis(dataset) };
    let of = if is_effort { conflicts } else { times };
    let name = dataset.name(dataset.instances[instance]);
    let in_words = |axis: &Axis| axis.title().replacen("Conflicts", "conflicts", 1);
    let grids = (0..dataset.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, columns, |encoding, numbering| {
            let index = CellIndex { instance, solver, numbering, encoding, record: 0 };
            CellMedian::of(dataset.cell(index)?, of)
        });
        compare_to_median(grid.iter_mut().flatten(), if is_effort { 1.0 } else { 0.0 });
        (dataset.solvers[solver].clone(), grid)
    });
    let grids = grids.collect();
    let about = format!(
        "Smaller is better. {NEAR} to the median of the panel{}. Instance: {}. Each cell is a median over runs.",
        if is_effort { ", with 1 added to both" } else { "" },
        instance_label(dataset, dataset.instances[instance])
    );
    let plan = HeatSpec {
        kind: &NUMBERINGS,
        title: format!("{}, on instance {name}", NUMBERINGS.title),
        heading: format!(
            "Median {}, one instance: {}",
            in_words(&axis),
            instance_label(dataset, dataset.instances[instance])
        ),
        about: &about,
        below: "Numbering (variable order)",
        columns: dataset.numberings.iter().map(AxisName::new).collect(),
        label: &axis.label,
        unit: axis.unit.as_deref(),
        shades: "Ratio to the median of the panel",
        over: if is_effort { "no answer".into() } else { over(dataset, 1.0) },
        ratios: false,
    };
    chart(dataset, plan, &styles, grids, shown)
}
