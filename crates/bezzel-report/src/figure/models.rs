//! `models`: the models of a formula for each solution of its instance, against the size of the instance.

use std::collections::{BTreeMap, BTreeSet};

use super::FigureKind;
use super::legend::with_signs;
use super::remark::paragraph;
use super::series_choice;
use super::summary::{joined, keys_of};
use crate::analysis::Analysis;
use crate::chart::{
    Axis, Chart, Facet, Guide, GuideLine, LegendEntry, LegendSign, Mark, Point, Series, SignKind,
};
use crate::distinct::distinct;
use crate::family::instance_kind;
use crate::instance_words::SizeName;
use crate::look::looks;
use crate::table::models::counted_formulas;
use bezzel_statistics::Value;

pub(super) const KIND: FigureKind = FigureKind {
    id: "models",
    title: "Models for each solution",
    shows: "number of models of every formula divided by the number of solutions of its instance, against \
            the size of the instance",
    draw,
};

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let all = counted_formulas(dataset);
    let known = all.iter().filter_map(|formula| Some((formula, formula.models_per_solution()?)));
    let known: Vec<_> = known.collect();
    // Counters are engines, and the encodings of engines are not among those of solvers.
    let labels = distinct(known.iter().map(|(formula, _)| formula.encoding.as_str()));
    let id = |label: &str| {
        let row = known.iter().find(|(formula, _)| formula.encoding == label);
        row.and_then(|(formula, _)| formula.representative)
            .map_or_else(String::new, |row| dataset.encoding_name(row))
    };
    let ids: Vec<String> = labels.iter().map(|label| id(label)).collect();
    let entries: Vec<LegendEntry> =
        looks(ids.iter().map(String::as_str).zip(labels.iter().copied()))
            .into_iter()
            .zip(&labels)
            .map(|(style, &label)| LegendEntry { style, label: label.to_owned() })
            .collect();
    let mut facets = Vec::new();
    for kind in distinct(known.iter().map(|(formula, _)| instance_kind(formula.instance))) {
        let here = || known.iter().filter(|(formula, _)| instance_kind(formula.instance) == kind);
        let sizes: BTreeSet<u32> = here().map(|(formula, _)| formula.instance.size()).collect();
        if sizes.len() < 2 {
            continue;
        }
        let of = |encoding: &str| {
            let mut by_size: BTreeMap<u32, Point> = BTreeMap::new();
            for (formula, ratio) in here().filter(|(formula, _)| formula.encoding == encoding) {
                let mark = if formula.is_verified() { Mark::Filled } else { Mark::Hollow };
                let size = formula.instance.size();
                by_size.entry(size).or_insert_with(|| Point {
                    mark,
                    keys: keys_of(&formula.rows),
                    ..Point::new(size.into(), Value::Measured(*ratio))
                });
            }
            joined(sizes.iter().map(|size| by_size.get(size).cloned()))
        };
        let series = entries
            .iter()
            .map(|entry| Series::new(entry.style, entry.label.as_str(), of(&entry.label)));
        let series = series.filter(|series| !series.points.is_empty()).collect();
        let instances = here().map(|(formula, _)| formula.instance);
        let position = Axis::log(SizeName::new(instances).title(), None)
            .with_ticks(sizes.iter().copied().map(f64::from).collect());
        let value = Axis::log("Models for each solution", None);
        let guides = vec![Guide { line: GuideLine::Value(1.0), label: None, main: true }];
        facets.push(Facet { apart: true, guides, ..Facet::new(kind, position, value, series) });
    }
    if facets.iter().map(|facet| facet.series().len()).max().unwrap_or(0) < 2 {
        return None;
    }
    let (single, left_out_series) = of_one(&mut facets);
    let caption = paragraph(&[
        "The number of models of the formula, auxiliary variables included, divided by the number of \
             solutions of the instance. If it is 1, the auxiliary variables are functionally defined: the \
             values determine them. A program that enumerates models without projection finds each \
             solution this many times on average. Marks at the same size are drawn side by side.",
        &single,
        &left_out_series,
    ]);
    let columns = facets.len().clamp(1, 2);
    let chart = KIND.chart(
        "Number of models of the formula for each solution of the instance",
        caption,
        columns,
        facets,
    );
    let drawn = |entry: &LegendEntry| {
        let mut series = chart.facets.iter().flat_map(Facet::series);
        series.any(|series| series.label == entry.label)
    };
    let legend = entries.into_iter().filter(drawn).collect();
    let mut chart = with_signs(Chart { legend, ..chart }, "runs")?;
    chart
        .signs
        .push(LegendSign { sign: SignKind::Guide, label: "one model for each solution".into() });
    Some(chart)
}

/// Leaves out the encodings that have one model for each solution everywhere, then keeps eight. Returns sentences
/// that name the encodings left out.
fn of_one(facets: &mut Vec<Facet>) -> (String, String) {
    let labels = facets.iter().flat_map(Facet::series).map(|series| series.label.clone());
    let labels = distinct(labels);
    let is_one = |label: &&String| {
        let series = facets.iter().flat_map(Facet::series).filter(|series| series.label == **label);
        series.flat_map(|series| &series.points).all(|point| point.value == Value::Measured(1.0))
    };
    let ones: Vec<String> = labels.iter().filter(is_one).cloned().collect();
    // If all encodings have one model for each solution, the figure shows that.
    if ones.len() == labels.len() || ones.is_empty() {
        return (String::new(), series_choice::keep_best(facets, series_choice::own_group));
    }
    for facet in facets.iter_mut() {
        facet.keep(|series| !ones.contains(&series.label));
    }
    let omitted =
        format!("Not drawn, because the number is 1 on all instances: {}.", ones.join(", "));
    (omitted, series_choice::keep_best(facets, series_choice::own_group))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, NO_ENCODING, Row, Task};

    use super::*;
    use crate::tests::sample::{counted as solutions, of_size};

    fn models(encoding: &str, size: u32, count: u64) -> Row {
        let mut row = of_size(size, solutions("ganak", encoding, 1.0));
        row.job.task = Task::Models;
        row.all.as_mut().unwrap().count = count.into();
        row
    }

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    /// 92 solutions on either side: the sample's number.
    fn rows() -> Vec<Row> {
        let all = |size| of_size(size, solutions("backtrack", NO_ENCODING, 0.5));
        vec![
            all(8),
            all(9),
            models("bitwise", 8, 184),
            models("bitwise", 9, 920),
            models("pairwise", 8, 92),
            models("pairwise", 9, 92),
        ]
    }

    #[test]
    fn models_are_divided_by_solutions_and_encodings_of_one_model_are_named() {
        let chart = drawn(rows()).unwrap();
        let points = &chart.facets[0].series()[0].points;
        let found: Vec<_> = points.iter().map(|point| (point.at, point.value)).collect();
        assert_eq!(found, [(8.0, Value::Measured(2.0)), (9.0, Value::Measured(10.0))]);
        assert_eq!(chart.facets[0].series().len(), 1);
        assert!(
            chart
                .caption
                .contains("Not drawn, because the number is 1 on all instances: pairwise."),
            "{}",
            chart.caption
        );
    }

    #[test]
    fn one_side_or_no_count_of_solutions_is_no_figure() {
        let of = |keep: fn(&Row) -> bool| rows().into_iter().filter(keep).collect::<Vec<_>>();
        assert_eq!(drawn(of(|row| row.job.instance.size() == 8)), None);
        assert_eq!(drawn(of(|row| row.job.task == Task::Models)), None);
    }
}
