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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Mark;
    use crate::tests::sample::{on_side, solved, timed_out, unchecked, wrong};
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    fn boards(number: u32) -> Vec<Row> {
        (0..number).map(|index| on_side(10 + index, solved(f64::from(index + 1)))).collect()
    }

    #[test]
    fn boards_that_time_out_count_among_all_and_are_never_reached() {
        let mut rows = boards(7);
        rows.push(on_side(30, Row { answer: Answer::Sat, ..unchecked(0.5) }));
        rows.extend([31, 32].map(|side| on_side(side, timed_out())));
        // Another encoding shows that these two have a solution.
        rows.extend([31, 32].map(|side| {
            let mut row = on_side(side, solved(1.0));
            row.job.encoding = "other".into();
            row
        }));
        // A second run does not make a board weigh more.
        rows.push(on_side(10, solved(3.0)));
        rows.push(on_side(40, wrong(0.1)));
        let chart = drawn(rows).unwrap();
        let points = &chart.panels[0].series()[0].points;
        assert_eq!(chart.panels[0].title, "batsat, 10 boards with a solution");
        assert_eq!((points[0].at, points[0].mark), (0.5, Mark::Hollow));
        let last = points.last().unwrap();
        assert_eq!((points.len(), last.at, last.value), (8, 7.0, Value::Measured(80.0)));
        // The median of 1 and 3 seconds.
        assert_eq!(points.iter().filter(|point| (point.at, point.runs) == (2.0, 2)).count(), 1);
    }

    #[test]
    fn fewer_than_ten_boards_are_no_distribution() {
        assert_eq!(drawn(boards(9)), None);
        assert!(drawn(boards(10)).is_some());
        assert_eq!(drawn(Vec::new()), None);
    }
}
