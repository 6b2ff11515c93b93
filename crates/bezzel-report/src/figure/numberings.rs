//! `numberings`: what the numbering of variables does, beside what the encoding does.

use bezzel_lab::Row;

use super::FigureKind;
use super::instance::{Measure, measures};
use super::legend::with_signs;
use super::remark::{ends, paragraph, proofs};
use super::summary::summary;
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Mark, Name, Panel, Point, Series};
use crate::material::Material;
use crate::statistics::Value;
use crate::statistics::cell::Cell;
use crate::statistics::replicates::spread;

pub(super) const KIND: FigureKind = FigureKind {
    id: "numberings",
    title: "Numberings side by side",
    shows: "conflicts and solve time of every encoding under every numbering, on the largest plane \
            board",
    draw,
};

type Values = fn(&[&Row]) -> Vec<Value>;

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let number = material.largest_plane_number()?;
    let board = material.boards[number];
    let cells: Vec<_> = material.cells_on(number).iter().collect();
    let measures = measures(material, material.cells_on(number));
    let told = measures.len() > 1;
    let styles: Vec<usize> = (0..material.encodings.len())
        .filter(|&style| cells.iter().any(|cell| cell.place.encoding == style))
        .collect();
    let names = names(material, &styles);
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
        .map(|(Measure { axis, of }, solver)| {
            let series = series(material, &cells, solver, &styles, *of);
            let rows = Axis::names("", names.clone());
            Panel::sideways(solver.clone(), rows, axis.clone(), series)
        })
        .collect();
    let rows = material.rows(|row| row.job.board == *board);
    let caption = paragraph(&[
        &format!(
            "The board {board}. A row for every encoding and numbering; a small dot is one run, a \
                 larger marker the median, its bar goes from the lower to the upper quartile."
        ),
        &material.shuffled_alike().map_or_else(String::new, |alike| {
            format!("Under every numbering {alike} are shuffled.")
        }),
        if told { "Zero conflicts have a place of their own." } else { "" },
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let chart = Chart {
        title: format!("{}, on board {board}", KIND.title),
        ..KIND.chart(caption, if solvers.len() == 1 { measures.len() } else { 2 }, panels)
    };
    with_signs(chart, spread(cells.iter().copied()))
}

/// A name for every row: an encoding with its first numbering, and below it the other ones.
fn names(material: &Material<'_>, styles: &[usize]) -> Vec<Name> {
    let of_encoding = |&style: &usize| {
        let entry = material.entry(style);
        let numberings = material.numberings.iter().enumerate();
        let several = material.numberings.len() > 1;
        numberings.map(move |(index, numbering)| Name {
            label: match index {
                0 if several => format!("{}, {numbering}", entry.label),
                0 => entry.label.clone(),
                _ => numbering.clone(),
            },
            style: Some(style),
            with_last: index > 0,
        })
    };
    styles.iter().flat_map(of_encoding).collect()
}

fn series(
    material: &Material<'_>,
    cells: &[&Cell<'_>],
    solver: &str,
    styles: &[usize],
    measure: Values,
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
            let at = (place * numberings + index) as f64;
            let points = cell.map(|cell| points(at, &cell.rows, measure));
            if let Some(points) = points.filter(|points| !points.is_empty()) {
                let label = format!("{}, {numbering}", material.entry(style).label);
                all.push(Series::new(style, label, points));
            }
        }
    }
    all
}

/// A dot for every run, if there are several, and the median with its bar.
fn points(at: f64, rows: &[&Row], measure: Values) -> Vec<Point> {
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
    let median = summary(at, rows, &measure(rows));
    points.extend(median.map(|point| Point { joined: false, ..point }));
    points
}
