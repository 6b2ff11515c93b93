//! Counts of formulas: clauses, variables, and models.

use std::collections::HashSet;

use bezzel_encode::Size;
use bezzel_problem::{FormRank, Instance};

use super::super::remark::paragraph;
use super::{LineFigure, LineKind, LinePanel, LineSample, left_out};
use crate::analysis::Analysis;
use crate::chart::{Axis, Guide, GuideLine, LegendEntry, Mark};
use crate::dataset::Dataset;
use crate::family::{has_form, instance_kind, rank};
use crate::look::looks;
use crate::number::{count, distinct};
use crate::row_statistics::Cell;
use crate::table::models::counted_formulas;

/// A number of a formula with its name.
type SizePart = (&'static str, fn(Size) -> u128);

/// The formulas of the first basic instance's kind, or else of the first kind. Other forms of instances make other
/// formulas, and one line is for one kind.
pub(super) fn sizes<'a>(dataset: &Analysis<'a>) -> Option<LineFigure<'a>> {
    let formulas = dataset.formulas.iter().map(|cell| cell.instance);
    let instances: Vec<&Instance> = dataset.instances.iter().copied().chain(formulas).collect();
    let basic = instances.iter().find(|instance| rank(instance) == Some(FormRank::Basic));
    let first: &Instance = basic.or(instances.first())?;
    let shown = instance_kind(first);
    let is_shown = |cell: &&Cell<'_>| instance_kind(cell.instance) == shown;
    let cells: Vec<&Cell<'a>> = dataset.with_formula().filter(is_shown).collect();
    let parts: [SizePart; 2] =
        [("Clauses", |size| size.clauses), ("Variables", |size| size.variables)];
    let panels = parts.map(|(label, part)| {
        let sample = |cell: &&Cell<'a>| {
            let number = part(cell.formula()?.size()) as f64;
            let (arm, at) = (dataset.style(&cell.encoding), cell.instance.size());
            Some(LineSample::counted(arm, at, cell.rows.clone(), number))
        };
        let instances = cells.iter().map(|cell| cell.instance);
        super::panel(instances, Axis::log(label, None), cells.iter().filter_map(sample).collect())
    });
    let kinds = distinct(instances.iter().map(|instance| instance_kind(instance)));
    let others: Vec<&str> =
        kinds.iter().map(String::as_str).filter(|kind| *kind != shown).collect();
    // An instance with a form differs from another one of its form by its size alone.
    let one = if has_form(first) { "" } else { "The first instance of each size is shown." };
    Some(LineFigure {
        heading: format!("Size of the formula, instances: {shown}"),
        about: paragraph(&["Lower is smaller.", &format!("Instances: {shown}."), one]),
        notes: vec![left_out("have formulas, too", &others), agreement(dataset)],
        lines: LineKind::Counted,
        ..super::of_encodings(dataset, panels.into())
    })
}

/// A sentence that compares the measured sizes with the closed forms. Given and excluded candidates add clauses to the
/// rules, so instances with them are left out.
fn agreement(dataset: &Dataset<'_>) -> String {
    let has_givens = |instance: &Instance| {
        let problem = instance.has_problem().then(|| instance.problem());
        problem.is_some_and(|of| !of.given().is_empty() || !of.excluded().is_empty())
    };
    let (mut compared, mut different, mut seen) = (0, 0, HashSet::new());
    for cell in dataset.with_formula() {
        let known = (&cell.encoding, cell.instance);
        if seen.contains(&known) || has_givens(cell.instance) {
            continue;
        }
        let Some(formula) = cell.formula() else { continue };
        seen.insert(known);
        if let Some(size) = dataset.closed_form(&cell.encoding, cell.instance) {
            compared += 1;
            different += usize::from(size != formula.size());
        }
    }
    match (compared, different) {
        (0, _) => String::new(),
        (_, 0) => format!(
            "The variables, clauses and literals of {} of the experiment were compared with the closed \
             forms, and all agree.",
            count(compared, "formula")
        ),
        _ => format!(
            "Of {} of the experiment, {different} differ{} from the closed forms in variables, clauses \
             or literals.",
            count(compared, "formula"),
            if different == 1 { "s" } else { "" }
        ),
    }
}

pub(super) fn models<'a>(dataset: &Analysis<'a>) -> LineFigure<'a> {
    let all = counted_formulas(dataset);
    let known = all.iter().filter_map(|formula| Some((formula, formula.models_per_solution()?)));
    let known: Vec<_> = known.collect();
    // Counters are engines, and the encodings of engines are not among those of solvers.
    let labels = distinct(known.iter().map(|(formula, _)| formula.encoding.as_str()));
    let id = |label: &&str| {
        let row = known.iter().find(|(formula, _)| formula.encoding == **label);
        row.and_then(|(formula, _)| formula.representative)
            .map_or_else(String::new, |row| dataset.look_id(row))
    };
    let ids: Vec<String> = labels.iter().map(id).collect();
    let styles = looks(ids.iter().map(String::as_str).zip(labels.iter().copied()));
    let arms = styles.into_iter().zip(&labels);
    let arms = arms.map(|(style, label)| LegendEntry { style, label: (*label).to_owned() });
    let kinds = distinct(known.iter().map(|(formula, _)| instance_kind(formula.instance)));
    let panels = kinds.into_iter().map(|kind| {
        let here = || known.iter().filter(|(formula, _)| instance_kind(formula.instance) == kind);
        let samples = here().map(|(formula, ratio)| {
            let arm = labels.iter().position(|label| *label == formula.encoding);
            let (arm, at) = (arm.unwrap_or_default(), formula.instance.size());
            let sample = LineSample::counted(arm, at, formula.rows.clone(), *ratio);
            let mark = if formula.is_verified() { Mark::Filled } else { Mark::Hollow };
            LineSample { mark, ..sample }
        });
        let value = Axis::log("Models for each solution", None);
        let one = Guide { line: GuideLine::Value(1.0), label: None, main: true };
        let panel =
            super::panel(here().map(|(formula, _)| formula.instance), value, samples.collect());
        LinePanel { title: kind.clone(), guides: vec![one], ..panel }
    });
    LineFigure {
        heading: "Number of models of the formula for each solution of the instance".into(),
        about: "The nearer to 1, on the grey line, the better. The number of models of the formula, auxiliary variables \
                included, divided by the number of solutions of the instance. If it is 1, the auxiliary variables are \
                functionally defined: the values determine them. A program that enumerates models without projection \
                finds each solution this many times on average."
            .into(),
        lines: LineKind::Counted,
        arms: arms.collect(),
        ..super::of_encodings(dataset, panels.collect())
    }
}
