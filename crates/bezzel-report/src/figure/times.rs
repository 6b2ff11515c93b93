//! `times`: solve time against the side of the board, on the plane.

use std::collections::BTreeSet;

use bezzel_encode::Geometry;
use bezzel_lab::Row;

use super::FigureKind;
use super::remark::{ends, paragraph};
use super::summary::{signs, summary};
use crate::chart::{Axis, Chart, Panel, Series};
use crate::escape::plain;
use crate::material::{Material, distinct, terrain};
use crate::number::whole_or;
use crate::statistics::Value;
use crate::statistics::cell::times;

pub(super) const KIND: FigureKind = FigureKind {
    id: "times",
    title: "Solve time against the side of the board",
    shows: "median CPU time of solving with its quartiles over shuffles, on the plane",
    draw: |material| chart(material, &KIND, Geometry::Plane),
};

/// Solve times on the boards of one geometry: a panel for every solver, numbering and kind of
/// board.
pub(super) fn chart(
    material: &Material<'_>,
    kind: &FigureKind,
    geometry: Geometry,
) -> Option<Chart> {
    let boards = material.boards.iter().filter(|board| board.geometry() == geometry);
    let terrains = distinct(boards.map(|board| terrain(board)));
    let facets: Vec<Facet<'_>> = material
        .solvers
        .iter()
        .flat_map(|solver| terrains.iter().map(move |terrain| (solver, terrain)))
        .flat_map(|(solver, terrain)| {
            let numberings = material.numberings.iter();
            numberings.map(move |numbering| Facet { solver, terrain, numbering })
        })
        .collect();
    let panels: Vec<_> =
        facets.iter().map(|facet| facet.panel(material, terrains.len() > 1)).collect();
    let rows = material.rows(|row| row.job.board.geometry() == geometry);
    let mut chart = Chart {
        id: kind.id.into(),
        title: kind.title.into(),
        caption: paragraph(&[
            "Medians of the CPU time of solving, generation and loading not included; bars from the \
             lower to the upper quartile over the shuffles. A run without an answer counts as longer \
             than all others, so a median or quartile that depends on one lies over the limit. Marks \
             at the same N are set apart to be seen.",
            &ends(&rows),
        ]),
        columns: (terrains.len() * material.numberings.len()).clamp(1, 2),
        legend: material.legend(
            &panels.iter().flat_map(|panel| &panel.series).map(|series| series.style).collect(),
        ),
        panels,
        signs: Vec::new(),
    };
    chart.signs = signs(&chart, "shuffles");
    (!chart.is_empty()).then_some(chart)
}

/// What one panel is about.
struct Facet<'a> {
    solver: &'a str,
    terrain: &'a str,
    numbering: &'a str,
}

impl Facet<'_> {
    fn panel(&self, material: &Material<'_>, name_terrain: bool) -> Panel {
        let on_terrain = material.boards.iter().filter(|board| terrain(board) == self.terrain);
        let sides: BTreeSet<u32> = on_terrain.map(|board| board.side()).collect();
        let styles = 0..material.encodings.len();
        let series = styles.filter_map(|style| self.series(material, style, &sides)).collect();
        let mut title = format!("{}, {}", plain(self.solver), self.numbering);
        if name_terrain {
            title = format!("{title}, {}", self.terrain);
        }
        let ticks = sides.into_iter().map(f64::from).collect();
        Panel {
            title,
            position: Axis::log("Side of the board, N", None).with_ticks(ticks),
            value: time_axis(material),
            sideways: false,
            end_title: None,
            series,
        }
    }

    fn series(
        &self,
        material: &Material<'_>,
        style: usize,
        sides: &BTreeSet<u32>,
    ) -> Option<Series> {
        let mut points = Vec::new();
        let mut joined = false;
        for &side in sides {
            // Several boards of one side and terrain are one point: they are its spread too.
            let cells = material.cells.iter().filter(|cell| {
                cell.encoding == material.encodings[style]
                    && cell.solver == self.solver
                    && cell.numbering == self.numbering
                    && cell.board.side() == side
                    && terrain(cell.board) == self.terrain
            });
            let rows: Vec<&Row> = cells.flat_map(|cell| cell.rows.iter().copied()).collect();
            let point = summary(side.into(), &rows, &times(&rows));
            let measured = point.as_ref().is_some_and(|point| point.value != Value::OverLimit);
            // A line joins measured medians of neighbouring sides; it would say too much elsewhere.
            points.extend(point.map(|mut point| {
                point.joined = joined && measured;
                point
            }));
            joined = measured;
        }
        (!points.is_empty()).then(|| Series {
            style,
            label: material.entry(style).label,
            dense: false,
            points,
            end: None,
        })
    }
}

/// The axis of solve times, with the limit if all runs had the same.
pub(super) fn time_axis(material: &Material<'_>) -> Axis {
    let axis = Axis::log("CPU time of solving", Some("s"));
    match material.cpu_limits()[..] {
        [] => axis,
        [limit] => axis.with_limit(Some(limit), format!("limit {} s", whole_or(limit, 2))),
        // Which limit a run came to depends on the run: none of them is the axis's.
        _ => axis.with_limit(None, "no answer"),
    }
}
