//! The table of line figures: their ids, titles and measures.

use super::super::FigureKind;
use super::cells::{proofs, simplified, times};
use super::engines::{all_nodes, engine_group, times_of_engines};
use super::formulas::{models, sizes};
use super::propagation::propagation;
use crate::analysis::Analysis;
use crate::chart::Chart;
use crate::instance_words::SizeName;
use crate::table::propagation::{given_values, on_largest, propagation_rows, size};

/// Solve times.
pub(crate) const TIMES: FigureKind = FigureKind {
    id: "times",
    title: "Solve time against the size of the instance",
    shows: "median CPU time of solving with quartiles, one panel for each solver, family and numbering",
    draw: |dataset| times(dataset).draw(&TIMES),
};
/// Sizes of proofs and times of checking. It is drawn where no instance has a solution.
pub(crate) const PROOFS: FigureKind = FigureKind {
    id: "proofs",
    title: "Size of proofs and their checking",
    shows: "median size of proofs and CPU time of checking them for every encoding, against the size of the instance",
    draw: |dataset| proofs(dataset)?.draw(&PROOFS),
};
/// Formulas after the solver's preprocessing.
pub(crate) const SIMPLIFIED: FigureKind = FigureKind {
    id: "simplified",
    title: "Clauses before and after preprocessing",
    shows: "clauses of every encoding, as generated and after the preprocessing of each solver, against the size of \
            the instance",
    draw: |dataset| simplified(dataset)?.draw(&SIMPLIFIED),
};
/// The figure [`ALL_TIMES`]. If there are too many series, the best one of each group comes before the second of any
/// group; `group` returns the group of a label.
pub fn all_times(dataset: &Analysis<'_>, group: fn(&str) -> &str) -> Option<Chart> {
    times_of_engines(dataset, group).draw(&ALL_TIMES)
}

/// Times of engines.
pub const ALL_TIMES: FigureKind = FigureKind {
    id: "all-times",
    title: "All solutions: CPU time against the size of the instance",
    shows: "median CPU time of each engine for finding or counting all solutions",
    draw: |dataset| all_times(dataset, engine_group),
};
/// Nodes of decision diagrams.
pub(crate) const ALL_NODES: FigureKind = FigureKind {
    id: "all-nodes",
    title: "Decision diagrams: nodes against the size of the instance",
    shows: "nodes of the finished diagram, and the peak number of nodes during construction",
    draw: |dataset| all_nodes(dataset)?.draw(&ALL_NODES),
};
/// Sizes of formulas.
pub const SIZES: FigureKind = FigureKind {
    id: "sizes",
    title: "Formula size against the size of the instance",
    shows: "clauses and variables on log-log axes",
    draw: |dataset| sizes(dataset)?.draw(&SIZES),
};
/// Models of formulas.
pub(crate) const MODELS: FigureKind = FigureKind {
    id: "models",
    title: "Models for each solution",
    shows: "number of models of every formula divided by the number of solutions of its instance, against \
            the size of the instance",
    draw: |dataset| models(dataset).draw(&MODELS),
};
/// Implied values that unit propagation finds, against the size of the instance.
pub(crate) const PROPAGATION: FigureKind = FigureKind {
    id: "propagation",
    title: "Share of the implied values that unit propagation finds",
    shows: "the median share of implied values that unit propagation finds, with quartiles over \
            instances, against the size of the instance",
    draw: |dataset| {
        let rows = propagation_rows(dataset);
        let title = SizeName::new(rows.iter().map(|row| &row.job.instance)).title();
        propagation(dataset, &rows, title, size, "").draw(&PROPAGATION)
    },
};
/// The same against the number of given values, on the largest size.
pub(crate) const PROPAGATION_GIVEN: FigureKind = FigureKind {
    id: "propagation-given",
    title: "Share of the implied values that unit propagation finds, against the number of given values",
    shows: "the median share of implied values that unit propagation finds, with quartiles over \
            instances, against the number of given values on the largest instances",
    draw: |dataset| {
        let (size, rows) = on_largest(&propagation_rows(dataset))?;
        let about = format!("Instances with {}.", dataset.size_name.of(size));
        propagation(dataset, &rows, "Given values", given_values, &about).draw(&PROPAGATION_GIVEN)
    },
};
