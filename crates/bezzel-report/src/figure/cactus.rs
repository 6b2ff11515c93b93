//! `cactus`: how many runs are answered within which time.

use std::collections::BTreeSet;

use bezzel_lab::Row;
use bezzel_solve::Answer;

use super::FigureKind;
use super::instance::{answers, time_axis, title};
use super::legend::with_legends;
use super::marked::along;
use super::remark::{ends, paragraph, proofs};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Panel, Point, Series};
use crate::material::Material;
use crate::statistics::cactus::{Step, series};
use crate::statistics::cell::was_run;
use crate::statistics::{Cell, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "cactus",
    title: "Runs answered within a time",
    shows: "a cactus plot: the times of the answered runs in their order, boards with and without \
            a solution apart",
    draw,
};

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let groups = answers(material);
    let panels: Vec<_> = (0..material.solvers.len())
        .flat_map(|solver| groups.iter().map(move |group| (solver, *group)))
        .map(|(solver, group)| {
            let here = |cell: &&Cell<'_>| {
                cell.place.solver == solver && material.answer(cell.board) == group
            };
            let cells: Vec<_> = material.cells.iter().filter(here).collect();
            panel(material, &material.solvers[solver], group, &cells)
        })
        .collect();
    let rows = material.firsts(|_| true);
    let caption = paragraph(&[
        "Each line runs through the CPU times of solving of its answered runs in their order; \
             times are each run's own, not added up; the limit is on the whole process. All boards, \
             numberings, shuffles and seeds together, boards with a solution apart from boards \
             without.",
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let chart = KIND.chart(caption, groups.len().clamp(1, 2), panels);
    // Every run is a point of its own: there are no bars.
    with_legends(chart, material, "runs")
}

fn panel(
    material: &Material<'_>,
    solver: &str,
    group: Option<Answer>,
    cells: &[&Cell<'_>],
) -> Panel {
    let mut totals = BTreeSet::new();
    let mut all = Vec::new();
    for style in 0..material.encodings.len() {
        let of_encoding = cells.iter().filter(|cell| cell.place.encoding == style);
        let of_encoding: Vec<&Row> =
            of_encoding.flat_map(|cell| cell.rows.iter().copied()).collect();
        let run = of_encoding.iter().filter(|row| was_run(row)).count();
        if run > 0 {
            totals.insert(run);
        }
        let steps = series(&of_encoding);
        if !steps.is_empty() {
            let label = material.entry(style).label;
            all.push(Series { dense: true, ..Series::new(style, label, points(&steps, style)) });
        }
    }
    let boards_here: BTreeSet<_> = cells.iter().map(|cell| cell.place.board).collect();
    let position = Axis::count("Runs answered");
    // Where a line would end if all of an encoding's runs were answered.
    let position = match totals.last() {
        Some(&total) => position.with_limit(Some(total as f64), format!("all {total}")),
        None => position,
    };
    let title = title(solver, boards_here.len(), group);
    Panel::new(title, position, time_axis(material), all)
}

fn points(steps: &[Step], style: usize) -> Vec<Point> {
    let points = steps.iter().enumerate().map(|(index, step)| Point {
        mark: along(index, steps.len(), style, !step.verified),
        ..Point::new(step.solved as f64, Value::Measured(step.cpu_s))
    });
    points.collect()
}
