//! `cdf`: the share of the boards that are solved within a time.
//!
//! Where `cactus` counts runs, this counts boards, each by the median of its runs, so that one with
//! many shuffles weighs as much as one with few. It is drawn from ten boards on; on fewer, a step is
//! more than a tenth, and the table of cells has the same numbers. Boards with and without a solution are in
//! panels of their own.

use bezzel_solve::Answer;

use super::FigureKind;
use super::instance::{Median, answers, chosen, fair_numbering, time_axis, title};
use super::legend::with_legends;
use super::marked::along;
use super::remark::{ends, paragraph, proofs};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Panel, Point, Series};
use crate::material::Material;
use crate::statistics::Value;
use crate::statistics::cell::times;

pub(super) const KIND: FigureKind = FigureKind {
    id: "cdf",
    title: "Share of the boards solved within a time",
    shows: "the distribution of solve times over the boards, each by the median of its runs, boards with \
            and without a solution apart",
    draw,
};

/// On fewer boards there is no distribution to see.
const BOARDS: usize = 10;
fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    let groups = answers(material);
    let panels: Vec<Panel> = (0..material.solvers.len())
        .flat_map(|solver| groups.iter().map(move |group| (solver, *group)))
        .filter_map(|(solver, group)| panel(material, solver, numbering, group))
        .collect();
    let rows = material.firsts(|row| material.numbering(row) == material.numberings[numbering]);
    let caption = paragraph(&[
        "Each step is a board, at the median of the CPU times of solving of its runs. A board \
             whose median lies over the limit is never reached, and counts among all. The limit is \
             on the whole process. Boards with and without a solution have panels of their own, of \
             ten boards or more.",
        &chosen(material),
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let chart = KIND.chart(caption, panels.len().clamp(1, 2), panels);
    with_legends(chart, material, "runs")
}

fn panel(
    material: &Material<'_>,
    solver: usize,
    numbering: usize,
    answer: Option<Answer>,
) -> Option<Panel> {
    let mut most = 0;
    let mut all = Vec::new();
    for style in 0..material.encodings.len() {
        let cells = material.cells_of(style, solver, numbering);
        let cells = cells.filter(|cell| material.answer(cell.board) == answer);
        let mut medians: Vec<_> = cells.filter_map(|cell| Median::of(cell, times)).collect();
        medians.sort_by(|one, two| one.value.compare(two.value));
        most = most.max(medians.len());
        let points = points(&medians, style);
        if !points.is_empty() {
            let label = material.entry(style).label;
            all.push(Series { dense: true, steps: true, ..Series::new(style, label, points) });
        }
    }
    let title = title(&material.solvers[solver], most, answer);
    let share = Axis::linear("Boards solved", Some("%"));
    let share = share.with_ticks(vec![0.0, 25.0, 50.0, 75.0, 100.0]);
    let panel = Panel::new(title, time_axis(material), share, all);
    (most >= BOARDS && !panel.is_empty()).then_some(panel)
}

/// A point for each board that is solved.
fn points(medians: &[Median], style: usize) -> Vec<Point> {
    let solved: Vec<_> = medians.iter().filter_map(|it| Some((it.value.measured()?, it))).collect();
    let share = |number: usize| 100.0 * number as f64 / medians.len() as f64;
    let points = solved.iter().enumerate().map(|(index, (at, median))| Point {
        mark: along(index, solved.len(), style, median.unchecked),
        runs: median.runs,
        ..Point::new(*at, Value::Measured(share(index + 1)))
    });
    points.collect()
}
