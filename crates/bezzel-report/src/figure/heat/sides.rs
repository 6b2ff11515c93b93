//! `heat-sides`: every encoding on every side, of that family of boards which has most sides. It is drawn
//! from five encodings and three sides on; with fewer, `times` shows the same.

use super::super::FigureKind;
use super::super::instance::{Families, Median, chosen, fair_numbering, numbered};
use super::grid::{Grid, down_columns, grid};
use super::{Plan, chart, over, styles};
use crate::analysis::Analysis;
use crate::chart::{Chart, Name};
use crate::statistics::cell::times;
use crate::statistics::{Place, Value};
use crate::words::size_title;

pub(in super::super) const SIDES: FigureKind = FigureKind {
    id: "heat-sides",
    title: "Solve time of every encoding on every side",
    shows: "median CPU time of solving in cells, shaded by the ratio to the best encoding of the side",
    draw,
};

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    // The kind of board with most sides, each side by one board.
    let families = Families::of(material);
    let sides_of = |family: usize| -> Vec<usize> {
        let mut boards = families.boards(family);
        boards.sort_by_key(|&board| material.instances[board].size());
        boards
    };
    let single = |boards: &Vec<usize>| {
        boards
            .windows(2)
            .all(|pair| material.instances[pair[0]].size() < material.instances[pair[1]].size())
    };
    let kinds = (0..families.names.len()).map(|kind| (kind, sides_of(kind)));
    let kinds = kinds.filter(|(_, boards)| boards.len() >= 3 && single(boards));
    // The first of those that have most sides.
    let (kind, boards) =
        kinds.reduce(|one, two| if two.1.len() > one.1.len() { two } else { one })?;
    let shown = |place: Place| place.numbering == numbering && boards.contains(&place.board);
    let styles = styles(material, shown);
    if styles.len() < 5 {
        return None;
    }
    let grids = (0..material.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, boards.len(), |encoding, column| {
            let place = Place { board: boards[column], solver, numbering, encoding };
            Median::of(material.cell(place)?, times)
        });
        down_columns(&mut grid, boards.len());
        (material.solvers[solver].clone(), grid)
    });
    let mut grids: Vec<(String, Grid)> = grids.collect();
    // Short times are easier to read without their zeros.
    let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
    let seen = seen.filter_map(|seen| seen.value.measured());
    let (least, most) =
        seen.fold((f64::INFINITY, 0.0_f64), |(least, most), s| (least.min(s), most.max(s)));
    let in_ms = most < 1.0 || (least < 1e-3 && most < 100.0);
    if in_ms {
        for seen in grids.iter_mut().flat_map(|(_, grid)| grid).flatten().flatten() {
            seen.value = seen.value.measured().map_or(seen.value, |s| Value::Measured(1e3 * s));
        }
    }
    let unit = if in_ms { ("ms", "milliseconds") } else { ("s", "seconds") };
    let about = format!(
        "{:#}s: {}. {} In each cell the median CPU time of solving in {}; the darker, the larger \
         is its ratio to the best encoding of the same column.",
        material.words,
        families.names[kind],
        chosen(material),
        unit.1
    );
    let plan = Plan {
        kind: &SIDES,
        title: material.words.of(SIDES.title).into_owned(),
        heading: format!(
            "Median CPU time of solving ({}), {}: {}{}",
            unit.0,
            material.words.of("one board of each side"),
            families.names[kind],
            numbered(material)
        ),
        about: &about,
        below: size_title(boards.iter().map(|&board| material.instances[board])),
        columns: boards
            .iter()
            .map(|&board| Name::new(material.instances[board].size().to_string()))
            .collect(),
        label: "CPU time of solving",
        unit: Some(unit.0),
        shades: "Ratio to the best of the column",
        over: over(material, if in_ms { 1e3 } else { 1.0 }),
        ratios: false,
    };
    chart(material, plan, &styles, grids, shown)
}
