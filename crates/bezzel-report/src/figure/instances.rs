//! `instances`: instances with their solutions as they were found, and the values that unit propagation finds on one
//! instance.

use std::collections::HashSet;

use bezzel_experiment::measure::{CandidateFact, PropagationShare};
use bezzel_experiment::{Row, Task, Verdict};
use bezzel_problem::{CellLook, Drawing, Instance};
use bezzel_solve::Answer;
use indexmap::IndexMap;

use super::FigureKind;
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{Axis, CellSign, Chart, Facet, FacetBody, LegendSign, SignKind};
use crate::dataset::Dataset;
use crate::family::has_form;
use crate::instance_words::SizeName;
use crate::number::distinct;
use crate::render;

pub(super) const KIND: FigureKind = FigureKind {
    id: "instances",
    title: "Instances",
    shows: "one instance of each family with its solution, or the values that unit propagation determines",
    draw,
};

/// The number of panels side by side.
const COLUMNS: usize = 3;

/// The looks of chequered cells, in the order of the legend.
const LOOKS: [CellLook; 4] =
    [CellLook::Found, CellLook::Given, CellLook::Blocked, CellLook::RuledOut];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let rows = dataset.rows(|row| row.verdict == Verdict::Verified);
    let (measured, answered): (Vec<&Row>, Vec<&Row>) =
        rows.into_iter().partition(|row| row.job.task == Task::Propagate);
    let solved = select_solved(dataset, &answered);
    let found = select_propagated(&measured);
    let facets = solved.iter().map(|solved| solved.facet(dataset));
    let facets: Vec<Facet> = facets.chain(found.iter().map(|found| found.facet(dataset))).collect();
    if facets.is_empty() {
        return None;
    }
    let signs = signs(&facets);
    let caption =
        paragraph(&[&caption_of_solved(dataset, &solved), &caption_of_propagated(dataset, &found)]);
    Some(Chart { signs, ..KIND.chart("", caption, COLUMNS, facets) })
}

/// The title of an instance above its drawing.
fn title(dataset: &Dataset<'_>, instance: &Instance) -> String {
    instance.reported().panel_title().unwrap_or_else(|| dataset.name(instance))
}

/// The preference of an instance. The least comes first: the usual size of its kind, then the smallest.
fn preference(instance: &Instance) -> (bool, u32) {
    let size = instance.size();
    (instance.reported().usual_size().is_some_and(|usual| usual != size), size)
}

/// A panel with a drawing.
fn facet(title: String, drawing: Drawing) -> Facet {
    Facet {
        body: FacetBody::Drawing(drawing),
        ..Facet::new(title, Axis::count(""), Axis::count(""), Vec::new())
    }
}

/// The signs that occur in chequered drawings, the first of each look.
fn signs(facets: &[Facet]) -> Vec<LegendSign> {
    let cells = facets.iter().filter_map(|facet| match &facet.body {
        FacetBody::Drawing(Drawing::Grid { rows, chequered: true, .. }) => Some(rows),
        _ => None,
    });
    let signs: Vec<CellSign> = cells.flatten().flatten().filter_map(CellSign::of).collect();
    let first = |look: CellLook| signs.iter().find(|sign| sign.look == look);
    let occurring = LOOKS.into_iter().filter_map(first);
    let entry =
        |&of: &CellSign| LegendSign { sign: SignKind::Cell(of), label: of.look.label().to_owned() };
    occurring.map(entry).collect()
}

// The values that unit propagation finds on one instance with given values, with the encoding by which it finds fewest
// and with the one by which it finds most.

/// The propagation of a row on an instance with a solution on which some value is implied.
#[derive(Clone)]
pub(super) struct PropagationDrawing<'a> {
    row: &'a Row,
    drawing: Drawing,
    share: PropagationShare,
}

impl<'a> PropagationDrawing<'a> {
    /// The propagation of a row. None after a conflict, which determines no value, and if its kind has no such drawing.
    fn of(row: &'a Row) -> Option<Self> {
        let (instance, propagation) = (&row.job.instance, row.propagation.as_ref()?);
        let known = propagation.found.as_ref()?.read(instance)?;
        let share =
            PropagationShare::of(instance, propagation).filter(|share| share.implied() > 0)?;
        let known: Vec<Option<bool>> =
            known.iter().map(|fact| fact.map(|fact| fact != CandidateFact::Empty)).collect();
        let drawing = instance.reported().propagated(&known)?;
        render::has_space(&drawing, COLUMNS).then_some(Self { row, drawing, share })
    }

    fn instance(&self) -> &'a Instance {
        &self.row.job.instance
    }

    /// The instance with the found values, under the name of the encoding.
    pub(super) fn facet(&self, dataset: &Dataset<'_>) -> Facet {
        facet(dataset.encoding(self.row), self.drawing.clone())
    }
}

/// The propagations that are shown. On an instance of the usual size, or else of the smallest, these are the least and
/// the most that an encoding finds. The first instance on which these differ is shown. If they differ on no instance,
/// one encoding represents all.
pub(super) fn select_propagated<'a>(rows: &[&'a Row]) -> Vec<PropagationDrawing<'a>> {
    let of_row = |row: &&Row| preference(&row.job.instance);
    let mut rows = rows.to_vec();
    rows.sort_by_key(of_row);
    let alike = rows.chunk_by(|one, other| of_row(one) == of_row(other));
    let drawn = alike.map(|rows| rows.iter().filter_map(|&row| PropagationDrawing::of(row)));
    let all: Vec<PropagationDrawing<'a>> =
        drawn.map(Iterator::collect).find(|all: &Vec<_>| !all.is_empty()).unwrap_or_default();
    let extremes = |instance: &Instance| {
        let here = || all.iter().filter(|found| found.instance() == instance);
        // The first of equal ones is taken.
        let least = here().min_by_key(|found| found.share.found())?;
        let max = here().rev().max_by_key(|found| found.share.found())?;
        Some((least, max))
    };
    let instances = distinct(all.iter().map(PropagationDrawing::instance));
    let pairs: Vec<_> = instances.into_iter().filter_map(extremes).collect();
    let apart = pairs.iter().find(|(least, max)| least.share.found() < max.share.found());
    match (apart, pairs.first()) {
        (Some(&(least, max)), _) => vec![least.clone(), max.clone()],
        (None, Some(&(one, _))) => vec![one.clone()],
        (None, None) => Vec::new(),
    }
}

/// The sentences of captions about propagation. Empty if nothing is shown.
pub(super) fn caption_of_propagated(
    dataset: &Dataset<'_>,
    all: &[PropagationDrawing<'_>],
) -> String {
    let Some(first) = all.first() else { return String::new() };
    let finds = all
        .iter()
        .map(|found| format!("{} finds {}", dataset.encoding(found.row), found.share.found()));
    format!(
        "A panel with the name of an encoding shows the instance {} after unit propagation, before any \
         search. Crossed cells are ruled out. A piece that was not given is implied. A cell without a \
         mark is open. Of {} implied values, {}{}.",
        title(dataset, first.instance()),
        first.share.implied(),
        finds.collect::<Vec<_>>().join(", and "),
        if all.len() > 1 { ", the fewest and the most of all encodings" } else { "" }
    )
}

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
        facet(title(dataset, self.instance()), self.drawing.clone())
    }
}

/// The row that is shown of each family of a kind with forms: of the usual size if there is one, else of the smallest;
/// with a solution if there is one. Families with forms are shown only if one of them has a solution. Of each other
/// kind, the smallest instance with a solution is shown.
pub(super) fn select_solved<'a>(dataset: &Dataset<'_>, rows: &[&'a Row]) -> Vec<SolvedDrawing<'a>> {
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
pub(super) fn caption_of_solved(dataset: &Dataset<'_>, all: &[SolvedDrawing<'_>]) -> String {
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

#[cfg(test)]
mod tests;
