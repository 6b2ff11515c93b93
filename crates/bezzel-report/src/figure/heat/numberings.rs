//! `heat-numberings`: every encoding under every numbering, on one board. It needs three numberings and
//! two encodings.

use super::super::FigureKind;
use super::super::instance::{Measure, Median, measures, named};
use super::grid::{compare, grid};
use super::{Plan, chart, over, styles};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Name};
use crate::statistics::Place;

pub(in super::super) const NUMBERINGS: FigureKind = FigureKind {
    id: "heat-numberings",
    title: "Every encoding under every numbering",
    shows: "medians of the effort on the largest plane board, shaded by the ratio to the least median",
    draw,
};

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let board = material.largest_plane_number()?;
    let shown = |place: Place| place.board == board;
    let styles = styles(material, shown);
    let columns = material.numberings.len();
    if styles.len() < 2 || columns < 3 {
        return None;
    }
    let measures = measures(material, &material.cells);
    // Conflicts if they are told: they do not depend on the machine.
    let Measure { axis, of } = measures.first()?;
    let is_effort = axis.unit.is_none();
    let name = material.name(material.instances[board]);
    let in_words = |axis: &Axis| axis.title().replacen("Conflicts", "conflicts", 1);
    let grids = (0..material.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, columns, |encoding, numbering| {
            let place = Place { board, solver, numbering, encoding };
            Median::of(material.cell(place)?, *of)
        });
        compare(grid.iter_mut().flatten(), if is_effort { 1.0 } else { 0.0 });
        (material.solvers[solver].clone(), grid)
    });
    let grids = grids.collect();
    let about = format!(
        "The {}: {}. A cell has the median of its runs. A darker shade means a larger ratio to the least \
         median of the panel{}.{}",
        material.words,
        named(material, material.instances[board]),
        if is_effort { "; 1 is added to both" } else { "" },
        material.shuffled_alike().map_or_else(String::new, |alike| format!(
            " Under every numbering {alike} are shuffled."
        ))
    );
    let plan = Plan {
        kind: &NUMBERINGS,
        title: format!("{}, on {} {name}", NUMBERINGS.title, material.words),
        heading: format!(
            "Median {}, one {}: {}",
            in_words(axis),
            material.words,
            named(material, material.instances[board])
        ),
        about: &about,
        below: "Numbering",
        columns: material.numberings.iter().map(Name::new).collect(),
        label: &axis.label,
        unit: axis.unit.as_deref(),
        shades: "Ratio to the least of the panel",
        over: if is_effort { "no answer".into() } else { over(material, 1.0) },
        ratios: false,
    };
    chart(material, plan, &styles, grids, shown)
}
