//! `heat-families`: every encoding on every family of boards, by ratios. It needs two families and three
//! encodings.

use super::super::FigureKind;
use super::super::instance::{Families, Median, chosen, fair_numbering, numbered};
use super::grid::{Seen, down_columns, grid};
use super::{Plan, chart, styles};
use crate::analysis::Analysis;
use crate::chart::{Chart, Name};
use crate::statistics::cell::times;
use crate::statistics::{Place, Value, median};

pub(in super::super) const FAMILIES: FigureKind = FigureKind {
    id: "heat-families",
    title: "Every encoding on every family of boards",
    shows: "medians over the boards of a family of the ratio of solve times to the best encoding",
    draw,
};

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    let shown = |place: Place| place.numbering == numbering;
    let styles = styles(material, shown);
    let families = Families::of(material);
    if styles.len() < 3 || families.names.len() < 2 {
        return None;
    }
    let grids = (0..material.solvers.len()).map(|solver| {
        let of = |board, encoding| {
            Median::of(material.cell(Place { board, solver, numbering, encoding })?, times)
        };
        // By family and encoding: ratios to the best encoding of each board.
        let empty = || styles.iter().map(|_| Vec::new()).collect();
        let mut ratios: Vec<Vec<Vec<Seen>>> = families.names.iter().map(|_| empty()).collect();
        for board in 0..material.instances.len() {
            let mut column = grid(&styles, 1, |encoding, _| of(board, encoding));
            down_columns(&mut column, 1);
            for (style, seen) in column.into_iter().flatten().enumerate() {
                ratios[families.of_board[board]][style].extend(seen);
            }
        }
        let rows = 0..styles.len();
        let grid = rows.map(|row| {
            let columns = ratios.iter().map(|family| {
                let values: Vec<Value> = family[row].iter().map(|it| it.ratio).collect();
                let ratio = median(&values)?;
                let runs = family[row].iter().map(|it| it.runs).sum();
                let unchecked = family[row].iter().any(|it| it.unchecked);
                Some(Seen { value: ratio, ratio, runs, unchecked })
            });
            columns.collect()
        });
        (material.solvers[solver].clone(), grid.collect())
    });
    let grids = grids.collect();
    let words = material.words;
    let about = format!(
        "In each cell the median over the {words}s of the family of the ratio of solve times: that of the \
         encoding to that of the best encoding on the same {words}, each by the median of its runs. {}",
        chosen(material)
    );
    let columns = (0..families.names.len()).map(|it| Name::new(families.told(material, it)));
    let plan = Plan {
        kind: &FAMILIES,
        title: words.of(FAMILIES.title).into_owned(),
        heading: format!(
            "Median ratio of CPU times of solving to the best encoding of the {words}{}",
            numbered(material)
        ),
        about: about.trim_end(),
        below: &words.of("Family of boards"),
        columns: columns.collect(),
        label: &words.of("Ratio to the best encoding of the board"),
        unit: None,
        shades: &words.of("Ratio to the best of the board"),
        over: "over".into(),
        ratios: true,
    };
    chart(material, plan, &styles, grids, shown)
}
