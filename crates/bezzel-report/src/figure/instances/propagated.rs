//! The values that unit propagation finds on one instance with given values, with the encoding by which it finds fewest
//! and with the one by which it finds most.

use bezzel_experiment::Row;
use bezzel_experiment::measure::{CandidateFact, PropagationShare};
use bezzel_problem::{Drawing, Instance};

use super::{COLUMNS, preference, title};
use crate::chart::Facet;
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::render;

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
        super::facet(dataset.encoding(self.row), self.drawing.clone())
    }
}

/// The propagations that are shown. On an instance of the usual size, or else of the smallest, these are the least and
/// the most that an encoding finds. The first instance on which these differ is shown. If they differ on no instance,
/// one encoding represents all.
pub(super) fn select<'a>(rows: &[&'a Row]) -> Vec<PropagationDrawing<'a>> {
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
pub(super) fn caption(dataset: &Dataset<'_>, all: &[PropagationDrawing<'_>]) -> String {
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
