//! `sizes`: clauses and variables against the size of the instance.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bezzel_encode::Size;
use bezzel_problem::Instance;

use super::FigureKind;
use super::legend::with_legends;
use super::marked::{line, marked};
use super::remark::paragraph;
use super::series_choice;
use super::summary::keys_of;
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Facet};
use crate::dataset::Dataset;
use crate::family::instance_kind;
use crate::instance_words::SizeName;
use crate::kind_answers::{has_form, rank};
use crate::number::count;
use crate::row_statistics::Cell;
use bezzel_problem::FormRank;

/// The figure of sizes.
pub const KIND: FigureKind = FigureKind {
    id: "sizes",
    title: "Formula size against the size of the instance",
    shows: "clauses and variables on log-log axes",
    draw,
};

/// A number of a formula with its name.
type SizePart = (&'static str, fn(Size) -> u128);

const PARTS: [SizePart; 2] =
    [("Clauses", |size| size.clauses), ("Variables", |size| size.variables)];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    // The basic form if there is one. Other forms of instances make other formulas, and one line is for one kind.
    let formulas = dataset.formulas.iter().map(|cell| cell.instance);
    let instances: Vec<&Instance> = dataset.instances.iter().copied().chain(formulas).collect();
    let basic = instances.iter().find(|instance| rank(instance) == Some(FormRank::Basic));
    let first = basic.or(instances.first())?;
    let shown = &instance_kind(first);
    let mut facets: Vec<_> = PARTS.iter().map(|part| facet(dataset, shown, part)).collect();
    // One size makes no line. One encoding makes no comparison.
    let is_alone = facets.iter().all(|facet| facet.series().len() < 2);
    if series_choice::max_points(&facets) < 2 || is_alone {
        return None;
    }
    let left_out_series = series_choice::keep_best(&mut facets, series_choice::own_group);
    let caption = paragraph(&[&caption(dataset, first, shown), &left_out_series]);
    let about = format!("Size of the formula, instances: {shown}");
    let chart = KIND.chart(&about, caption, facets.len(), facets);
    // A size has no spread.
    with_legends(chart, dataset, "runs")
}

fn facet(dataset: &Dataset<'_>, shown: &str, &(label, part): &SizePart) -> Facet {
    let mut all = Vec::new();
    // For each encoding and size: the count, and the cell from whose formula it is taken.
    let mut counts: Vec<BTreeMap<u32, (u128, &Cell<'_>)>> =
        vec![BTreeMap::new(); dataset.encodings.len()];
    let of_solvers = dataset.cells.iter();
    let of_solvers = of_solvers.filter(|cell| dataset.instance_kind(cell.index.instance) == shown);
    let measured = dataset.formulas.iter().filter(|cell| instance_kind(cell.instance) == shown);
    for cell in of_solvers.chain(measured) {
        let counts = &mut counts[dataset.style(&cell.encoding)];
        let size = cell.instance.size();
        if counts.contains_key(&size) {
            continue;
        }
        if let Some(formula) = cell.formula() {
            counts.insert(size, (part(formula.size()), cell));
        }
    }
    let sizes: BTreeSet<u32> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let marked = marked(&sizes);
    let instances = dataset.with_formula().map(|cell| cell.instance);
    let instances: Vec<_> = instances.filter(|instance| instance_kind(instance) == shown).collect();
    for (style, counts) in counts.into_iter().enumerate() {
        if counts.is_empty() {
            continue;
        }
        let counts = counts.into_iter();
        let counts = counts.map(|(size, (count, cell))| (size, count as f64, keys_of(&cell.rows)));
        all.push(line(dataset, style, counts, &marked));
    }
    let position = Axis::log(SizeName::new(instances).title(), None)
        .with_ticks(marked.into_iter().map(f64::from).collect());
    Facet::new("", position, Axis::log(label, None), all)
}

fn caption(dataset: &Dataset<'_>, instance: &Instance, shown: &str) -> String {
    let instances = format!("Instances: {shown}.");
    // An instance with a form differs from another one of its form by its size alone.
    let first = if has_form(instance) { "" } else { "The first instance of each size is shown." };
    paragraph(&[&instances, first, &agreement(dataset)])
}

/// True if candidates of the instance are given or excluded, which adds clauses to the rules.
fn has_givens(instance: &Instance) -> bool {
    if !instance.has_problem() {
        return false;
    }
    let problem = instance.problem();
    !problem.given().is_empty() || !problem.excluded().is_empty()
}

/// A sentence that compares the measured sizes with the closed forms.
fn agreement(dataset: &Dataset<'_>) -> String {
    let mut compared = 0;
    let mut different = 0;
    let mut seen = HashSet::new();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{measured, solved, wrong};
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>, registry: &Registry) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, registry))
    }

    #[test]
    fn rows_without_a_formula_and_wrong_ones_have_no_size() {
        let formula = measured(64, 744, 1584).formula;
        let rows = vec![solved(1.0), Row { formula, ..wrong(1.0) }];
        assert_eq!(drawn(rows, &Registry::new()), None);
    }
}
