//! `boxes`: how conflicts and solve times spread over boards of one kind and side.
//!
//! `numberings` shows how runs of one board spread; this shows boards, each by the median of its
//! runs, and is drawn where a solver met at least five of one kind and side. Of several such sides,
//! the one with most boards is shown, and of these the largest.

use std::collections::{BTreeMap, BTreeSet};

use super::FigureKind;
use super::instance::{Families, Measure, Median, chosen, fair_numbering, measures};
use super::legend::with_signs;
use super::remark::{ends, paragraph, proofs};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Mark, Name, Panel, Point, Series};
use crate::material::Material;
use crate::number::count;
use crate::statistics::{Place, Spread, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "boxes",
    title: "Spread over the boards of a kind",
    shows: "boxes of conflicts and solve times of every encoding over boards of one kind and side, \
            each board by the median of its runs",
    draw,
};

/// Fewer boards have no quartiles to speak of.
const BOARDS: usize = 5;

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    let groups = groups(material);
    let boards: BTreeSet<usize> = groups.iter().flat_map(|(_, boards)| boards).copied().collect();
    let shown = |place: Place| place.numbering == numbering && boards.contains(&place.board);
    let cells: Vec<_> = material.cells.iter().filter(|cell| shown(cell.place)).collect();
    let styles: BTreeSet<usize> = cells.iter().map(|cell| cell.place.encoding).collect();
    let styles: Vec<usize> = styles.into_iter().collect();
    let names: Vec<Name> = styles.iter().map(|&style| material.entry(style).into()).collect();
    let measures = measures(material, &material.cells);
    let mut panels = Vec::new();
    for (kind, boards) in &groups {
        for solver in 0..material.solvers.len() {
            let title = match material.solvers.len() {
                1 => kind.clone(),
                _ => format!("{}, {kind}", material.solvers[solver]),
            };
            for measure in &measures {
                let at = |board, encoding| Place { board, solver, numbering, encoding };
                let series = styles.iter().enumerate().filter_map(|(row, &style)| {
                    let point = summary(material, measure, boards, |board| at(board, style), row)?;
                    Some(Series::new(style, material.entry(style).label, vec![point]))
                });
                let rows = Axis::names("", names.clone());
                let series = series.collect();
                panels.push(Panel::sideways(&title, rows, measure.axis.clone(), series));
            }
        }
    }
    let rows: Vec<_> = cells.iter().flat_map(|cell| cell.rows.iter().copied()).collect();
    let told = groups.iter().map(|(kind, boards)| {
        let number = count(boards.len(), "board");
        format!("{kind}: {number}.")
    });
    let told: Vec<String> = told.collect();
    let caption = paragraph(&[
        "A box goes from the lower to the upper quartile over the boards, with a line at the median \
             and whiskers to the least and the most; a board is the median of its runs. A board whose \
             median depends on a run without an answer counts as harder than all others.",
        &told.join(" "),
        &chosen(material),
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let chart = KIND.chart(caption, measures.len(), panels);
    with_signs(chart, "boards")
}

/// The boards of each kind that are shown, with what a title says of them.
fn groups(material: &Material<'_>) -> Vec<(String, Vec<usize>)> {
    let families = Families::of(material);
    let mut of_side: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for board in 0..material.boards.len() {
        let key = (families.of_board[board], material.boards[board].rows());
        of_side.entry(key).or_default().push(board);
    }
    let kinds = 0..families.names.len();
    let shown = kinds.filter_map(|kind| {
        let sides = of_side.iter().filter(|((of, _), _)| *of == kind);
        let (&(_, side), boards) = sides.max_by_key(|((_, side), boards)| (boards.len(), *side))?;
        let title = format!("{}, N = {side}", families.names[kind]);
        (boards.len() >= BOARDS).then(|| (title, boards.clone()))
    });
    shown.collect()
}

/// The box over these boards; none if nothing was measured on them.
fn summary(
    material: &Material<'_>,
    measure: &Measure,
    boards: &[usize],
    place: impl Fn(usize) -> Place,
    row: usize,
) -> Option<Point> {
    let cells = boards.iter().filter_map(|&board| material.cell(place(board)));
    let medians: Vec<_> = cells.filter_map(|cell| Median::of(cell, measure.of)).collect();
    let values: Vec<Value> = medians.iter().map(|median| median.value).collect();
    let spread = Spread::of(&values)?;
    let unchecked = medians.iter().any(|median| median.unchecked);
    Some(Point {
        low: Some(spread.lower),
        high: Some(spread.upper),
        least: Some(spread.least),
        most: Some(spread.most),
        mark: if unchecked { Mark::HollowBox } else { Mark::Box },
        joined: false,
        runs: medians.iter().map(|median| median.runs).sum(),
        ..Point::new(row as f64, spread.median)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{solved, timed_out, unchecked, wrong};
    use bezzel_encode::{Board, Registry};
    use bezzel_lab::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    /// The row on a board of side 8 that has another square blocked for every number.
    fn on(number: u32, mut row: Row) -> Row {
        let square = bezzel_encode::Square { row: number / 8, column: number % 8 };
        row.job.board = Board::new(8).unwrap().with_blocked([square]).unwrap();
        row
    }

    #[test]
    fn a_box_is_over_boards_and_a_time_out_is_its_open_end() {
        let mut rows: Vec<_> = (0..4).map(|it| on(it, solved(f64::from(it + 1)))).collect();
        rows.push(on(4, timed_out()));
        // A second run of the same board, and a wrong one.
        rows.push(on(0, solved(1.0)));
        rows.push(on(5, wrong(0.01)));
        let chart = drawn(rows).unwrap();
        let (_, series, point) = chart.points().next().unwrap();
        assert_eq!((series.label.as_str(), point.mark, point.runs), ("pairwise", Mark::Box, 6));
        let value = Value::Measured;
        assert_eq!(point.value, value(3.0));
        assert_eq!((point.low, point.high), (Some(value(2.0)), Some(value(4.0))));
        assert_eq!((point.least, point.most), (Some(value(1.0)), Some(Value::OverLimit)));
    }

    #[test]
    fn an_unchecked_answer_makes_the_box_hollow() {
        let rows = (0..5).map(|it| on(it, unchecked(1.0))).collect();
        let chart = drawn(rows).unwrap();
        assert!(chart.points().all(|(_, _, point)| point.mark == Mark::HollowBox));
    }

    #[test]
    fn fewer_than_five_boards_of_a_side_are_no_box() {
        assert_eq!(drawn((0..4).map(|it| on(it, solved(1.0))).collect()), None);
        assert_eq!(drawn(Vec::new()), None);
    }
}
