//! `times`: solve time against the side of the board, on the plane.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::Geometry;
use bezzel_lab::Row;

use super::FigureKind;
use super::legend::with_legends;
use super::remark::{ends, paragraph, proofs};
use super::summary::summary;
use crate::chart::{Axis, Chart, Panel, Series};
use crate::escape::plain;
use crate::material::{Material, distinct};
use crate::number::whole_or;
use crate::statistics::cell::times;
use crate::statistics::replicates::spread;
use crate::statistics::{Cell, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "times",
    title: "Solve time against the side of the board",
    shows: "median CPU time of solving with its quartiles, on the plane",
    draw: |material| chart(material, &KIND, Geometry::Plane),
};

/// Solve times on the boards of one geometry: a panel for every solver, numbering and kind of
/// board.
pub(super) fn chart(
    material: &Material<'_>,
    kind: &FigureKind,
    geometry: Geometry,
) -> Option<Chart> {
    let boards = 0..material.boards.len();
    let boards = boards.filter(|&board| material.boards[board].geometry() == geometry);
    let terrains = distinct(boards.map(|board| material.terrain(board)));
    let numberings = material.numberings.len();
    let facets: Vec<Facet<'_>> = (0..material.solvers.len())
        .flat_map(|solver| terrains.iter().map(move |terrain| (solver, *terrain)))
        .flat_map(|(solver, terrain)| {
            (0..numberings).map(move |numbering| Facet { solver, terrain, numbering })
        })
        .collect();
    let panels: Vec<_> =
        facets.iter().map(|facet| facet.panel(material, terrains.len() > 1)).collect();
    let rows = material.firsts(|row| row.job.board.geometry() == geometry);
    let of_geometry = |cell: &&Cell<'_>| cell.board.geometry() == geometry;
    let spread = spread(material.cells.iter().filter(of_geometry));
    let chart = Chart {
        id: kind.id.into(),
        title: kind.title.into(),
        caption: paragraph(&[
            &format!(
                "Medians of the CPU time of solving, generation and loading not included; bars from \
                 the lower to the upper quartile over the {spread}. A run without an answer counts \
                 as longer than all others, so a median or quartile that depends on one lies over \
                 the limit, which is on the whole process. Marks at the same N are set apart to be \
                 seen."
            ),
            &proofs(material, &rows),
            &ends(&rows),
        ]),
        columns: (terrains.len() * material.numberings.len()).clamp(1, 2),
        panels,
        ..Chart::default()
    };
    with_legends(chart, material, spread)
}

/// What one panel is about: a solver and a numbering by their numbers, and a terrain.
struct Facet<'a> {
    solver: usize,
    terrain: &'a str,
    numbering: usize,
}

impl Facet<'_> {
    fn panel(&self, material: &Material<'_>, name_terrain: bool) -> Panel {
        let boards = 0..material.boards.len();
        let on_terrain = boards.filter(|&board| material.terrain(board) == self.terrain);
        let sides: BTreeSet<u32> = on_terrain.map(|board| material.boards[board].rows()).collect();
        let styles = 0..material.encodings.len();
        let series = styles.filter_map(|style| self.series(material, style, &sides)).collect();
        let solver = plain(&material.solvers[self.solver]);
        let mut title = format!("{solver}, {}", material.numberings[self.numbering]);
        if name_terrain {
            title = format!("{title}, {}", self.terrain);
        }
        let ticks = sides.into_iter().map(f64::from).collect();
        let position = Axis::log("Side of the board, N", None).with_ticks(ticks);
        Panel { apart: true, ..Panel::new(title, position, time_axis(material), series) }
    }

    fn series(
        &self,
        material: &Material<'_>,
        style: usize,
        sides: &BTreeSet<u32>,
    ) -> Option<Series> {
        // Several boards of one side and terrain are one point: they are its spread too.
        let mut rows_of: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
        for cell in material.cells_of(style, self.solver, self.numbering) {
            if material.terrain(cell.place.board) == self.terrain {
                rows_of.entry(cell.board.rows()).or_default().extend(&cell.rows);
            }
        }
        let mut points = Vec::new();
        let mut joined = false;
        for &side in sides {
            let rows = rows_of.remove(&side).unwrap_or_default();
            let point = summary(side.into(), &rows, &times(&rows));
            let measured = point.as_ref().is_some_and(|point| point.value != Value::OverLimit);
            // A line joins measured medians of neighbouring sides; it would say too much elsewhere.
            points.extend(point.map(|mut point| {
                point.joined = joined && measured;
                point
            }));
            joined = measured;
        }
        (!points.is_empty()).then(|| Series::new(style, material.entry(style).label, points))
    }
}

/// The axis of solve times, with the limit if all runs had the same.
pub(super) fn time_axis(material: &Material<'_>) -> Axis {
    limited(material, Axis::log("CPU time of solving", Some("s")))
}

/// An axis of times with the limit of CPU time if all runs had the same.
pub(super) fn limited(material: &Material<'_>, axis: Axis) -> Axis {
    match material.cpu_limits()[..] {
        [] => axis,
        [limit] => axis.with_limit(Some(limit), format!("limit {} s", whole_or(limit, 2))),
        // Which limit a run came to depends on the run: none of them is the axis's.
        _ => axis.with_limit(None, "no answer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{on_side, shuffled, solved, timed_out};
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    fn drawn(rows: Vec<Row>) -> Chart {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (KIND.draw)(&Material::new(&record, &Registry::new())).expect("there is something to draw")
    }

    /// The points of a panel's first series: N, what was measured, and whether a line leads there.
    fn points(panel: &Panel) -> Vec<(f64, Option<f64>, bool)> {
        let points = panel.series()[0].points.iter();
        points.map(|point| (point.at, point.value.measured(), point.joined)).collect()
    }

    fn named(mut row: Row, encoding: &str) -> Row {
        row.job.encoding = encoding.into();
        row
    }

    #[test]
    fn no_line_leads_over_a_side_on_which_nothing_was_run() {
        let rows = vec![
            on_side(8, solved(1.0)),
            on_side(32, solved(3.0)),
            on_side(60, solved(4.0)),
            on_side(16, named(solved(2.0), "other")),
        ];
        let expected = [(8.0, Some(1.0), false), (32.0, Some(3.0), false), (60.0, Some(4.0), true)];
        assert_eq!(points(&drawn(rows).panels[0]), expected);
    }

    #[test]
    fn no_line_leads_to_or_from_a_limit() {
        let rows =
            vec![on_side(8, solved(1.0)), on_side(16, timed_out()), on_side(32, solved(3.0))];
        let chart = drawn(rows);
        let expected = [(8.0, Some(1.0), false), (16.0, None, false), (32.0, Some(3.0), false)];
        assert_eq!(points(&chart.panels[0]), expected);
        assert!(chart.caption.contains("1 ended without an answer (1 at a limit of time)"));
        assert_eq!(chart.signs.len(), 1, "{:?}", chart.signs);
    }

    #[test]
    fn numberings_and_solvers_have_panels_of_their_own() {
        let mut rows = vec![solved(1.0), shuffled(1, 2.0), shuffled(2, 4.0), solved(8.0)];
        rows[3].job.solver = "cadical".into();
        let titles: Vec<_> = drawn(rows)
            .panels
            .into_iter()
            .map(|panel| (panel.title.clone(), panel.series().len()))
            .collect();
        let expected = [
            ("batsat, as-generated", 1),
            ("batsat, random", 1),
            ("cadical, as-generated", 1),
            // Planned or not, nothing was run here.
            ("cadical, random", 0),
        ];
        assert_eq!(titles, expected.map(|(title, series)| (title.to_owned(), series)));
    }
}
