//! `cactus`: how many runs are answered within which time.

use std::collections::BTreeSet;

use bezzel_lab::Row;
use bezzel_solve::Answer;

use super::FigureKind;
use super::few;
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

/// Lines of fewer runs are read faster from the table.
const POINTS: usize = 10;

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let groups = answers(material);
    if material.encodings.len() < 2 {
        return None;
    }
    let mut panels: Vec<_> = (0..material.solvers.len())
        .flat_map(|solver| groups.iter().map(move |group| (solver, *group)))
        .map(|(solver, group)| {
            let here = |cell: &&Cell<'_>| {
                cell.place.solver == solver && material.answer(cell.board) == group
            };
            let cells: Vec<_> = material.cells.iter().filter(here).collect();
            panel(material, &material.solvers[solver], group, &cells)
        })
        .collect();
    panels.retain(|panel| !panel.is_empty());
    if few::longest(&panels) < POINTS {
        return None;
    }
    let few = few::eight(&mut panels, few::alone);
    let rows = material.firsts(|_| true);
    let caption = paragraph(&[
        "Each line runs through the CPU times of solving of its answered runs in their order; \
             times are each run's own, not added up; the limit is on the whole process. All boards, \
             numberings, shuffles and seeds together, boards with a solution apart from boards \
             without.",
        &few,
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let columns = groups.len().clamp(1, 2);
    let chart = KIND.chart("Runs answered within a CPU time of solving", caption, columns, panels);
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
            let points = points(&steps, style);
            all.push(Series { dense: true, ..material.series(style, points) });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Mark;
    use crate::figure::marked::MARKERS;
    use crate::tests::sample::{on_side, solved, timed_out, unchecked, wrong};
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    #[test]
    fn boards_with_and_without_a_solution_and_undecided_ones_are_kept_apart() {
        let rows = vec![
            on_side(8, solved(1.0)),
            on_side(8, wrong(0.1)),
            on_side(9, unchecked(2.0)),
            on_side(10, timed_out()),
        ];
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let chart = draw(&Analysis::new(&record, &Registry::new())).unwrap();
        let panels: Vec<_> = chart
            .panels
            .iter()
            .map(|panel| {
                let points: usize = panel.series().iter().map(|series| series.points.len()).sum();
                (panel.title.as_str(), points)
            })
            .collect();
        let expected = [
            ("batsat, 1 board with a solution", 1),
            ("batsat, 1 board without a solution", 1),
            ("batsat, 1 board not decided", 0),
        ];
        assert_eq!(panels, expected);
        assert_eq!(chart.panels[1].series()[0].points[0].mark, Mark::Hollow);
        // The wrong answer is among the runs that could have been answered, and is not answered.
        let limit = chart.panels[0].position.limit.as_ref().unwrap();
        assert_eq!((limit.at, limit.label.as_str()), (Some(2.0), "all 2"));
    }

    #[test]
    fn a_few_points_of_a_long_line_are_marked_and_always_the_last() {
        let steps: Vec<_> =
            (1..=44).map(|solved| Step { solved, cpu_s: solved as f64, verified: true }).collect();
        for style in 0..12 {
            let points = points(&steps, style);
            let marked = points.iter().filter(|point| point.mark == Mark::Filled).count();
            assert!((MARKERS..=MARKERS + 1).contains(&marked), "{marked} for style {style}");
            assert_eq!(points.last().map(|point| point.mark), Some(Mark::Filled));
        }
    }
}
