//! `proofs`: the size of proofs that there is no solution, and the CPU time of checking them, against the size of
//! the instance. It is drawn where no instance has a solution.

use std::collections::BTreeSet;

use bezzel_experiment::Row;
use bezzel_experiment::row::ProofRecord;
use bezzel_solve::Answer;

use super::FigureKind;
use super::instance::{FamilyIndex, fair_numbering, numbering_suffix};
use super::legend::with_legends;
use super::remark::{ends_note, paragraph};
use super::series_choice;
use super::summary::{joined, summary};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Facet};
use crate::dataset::Dataset;
use crate::instance_words::SizeName;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::values;

pub(super) const KIND: FigureKind = FigureKind {
    id: "proofs",
    title: "Size of proofs and their checking",
    shows: "median size of proofs and CPU time of checking them for every encoding, against the size of the instance",
    draw,
};

/// The largest number of families on a page.
const FAMILIES: usize = 3;

/// A measure of a run with a proof: its title, its unit, and the function that returns its value.
type ProofMeasure = (&'static str, &'static str, fn(&ProofRecord) -> Option<f64>);

const MEASURES: [ProofMeasure; 2] = [
    ("Size of the proof", "MiB", |proof| Some(proof.bytes? as f64 / f64::from(1 << 20))),
    ("CPU time of checking", "s", |proof| proof.check_cpu_s),
];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    // The figure is for records without a solution only.
    if dataset.instances.iter().any(|instance| dataset.answer(instance) == Some(Answer::Sat)) {
        return None;
    }
    let families = FamilyIndex::of(dataset);
    let mut facets = Vec::new();
    let mut rows: Vec<&Row> = Vec::new();
    let all = 0..families.names.len() * dataset.solvers.len();
    let grows = |facet: &Facet| series_choice::max_points(std::slice::from_ref(facet)) > 1;
    for (family, solver) in all.map(|it| (it / dataset.solvers.len(), it % dataset.solvers.len())) {
        let both: Vec<_> = MEASURES
            .iter()
            .map(|measure| facet(dataset, &families, family, solver, measure))
            .collect();
        if facets.len() < MEASURES.len() * FAMILIES && both.iter().all(|(facet, _)| grows(facet)) {
            rows.extend(both[0].1.iter());
            facets.extend(both.into_iter().map(|(facet, _)| facet));
        }
    }
    let encodings = facets.iter().map(|facet: &Facet| facet.series().len()).max();
    if encodings.unwrap_or(0) < 2 {
        return None;
    }
    let left_out_series = series_choice::keep_best(&mut facets, series_choice::own_group);
    let caption = paragraph(&[
        "Medians over the runs that write a proof. A run without an answer counts as over the limit. \
             The size is that of the solver's proof file. A second process generates the formula again \
             and checks the proof. Its time is not included in the times of the run. Marks at the same size \
             are drawn side by side.",
        &left_out_series,
        &ends_note(&rows),
    ]);
    let about = format!(
        "Size of proofs of unsatisfiability and CPU time of checking, medians over runs{}",
        numbering_suffix(dataset)
    );
    let chart = KIND.chart(&about, caption, MEASURES.len(), facets);
    with_legends(chart, dataset, "runs")
}

/// The panel of a family under a solver, with the rows in it.
fn facet<'a>(
    dataset: &Dataset<'a>,
    families: &FamilyIndex,
    family: usize,
    solver: usize,
    &(label, unit, of): &ProofMeasure,
) -> (Facet, Vec<&'a Row>) {
    let numbering = fair_numbering(dataset);
    let instances = families.instances(family);
    // A run without a proof is left out if its job requested none.
    let writes = |row: &&&Row| row.proof.is_some() || row.job.proof.is_some();
    let rows = |instance: usize, encoding: usize| -> Vec<&'a Row> {
        let cell = dataset.cell(CellIndex { instance, solver, numbering, encoding, record: 0 });
        cell.map_or_else(Vec::new, |cell| cell.rows.iter().filter(writes).copied().collect())
    };
    let size = |instance: &usize| dataset.instances[*instance].size();
    let sizes: BTreeSet<u32> = instances.iter().map(size).collect();
    let mut shown = Vec::new();
    let mut series = Vec::new();
    for encoding in 0..dataset.encodings.len() {
        let points = joined(sizes.iter().map(|&at| {
            let here = instances.iter().filter(|instance| size(instance) == at);
            let here: Vec<&Row> = here.flat_map(|&instance| rows(instance, encoding)).collect();
            shown.extend(here.iter().copied());
            summary(at.into(), &here, &values(&here, |row| of(row.proof.as_ref()?)))
        }));
        if points.iter().any(|point| point.value.measured().is_some()) {
            series.push(dataset.series(encoding, points));
        }
    }
    let title = format!("{}, {}", dataset.solvers[solver], families.names[family]);
    let instances = instances.iter().map(|&instance| dataset.instances[instance]);
    let position = Axis::log(SizeName::new(instances).title(), None)
        .with_ticks(sizes.into_iter().map(f64::from).collect());
    let value = Axis::log(label, Some(unit)).with_limit(None, "no answer");
    (Facet { apart: true, ..Facet::new(title, position, value, series) }, shown)
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::ProofFormat;

    use super::*;
    use crate::tests::sample::{of_size, proved, solved, timed_out};
    use bezzel_statistics::Value;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    #[test]
    fn sizes_and_checking_stand_side_by_side_and_a_run_at_its_limit_is_over_it() {
        let mut late = of_size(9, timed_out());
        (late.job.encoding, late.job.proof) = ("b".into(), Some(ProofFormat::Lrat));
        let rows = vec![
            proved("a", 8, 1, 0.5),
            proved("a", 8, 3, 1.5),
            proved("a", 9, 8, 4.0),
            proved("b", 8, 16, 5.0),
            late,
        ];
        let chart = drawn(rows).unwrap();
        let values = |facet: usize, series: usize| -> Vec<Value> {
            let points = chart.facets[facet].series()[series].points.iter();
            points.map(|point| point.value).collect()
        };
        let measured = Value::Measured;
        assert_eq!(values(0, 0), [measured(2.0), measured(8.0)]);
        assert_eq!(values(1, 0), [measured(1.0), measured(4.0)]);
        assert_eq!(values(0, 1), [measured(16.0), Value::OverLimit]);
        assert_eq!(chart.facets[1].value.title(), "CPU time of checking (s)");
    }

    #[test]
    fn one_side_or_one_encoding_or_no_proof_is_no_figure() {
        assert_eq!(drawn(vec![proved("a", 8, 1, 1.0), proved("b", 8, 1, 1.0)]), None);
        assert_eq!(drawn(vec![proved("a", 8, 1, 1.0), proved("a", 9, 1, 1.0)]), None);
        let both = || [8, 9].into_iter().flat_map(|size| ['a', 'b'].map(|id| (id, size)));
        let both = || both().map(|(id, size)| proved(&id.to_string(), size, 1, 1.0));
        assert!(drawn(both().collect()).is_some());
        assert_eq!(drawn(both().chain([of_size(4, solved(1.0))]).collect()), None);
    }
}
