//! Solutions: of each family of a kind with forms, and of each other kind.

use std::collections::HashSet;

use bezzel_experiment::Row;
use bezzel_problem::{CellLook, Drawing, Instance};
use bezzel_solve::Answer;
use indexmap::IndexMap;

use super::super::remark::paragraph;
use super::{COLUMNS, preference, title};
use crate::chart::Facet;
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::instance_words::SizeName;
use crate::kind_answers::has_form;
use crate::render;

/// The largest number of families with forms that are shown.
const MAX_FAMILIES: usize = 6;

/// A row with the drawing of its solution, or of its instance if it has none.
pub(super) struct SolvedDrawing<'a> {
    row: &'a Row,
    drawing: Drawing,
}

impl<'a> SolvedDrawing<'a> {
    /// The drawing of a row. None if it has no solution, unless its instance has a form and is not bare; and none if a
    /// panel has no room.
    fn of(row: &'a Row) -> Option<Self> {
        let (instance, solution) = (&row.job.instance, row.solution());
        if solution.is_none() && !has_form(instance) {
            return None;
        }
        let drawing = instance.drawing(solution.as_ref())?;
        let shown = Self { row, drawing };
        let is_bare = solution.is_none() && shown.looks().next().is_none();
        (!is_bare && render::has_space(&shown.drawing, COLUMNS)).then_some(shown)
    }

    /// The looks of the cells with content.
    fn looks(&self) -> impl Iterator<Item = CellLook> {
        let rows = match &self.drawing {
            Drawing::Grid { rows, .. } => rows.as_slice(),
            Drawing::Graph { .. } => &[],
        };
        rows.iter().flatten().filter(|cell| !cell.text.is_empty()).map(|cell| cell.look)
    }

    fn is_solved(&self) -> bool {
        self.row.has_solution()
    }

    fn instance(&self) -> &'a Instance {
        &self.row.job.instance
    }

    pub(super) fn facet(&self, dataset: &Dataset<'_>) -> Facet {
        super::facet(title(dataset, self.instance()), self.drawing.clone())
    }
}

/// The row that is shown of each family of a kind with forms: of the usual size if there is one, else of the smallest;
/// with a solution if there is one. Families with forms are shown only if one of them has a solution. Of each other
/// kind, the smallest instance with a solution is shown.
pub(super) fn select<'a>(dataset: &Dataset<'_>, rows: &[&'a Row]) -> Vec<SolvedDrawing<'a>> {
    let mut best: IndexMap<String, SolvedDrawing<'a>> = IndexMap::new();
    let rank = |row: &Row| (!row.has_solution(), preference(&row.job.instance));
    let mut tried = HashSet::new();
    for &row in rows {
        let instance = &row.job.instance;
        let group =
            if has_form(instance) { dataset.family(instance) } else { instance.kind().to_owned() };
        if best.get(&group).is_none_or(|known| rank(row) < rank(known.row))
            && tried.insert((instance, row.has_solution()))
            && let Some(shown) = SolvedDrawing::of(row)
        {
            best.insert(group, shown);
        }
    }
    let (mut formed, others): (Vec<_>, Vec<_>) =
        best.into_values().partition(|shown| has_form(shown.instance()));
    formed.truncate(MAX_FAMILIES);
    if !formed.iter().any(SolvedDrawing::is_solved) {
        formed.clear();
    }
    formed.extend(others);
    formed
}

/// The sentences of a caption about these drawings; empty if there are none.
pub(super) fn caption(dataset: &Dataset<'_>, all: &[SolvedDrawing<'_>]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let usual = first.instance().reported().usual_size();
    let usual = usual.map(|size| format!("one of {}, or else ", size_of(first.instance(), size)));
    let families = format!(
        "The figure shows an instance of each family: {}the smallest.",
        usual.unwrap_or_default()
    );
    let others =
        "A panel with the name of an instance shows the smallest satisfiable instance of its kind.";
    let has = |formed: bool| all.iter().any(|shown| has_form(shown.instance()) == formed);
    let has_given = all.iter().any(|shown| {
        !is_chequered(&shown.drawing) && shown.looks().any(|look| look == CellLook::Given)
    });
    let has_graph = all.iter().any(|shown| matches!(shown.drawing, Drawing::Graph { .. }));
    let refuted =
        all.iter().filter(|shown| !shown.is_solved() && shown.row.status == Answer::Unsat);
    let refuted: Vec<String> = refuted.map(|shown| title(dataset, shown.instance())).collect();
    let without = format!("Verified as unsatisfiable: {}.", refuted.join("; "));
    let optional = |is_shown: bool, text| if is_shown { text } else { "" };
    paragraph(&[
        optional(has(true), &families),
        optional(has(false), others),
        "A solution is the first in the order of the plan. It was checked by the rules of the instance.",
        &solved_by(dataset, all.iter().filter(|shown| shown.is_solved())),
        optional(!refuted.is_empty(), &without),
        &not_drawn(dataset, all),
        optional(has_given, "Shaded cells are given."),
        optional(
            has_graph,
            "The numbers in the vertices of a graph are those of their colours; the first vertex is at the top.",
        ),
    ])
}

/// A sentence that names the families with forms of which no instance is drawn. Empty if there are none.
fn not_drawn(dataset: &Dataset<'_>, all: &[SolvedDrawing<'_>]) -> String {
    let formed = dataset.instances.iter().filter(|instance| has_form(instance));
    let shown = distinct(all.iter().map(|shown| dataset.family(shown.instance())));
    let mut others = distinct(formed.map(|instance| dataset.family(instance)));
    others.retain(|family| !shown.contains(family));
    match &others[..] {
        [] => String::new(),
        others => format!("Of these families no instance is drawn: {}.", others.join("; ")),
    }
}

fn is_chequered(drawing: &Drawing) -> bool {
    matches!(drawing, Drawing::Grid { chequered: true, .. })
}

/// A size of the kind of an instance.
fn size_of(instance: &Instance, size: u32) -> String {
    SizeName::new([instance]).of(size)
}

/// A sentence for each solver with an encoding: the titles of the instances that they solved.
fn solved_by<'r>(
    dataset: &Dataset<'_>,
    solved: impl Iterator<Item = &'r SolvedDrawing<'r>>,
) -> String {
    let mut names: IndexMap<String, Vec<String>> = IndexMap::new();
    for shown in solved {
        let by = format!("{} with {}", shown.row.job.solver, dataset.encoding(shown.row));
        names.entry(by).or_default().push(title(dataset, shown.instance()));
    }
    let parts = names.iter().map(|(by, names)| format!("Solved by {by}: {}.", names.join("; ")));
    parts.collect::<Vec<_>>().join(" ")
}
