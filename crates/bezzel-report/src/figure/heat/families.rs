//! `heat-families`: every encoding on every family of instances, by ratios. It needs two families and three
//! encodings.

use super::super::FigureKind;
use super::super::instance::{
    CellMedian, FamilyIndex, fair_numbering, numbering_note, numbering_suffix,
};
use super::{GridCell, HeatSpec, NEAR, chart, down_columns, grid, styles};
use crate::analysis::Analysis;
use crate::chart::{AxisName, Chart};
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::times;
use bezzel_statistics::{Value, median};

pub(in super::super) const FAMILIES: FigureKind = FigureKind {
    id: "heat-families",
    title: "Solve time by encoding and family of instances",
    shows: "heat map of the median ratio of the solve time to that of the best encoding on the same \
            instance",
    draw,
};

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(dataset);
    let shown = |index: CellIndex| index.numbering == numbering;
    let styles = styles(dataset, shown);
    let families = FamilyIndex::of(dataset);
    if styles.len() < 3 || families.names.len() < 2 {
        return None;
    }
    let grids = (0..dataset.solvers.len()).map(|solver| {
        let of = |instance, encoding| {
            CellMedian::of(
                dataset.cell(CellIndex { instance, solver, numbering, encoding, record: 0 })?,
                times,
            )
        };
        // By family and encoding: ratios to the best encoding of each instance.
        let empty = || styles.iter().map(|_| Vec::new()).collect();
        let mut ratios: Vec<Vec<Vec<GridCell>>> = families.names.iter().map(|_| empty()).collect();
        for instance in 0..dataset.instances.len() {
            let mut column = grid(&styles, 1, |encoding, _| of(instance, encoding));
            down_columns(&mut column, 1);
            for (style, seen) in column.into_iter().flatten().enumerate() {
                ratios[families.of_instance[instance]][style].extend(seen);
            }
        }
        let rows = 0..styles.len();
        let grid = rows.map(|row| {
            let columns = ratios.iter().map(|family| {
                let values: Vec<Value> = family[row].iter().map(|it| it.ratio).collect();
                let ratio = median(&values)?;
                let runs = family[row].iter().map(|it| it.runs).sum();
                // A bound of each ratio is one of their median.
                let bounds: Option<Vec<Value>> =
                    family[row].iter().map(|it| it.bound.map(Value::Measured)).collect();
                let bound = bounds.and_then(|bounds| median(&bounds)?.measured());
                let unchecked = family[row].iter().any(|it| it.unchecked);
                let keys = family[row].iter().flat_map(|it| &it.keys).cloned().collect();
                Some(GridCell { value: ratio, ratio, bound, runs, unchecked, keys })
            });
            columns.collect()
        });
        (dataset.solvers[solver].clone(), grid.collect())
    });
    let grids = grids.collect();
    let about = format!(
        "Smaller is better. {NEAR} to the best encoding of the instance. Each cell is a median over the instances of the \
         family. The value is the solve time of the encoding divided by that of the best encoding on the same instance. \
         Both times are medians over runs. {}",
        numbering_note(dataset)
    );
    let columns = (0..families.names.len()).map(|it| AxisName::new(families.label(dataset, it)));
    let plan = HeatSpec {
        kind: &FAMILIES,
        title: FAMILIES.title.into(),
        heading: format!(
            "Median ratio of CPU times of solving to the best encoding of the instance{}",
            numbering_suffix(dataset)
        ),
        about: about.trim_end(),
        below: "Family of instances",
        columns: columns.collect(),
        label: "Ratio to the best encoding of the instance",
        unit: None,
        shades: "Ratio to the best encoding",
        over: "no answer".into(),
        ratios: true,
    };
    chart(dataset, plan, &styles, grids, shown)
}
