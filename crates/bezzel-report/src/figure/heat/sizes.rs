//! `heat-sizes`: every encoding on every size, for the family of instances with most sizes. It is drawn from five
//! encodings and three sizes on; with fewer, `times` shows the same.

use super::super::FigureKind;
use super::super::instance::{
    CellMedian, FamilyIndex, fair_numbering, numbering_note, numbering_suffix,
};
use super::{Grid, HeatSpec, NEAR, chart, down_columns, grid, over, styles};
use crate::analysis::Analysis;
use crate::chart::{AxisName, Chart};
use crate::instance_words::SizeName;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::times;
use bezzel_statistics::Value;

pub(in super::super) const SIZES: FigureKind = FigureKind {
    id: "heat-sizes",
    title: "Solve time by encoding and size of the instance",
    shows: "heat map of the median CPU time of solving, shaded by the ratio to the best encoding of the \
            same size",
    draw,
};

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(dataset);
    // The kind of instance with most sizes, each size by one instance.
    let families = FamilyIndex::of(dataset);
    let sizes_of = |family: usize| -> Vec<usize> {
        let mut instances = families.instances(family);
        instances.sort_by_key(|&instance| dataset.instances[instance].size());
        instances
    };
    let single = |instances: &Vec<usize>| {
        instances
            .windows(2)
            .all(|pair| dataset.instances[pair[0]].size() < dataset.instances[pair[1]].size())
    };
    let kinds = (0..families.names.len()).map(|kind| (kind, sizes_of(kind)));
    let kinds = kinds.filter(|(_, instances)| instances.len() >= 3 && single(instances));
    // The first of the kinds with most sizes.
    let (kind, instances) =
        kinds.reduce(|one, two| if two.1.len() > one.1.len() { two } else { one })?;
    let shown =
        |index: CellIndex| index.numbering == numbering && instances.contains(&index.instance);
    let styles = styles(dataset, shown);
    if styles.len() < 5 {
        return None;
    }
    let grids = (0..dataset.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, instances.len(), |encoding, column| {
            let index =
                CellIndex { instance: instances[column], solver, numbering, encoding, record: 0 };
            CellMedian::of(dataset.cell(index)?, times)
        });
        down_columns(&mut grid, instances.len());
        (dataset.solvers[solver].clone(), grid)
    });
    let mut grids: Vec<(String, Grid)> = grids.collect();
    // Short times are easier to read without their zeros.
    let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
    let seen = seen.filter_map(|seen| seen.value.measured());
    let (least, max) =
        seen.fold((f64::INFINITY, 0.0_f64), |(least, max), s| (least.min(s), max.max(s)));
    let in_ms = max < 1.0 || (least < 1e-3 && max < 100.0);
    if in_ms {
        for seen in grids.iter_mut().flat_map(|(_, grid)| grid).flatten().flatten() {
            seen.value = seen.value.measured().map_or(seen.value, |s| Value::Measured(1e3 * s));
        }
    }
    let unit = if in_ms { ("ms", "milliseconds") } else { ("s", "seconds") };
    let about = format!(
        "Smaller is better. {NEAR} to the best encoding of the column. Instances: {}. {} Each cell is the median CPU time \
         of solving in {}.",
        families.names[kind],
        numbering_note(dataset),
        unit.1
    );
    let plan = HeatSpec {
        kind: &SIZES,
        title: SIZES.title.into(),
        heading: format!(
            "Median CPU time of solving ({}), {}: {}{}",
            unit.0,
            "one instance of each size",
            families.names[kind],
            numbering_suffix(dataset)
        ),
        about: &about,
        below: SizeName::new(instances.iter().map(|&instance| dataset.instances[instance])).title(),
        columns: instances
            .iter()
            .map(|&instance| AxisName::new(dataset.instances[instance].size().to_string()))
            .collect(),
        label: "CPU time of solving",
        unit: Some(unit.0),
        shades: "Ratio to the best of the column",
        over: over(dataset, if in_ms { 1e3 } else { 1.0 }),
        ratios: false,
    };
    chart(dataset, plan, &styles, grids, shown)
}
