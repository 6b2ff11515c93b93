//! `numberings`: what the numbering of variables does, beside what the encoding does.

use bezzel_lab::Row;

use super::FigureKind;
use super::legend::signs;
use super::remark::{ends, paragraph, proofs};
use super::summary::summary;
use super::times::time_axis;
use crate::chart::{Axis, Chart, Mark, Name, Panel, Point, Series, Sign, SignKind};
use crate::escape::plain;
use crate::material::Material;
use crate::statistics::Value;
use crate::statistics::cell::{Cell, conflicts, times};
use crate::statistics::replicates::spread;

pub(super) const KIND: FigureKind = FigureKind {
    id: "numberings",
    title: "Numberings side by side",
    shows: "conflicts and solve time of every encoding under every numbering, on the largest plane \
            board",
    draw,
};

/// How much of the room between two encodings its numberings take up.
const SHARE: f64 = 0.46;

/// The marker of a numbering: a diamond for the first, a disc for the second, then the others.
fn shape(numbering: usize) -> usize {
    const FIRST: [usize; 4] = [3, 0, 1, 2];
    FIRST.get(numbering).copied().unwrap_or(numbering)
}

/// What is measured in a row of panels.
type Measure = fn(&[&Row]) -> Vec<Value>;

fn draw(material: &Material<'_>) -> Option<Chart> {
    let number = material.largest_plane_number()?;
    let board = material.boards[number];
    let cells: Vec<_> = material.cells_on(number).iter().collect();
    let told = cells.iter().any(|cell| !cell.conflicts().is_empty());
    let mut measures: Vec<(Axis, Measure)> = vec![(time_axis(material), times)];
    if told {
        measures.insert(0, (Axis::log("Conflicts", None).with_limit(None, "no answer"), conflicts));
    }
    let styles: Vec<usize> = (0..material.encodings.len())
        .filter(|&style| cells.iter().any(|cell| cell.place.encoding == style))
        .collect();
    let names: Vec<Name> = styles.iter().map(|&style| material.entry(style).into()).collect();
    // Solvers side by side, a measure below the other; or, where they do not fill their rows, the
    // measures of each solver side by side. So no row has two measures of two solvers.
    let solvers = &material.solvers;
    let measured: Vec<_> = if solvers.len().is_multiple_of(2) {
        let of_measure = |measure| solvers.iter().map(move |solver| (measure, solver));
        measures.iter().flat_map(of_measure).collect()
    } else {
        let of_solver = |solver| measures.iter().map(move |measure| (measure, solver));
        solvers.iter().flat_map(of_solver).collect()
    };
    let panels: Vec<_> = measured
        .into_iter()
        .map(|((axis, measure), solver)| {
            let series = series(material, &cells, solver, &styles, *measure);
            let rows = Axis::names("", names.clone());
            Panel::sideways(plain(solver), rows, axis.clone(), series)
        })
        .collect();
    let rows = material.rows(|row| row.job.board == *board);
    let mut chart = Chart {
        id: KIND.id.into(),
        title: format!("{}, on board {board}", KIND.title),
        caption: paragraph(&[
            &format!(
                "The board {board}. The marker tells the numbering, the colour the encoding; a small \
                 dot is one run, a larger marker the median, its bar goes from the lower to the upper \
                 quartile."
            ),
            &material.shuffled_alike().map_or_else(String::new, |alike| {
                format!("Under every numbering {alike} are shuffled.")
            }),
            if told { "Zero conflicts have a place of their own." } else { "" },
            &proofs(material, &rows),
            &ends(&rows),
        ]),
        columns: if solvers.len() == 1 { measures.len() } else { 2 },
        panels,
        ..Chart::default()
    };
    let numberings = material.numberings.iter().enumerate().map(|(index, numbering)| Sign {
        sign: SignKind::Shape(shape(index)),
        label: numbering.clone(),
    });
    let spread = spread(cells.iter().copied());
    chart.signs = numberings.chain(signs(&chart, spread)).collect();
    (!chart.is_empty()).then_some(chart)
}

fn series(
    material: &Material<'_>,
    cells: &[&Cell<'_>],
    solver: &str,
    styles: &[usize],
    measure: Measure,
) -> Vec<Series> {
    let numberings = material.numberings.len();
    let mut all = Vec::new();
    for (place, &style) in styles.iter().enumerate() {
        for (index, numbering) in material.numberings.iter().enumerate() {
            let cell = cells.iter().find(|cell| {
                cell.place.encoding == style
                    && cell.numbering == *numbering
                    && cell.solver == solver
            });
            // From −1/2 to 1/2 over the numberings; 0 if there is one only.
            let offset =
                if numberings > 1 { index as f64 / (numberings - 1) as f64 - 0.5 } else { 0.0 };
            let at = place as f64 + SHARE * offset;
            let points = cell.map(|cell| points(at, &cell.rows, index, measure));
            if let Some(points) = points.filter(|points| !points.is_empty()) {
                let label = format!("{}, {numbering}", material.entry(style).label);
                all.push(Series::new(style, label, points));
            }
        }
    }
    all
}

/// A dot for every run, if there are several, and the median with its bar.
fn points(at: f64, rows: &[&Row], numbering: usize, measure: Measure) -> Vec<Point> {
    let mut points = Vec::new();
    if rows.len() > 1 {
        for row in rows {
            let Some(&value) = measure(&[row]).first() else { continue };
            let mark = match summary(at, &[row], &[value]).map(|point| point.mark) {
                Some(Mark::Hollow) => Mark::HollowDot,
                _ => Mark::Dot,
            };
            points.push(Point { mark, joined: false, ..Point::new(at, value) });
        }
    }
    points.extend(summary(at, rows, &measure(rows)).map(|point| {
        let mark = match point.mark {
            Mark::Hollow => Mark::HollowShape(shape(numbering)),
            _ => Mark::Shape(shape(numbering)),
        };
        Point { mark, joined: false, ..point }
    }));
    points
}
