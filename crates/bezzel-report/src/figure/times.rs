//! `times`: solve time against the side of the board, on the plane.
//!
//! Quartiles are bands where there are at most three encodings, else bars: more bands than three
//! cover each other. Boards of one family and side are one point, each by the median of its runs.

use std::collections::BTreeMap;

use bezzel_encode::Geometry;
use bezzel_lab::Row;

use super::FigureKind;
use super::instance::{Families, time_axis};
use super::legend::with_legends;
use super::remark::{ends, paragraph, proofs};
use super::summary::{joined, summary};
use crate::chart::{Axis, Chart, Panel, Point, Series};
use crate::material::Material;
use crate::statistics::cell::times;
use crate::statistics::replicates::spread;
use crate::statistics::{Place, median};

pub(super) const KIND: FigureKind = FigureKind {
    id: "times",
    title: "Solve time against the side of the board",
    shows: "median CPU time of solving with its quartiles, on the plane",
    draw: |material| chart(material, &KIND, Geometry::Plane),
};

/// Solve times on the boards of one geometry: a panel for every solver, numbering and family of
/// boards.
pub(super) fn chart(
    material: &Material<'_>,
    kind: &FigureKind,
    geometry: Geometry,
) -> Option<Chart> {
    let families = Families::of(material);
    let of_geometry = |board: usize| material.boards[board].geometry() == geometry;
    let shown = 0..families.names.len();
    let shown: Vec<(usize, Vec<usize>)> = shown
        .map(|family| (family, families.boards(family).into_iter().filter(|&it| of_geometry(it))))
        .map(|(family, boards)| (family, boards.collect()))
        .filter(|(_, boards): &(_, Vec<usize>)| !boards.is_empty())
        .collect();
    let (shown, elsewhere) = with_sides(material, &families, shown);
    let solvers = 0..material.solvers.len();
    let facets = solvers
        .flat_map(|solver| shown.iter().map(move |(family, boards)| (solver, *family, boards)))
        .flat_map(|(solver, family, boards)| {
            let name = (shown.len() > 1).then(|| families.names[family].as_str());
            let numberings = 0..material.numberings.len();
            numberings.map(move |numbering| Facet { material, solver, numbering, name, boards })
        });
    let panels: Vec<Panel> = facets.map(|facet| facet.panel()).collect();
    let rows = material.firsts(|row| row.job.board.geometry() == geometry);
    let pooled = shown.iter().any(|(_, boards)| of_sides(material, boards).len() < boards.len());
    let cells = material.cells.iter().filter(|cell| cell.board.geometry() == geometry);
    let spread = if pooled { "boards" } else { spread(cells) };
    let bands = has_bands(material);
    let caption = paragraph(&[
        &format!(
            "Medians of the CPU time of solving, generation and loading not included; {} from \
                 the lower to the upper quartile over the {spread}. A run without an answer counts \
                 as longer than all others, so a median or quartile that depends on one lies over \
                 the limit, which is on the whole process.{}",
            if bands { "bands" } else { "bars" },
            if bands { "" } else { " Marks at the same N are set apart to be seen." }
        ),
        if pooled {
            "Where a family has several boards of a side, each is the median of its runs first."
        } else {
            ""
        },
        &elsewhere,
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let chart = kind.chart(
        caption,
        match material.numberings.len() {
            // Numberings of one solver and family stand side by side.
            3 => 3,
            numberings => (shown.len() * numberings).clamp(1, 2),
        },
        panels,
    );
    with_legends(chart, material, spread)
}

/// The families that have several sides, if there are any, with a sentence about the others: boxes and
/// heat maps say more of boards of one side than a single mark.
fn with_sides(
    material: &Material<'_>,
    families: &Families,
    shown: Vec<(usize, Vec<usize>)>,
) -> (Vec<(usize, Vec<usize>)>, String) {
    let (several, single): (Vec<_>, Vec<_>) =
        shown.into_iter().partition(|(_, boards)| of_sides(material, boards).len() > 1);
    if several.is_empty() {
        return (single, String::new());
    }
    let names: Vec<&str> =
        single.iter().map(|(family, _)| families.names[*family].as_str()).collect();
    let told = match &names[..] {
        [] => String::new(),
        names => format!("Not shown are boards of a single side: {}.", names.join("; ")),
    };
    (several, told)
}

/// Whether there are so few encodings that their quartiles are seen best as bands: more than three
/// cover each other.
fn has_bands(material: &Material<'_>) -> bool {
    material.encodings.len() <= 3
}

/// The boards of each side, by their numbers.
fn of_sides(material: &Material<'_>, boards: &[usize]) -> BTreeMap<u32, Vec<usize>> {
    let mut sides: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &board in boards {
        sides.entry(material.boards[board].rows()).or_default().push(board);
    }
    sides
}

/// What one panel is about.
struct Facet<'a> {
    material: &'a Material<'a>,
    solver: usize,
    numbering: usize,
    /// The name of the family, if there are several.
    name: Option<&'a str>,
    boards: &'a [usize],
}

impl Facet<'_> {
    fn panel(&self) -> Panel {
        let material = self.material;
        let sides = of_sides(material, self.boards);
        let styles = 0..material.encodings.len();
        let series = styles.filter_map(|style| self.series(style, &sides)).collect();
        let solver = material.solvers[self.solver].clone();
        let mut title = format!("{solver}, {}", material.numberings[self.numbering]);
        if let Some(name) = self.name {
            title = format!("{title}, {name}");
        }
        let ticks = sides.into_keys().map(f64::from).collect();
        let position = Axis::log("Side of the board, N", None).with_ticks(ticks);
        // Bands need no room beside each other, and must not lean.
        let apart = !has_bands(material);
        Panel { apart, ..Panel::new(title, position, time_axis(material), series) }
    }

    fn series(&self, encoding: usize, sides: &BTreeMap<u32, Vec<usize>>) -> Option<Series> {
        let material = self.material;
        let (solver, numbering) = (self.solver, self.numbering);
        let points = joined(sides.iter().map(|(&side, boards)| {
            let place = |&board: &usize| Place { board, solver, numbering, encoding };
            let cells: Vec<_> =
                boards.iter().filter_map(|board| material.cell(place(board))).collect();
            let rows: Vec<&Row> = cells.iter().flat_map(|cell| cell.rows.iter().copied()).collect();
            let runs = times(&rows);
            // A board with many runs weighs no more than one with few.
            let values = if boards.len() > 1 {
                cells.iter().filter_map(|cell| median(&cell.times())).collect()
            } else {
                runs.clone()
            };
            let point = summary(side.into(), &rows, &values)?;
            Some(Point { runs: runs.len(), ..point })
        }));
        let (label, band) = (material.entry(encoding).label, has_bands(material));
        (!points.is_empty()).then(|| Series { band, ..Series::new(encoding, label, points) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use crate::tests::sample::{
        at_wall_limit, on_side, out_of_memory, shuffled, solved, timed_out,
    };
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    fn drawn(rows: Vec<Row>) -> Chart {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (KIND.draw)(&Analysis::new(&record, &Registry::new())).expect("there is something to draw")
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
        assert!(chart.caption.contains("1 ended without an answer (1 at the CPU limit)"));
        assert_eq!(chart.signs.len(), 1, "{:?}", chart.signs);
    }

    #[test]
    fn the_line_of_the_cpu_limit_is_there_only_if_no_other_limit_ended_a_run() {
        let drawn = |late: Row| {
            let chart = drawn(vec![on_side(8, solved(1.0)), on_side(16, late)]);
            let limit = chart.panels[0].value.limit.clone().expect("an axis of times has one");
            (limit.at, limit.label)
        };
        assert_eq!(drawn(timed_out()), (Some(5.0), "CPU limit 5 s".into()));
        assert_eq!(drawn(at_wall_limit(1.6)), (None, "no answer".into()));
        assert_eq!(drawn(out_of_memory()), (None, "no answer".into()));
    }

    #[test]
    fn a_family_of_one_side_is_not_drawn_beside_one_of_several() {
        let closed = |column| {
            let square = bezzel_encode::Square { row: 0, column };
            let mut row = solved(1.0);
            row.job.board = row.job.board.with_blocked([square]).unwrap();
            row
        };
        let mut rows = vec![on_side(8, solved(1.0)), on_side(16, solved(2.0)), closed(0)];
        let chart = drawn(rows.clone());
        assert_eq!(chart.panels.len(), 1);
        assert!(chart.caption.contains("Not shown are boards of a single side: partly blocked."));
        rows.remove(1);
        assert_eq!(drawn(rows).panels.len(), 2, "nothing else is there to be drawn");
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
