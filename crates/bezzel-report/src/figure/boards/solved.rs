//! A solution of each other kind of problem.

use bezzel_experiment::Row;
use bezzel_problem::{CellLook, Drawing};
use bezzel_queens::Board;
use indexmap::IndexMap;

use super::{COLUMNS, solved_by};
use crate::chart::{Axis, Facet, FacetBody};
use crate::dataset::Dataset;
use crate::render;

/// A row with a drawing of its solution.
type SolutionDrawing<'a> = (&'a Row, Drawing);

/// Solutions of each kind but queens: the first of the smallest instances with a verified solution whose drawing has
/// room.
pub(super) fn select<'a>(rows: &[&'a Row]) -> Vec<SolutionDrawing<'a>> {
    let mut best: IndexMap<&str, SolutionDrawing<'a>> = IndexMap::new();
    let size = |row: &Row| row.job.instance.size();
    for &row in rows.iter().filter(|row| Board::of(&row.job.instance).is_none()) {
        let instance = &row.job.instance;
        if best.get(instance.kind()).is_some_and(|(known, _)| size(known) <= size(row)) {
            continue;
        }
        let drawing = row.solution().and_then(|solution| instance.drawing(Some(&solution)));
        if let Some(drawing) = drawing.filter(|drawing| render::has_space(drawing, COLUMNS)) {
            best.insert(instance.kind(), (row, drawing));
        }
    }
    best.into_values().collect()
}

/// The panel of a solution.
pub(super) fn facet(dataset: &Dataset<'_>, (row, drawing): &SolutionDrawing<'_>) -> Facet {
    let none = || Axis::count("");
    Facet {
        body: FacetBody::Solution(drawing.clone()),
        ..Facet::new(dataset.name(&row.job.instance), none(), none(), Vec::new())
    }
}

/// The sentences of a caption about these solutions; empty if there are none.
pub(super) fn caption(dataset: &Dataset<'_>, solved: &[SolutionDrawing<'_>]) -> String {
    if solved.is_empty() {
        return String::new();
    }
    let by = solved.iter().map(|&(row, _)| (row, dataset.name(&row.job.instance)));
    let by = solved_by(dataset, by);
    let given = solved.iter().any(|(_, drawing)| match drawing {
        Drawing::Grid { rows, .. } => rows.iter().flatten().any(|it| it.look == CellLook::Given),
        Drawing::Graph { .. } => false,
    });
    let graph = solved.iter().any(|(_, drawing)| matches!(drawing, Drawing::Graph { .. }));
    format!(
        "A panel with the name of an instance shows the smallest instance of its kind with a solution. \
         The solution was checked by the rules of the instance. {by}{}{}",
        if given { " Shaded cells are given." } else { "" },
        if graph {
            " The numbers in the vertices of a graph are those of their colours; the first vertex is at \
             the top."
        } else {
            ""
        }
    )
}
