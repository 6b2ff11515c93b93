//! `simplified`: the formulas after the solver's preprocessing.

use bezzel_experiment::{FormulaSize, Row};
use bezzel_solve::Simplified;

use super::FigureKind;
use super::instance::instance_label;
use super::legend::with_signs;
use super::remark::paragraph;
use super::summary::keys_of;
use crate::analysis::Analysis;
use crate::chart::{Axis, AxisName, Chart, Facet, LegendSign, Mark, Point, SignKind};
use crate::kind_answers::rank;
use crate::number::count;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::is_counted;
use bezzel_problem::FormRank;
use bezzel_statistics::{Spread, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "simplified",
    title: "Formula size before and after preprocessing",
    shows: "clauses and variables of every encoding, as generated and after the solver's preprocessing, \
            on the largest instance",
    draw,
};

/// A counted quantity with its name, before and after.
struct SimplifiedPart {
    label: &'static str,
    before: fn(&FormulaSize) -> u64,
    after: fn(&Simplified) -> u64,
}

const PARTS: [SimplifiedPart; 2] = [
    SimplifiedPart {
        label: "Clauses",
        before: |formula| formula.clauses,
        after: |simplified| simplified.clauses,
    },
    SimplifiedPart {
        label: "Variables",
        before: |formula| formula.variables,
        after: |simplified| simplified.variables,
    },
];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let has_size = |row: &Row| is_counted(row) && row.simplified.is_some();
    let has = |instance: &usize| {
        let mut cells = dataset.cells_on(*instance).iter();
        cells.any(|cell| cell.rows.iter().any(|row| has_size(row)))
    };
    let instances: Vec<usize> = (0..dataset.instances.len()).filter(has).collect();
    let is_basic = |&&instance: &&usize| rank(dataset.instances[instance]) == Some(FormRank::Basic);
    let basic = instances.iter().filter(is_basic);
    let instance =
        *basic.max_by_key(|&&instance| dataset.instances[instance].size()).or(instances.last())?;
    let cells = dataset.cells_on(instance);
    let of_cells = |here: &dyn Fn(CellIndex) -> bool| -> Vec<&Row> {
        let cells = cells.iter().filter(|cell| here(cell.index));
        cells.flat_map(|cell| cell.rows.iter().copied()).filter(|row| has_size(row)).collect()
    };
    let rows = of_cells(&|_| true);
    let of = |style, solver| of_cells(&|it| it.encoding == style && it.solver == solver);
    let solvers: Vec<usize> = (0..dataset.solvers.len())
        .filter(|&solver| !of_cells(&|it| it.solver == solver).is_empty())
        .collect();
    let instance = dataset.instances[instance];
    let styles: Vec<usize> = (0..dataset.encodings.len())
        .filter(|&style| solvers.iter().any(|&solver| !of(style, solver).is_empty()))
        .collect();
    let names: Vec<AxisName> = styles.iter().map(|&style| dataset.entry(style).into()).collect();
    let mut facets = Vec::new();
    for &solver in &solvers {
        for part in &PARTS {
            let series = styles.iter().enumerate().map(|(place, &style)| {
                let points = points(place as f64, &of(style, solver), part);
                dataset.series(style, points)
            });
            let series = series.filter(|series| !series.points.is_empty()).collect();
            let (rows, value) = (Axis::names("", names.clone()), Axis::log(part.label, None));
            let title = dataset.solvers[solver].clone();
            facets.push(Facet::sideways(title, rows, value, series));
        }
    }
    let name = dataset.name(instance);
    let caption = caption(&name, &rows);
    let about = format!("Formulas of one instance: {}", instance_label(dataset, instance));
    let mut chart = Chart {
        title: format!("{}, on instance {name}", KIND.title),
        ..KIND.chart(&about, caption, PARTS.len(), facets)
    };
    chart.signs = vec![LegendSign { sign: SignKind::Tick, label: "as generated".into() }];
    with_signs(chart, "runs")
}

/// The generated formula, and a line to the median after preprocessing.
fn points(at: f64, rows: &[&Row], part: &SimplifiedPart) -> Vec<Point> {
    let mut formulas = rows.iter().filter_map(|row| row.formula.as_ref());
    let Some(formula) = formulas.next() else { return Vec::new() };
    let left: Vec<Value> = rows
        .iter()
        .filter_map(|row| row.simplified.as_ref())
        .map(|simplified| Value::Measured((part.after)(simplified) as f64))
        .collect();
    let Some(spread) = Spread::of(&left) else { return Vec::new() };
    // Most formulas are equal under every numbering, so that a bar has no length and is not drawn.
    let varies = spread.lower != spread.upper;
    let before = Point::new(at, Value::Measured((part.before)(formula) as f64));
    let keys = keys_of(rows);
    vec![
        Point { mark: Mark::Tick, joined: false, runs: spread.count, keys: keys.clone(), ..before },
        Point {
            low: varies.then_some(spread.lower),
            high: varies.then_some(spread.upper),
            runs: spread.count,
            keys,
            ..Point::new(at, spread.median)
        },
    ]
}

fn caption(instance: &str, rows: &[&Row]) -> String {
    let simplified = rows.iter().filter_map(|row| row.simplified.as_ref());
    let decided =
        simplified.filter(|simplified| simplified.answer != bezzel_solve::Answer::Unknown).count();
    let decided = match decided {
        0 => String::new(),
        decided => format!(
            "Of {}, preprocessing alone answered {decided}, and left an empty formula.",
            count(rows.len(), "run")
        ),
    };
    paragraph(&[
        &format!(
            "Instance {instance}. Counted are variables that are neither fixed nor eliminated, and clauses \
             that are not redundant, after preprocessing and before the search. A marker is the median \
             over all runs and numberings. A marker on its stroke means that the number did not change. \
             Zero has a separate place on the axis. Preprocessing is measured in a separate solver \
             session, which no time includes."
        ),
        &decided,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{measured, wrong};
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::Answer;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    fn left(clauses: u64) -> Row {
        let answer = if clauses == 0 { Answer::Sat } else { Answer::Unknown };
        let simplified = Simplified { variables: clauses / 2, clauses, literals: clauses, answer };
        Row { simplified: Some(simplified), ..measured(64, 744, 1584) }
    }

    #[test]
    fn every_encoding_has_its_size_before_and_the_median_of_what_is_left() {
        let chart = drawn(vec![left(400), left(410), left(500)]).unwrap();
        let found: Vec<_> = chart
            .points()
            .map(|(facet, _, point)| (facet.value.label.as_str(), point.mark, point.value))
            .collect();
        let value = Value::Measured;
        assert_eq!(
            found,
            [
                ("Clauses", Mark::Tick, value(744.0)),
                ("Clauses", Mark::Filled, value(410.0)),
                ("Variables", Mark::Tick, value(64.0)),
                ("Variables", Mark::Filled, value(205.0)),
            ]
        );
        let bars: Vec<_> = chart.points().map(|(_, _, point)| point.low.is_some()).collect();
        assert_eq!(bars, [false, true, false, true]);
    }

    #[test]
    fn a_formula_that_preprocessing_solves_is_reported() {
        let chart = drawn(vec![left(0), left(400)]).unwrap();
        assert!(chart.caption.contains("Of 2 runs, preprocessing alone answered 1,"));
        assert!(!drawn(vec![left(400)]).unwrap().caption.contains("alone"));
    }

    #[test]
    fn without_such_measurements_or_with_wrong_ones_there_is_no_figure() {
        assert_eq!(drawn(vec![measured(64, 744, 1584)]), None);
        let lying = Row { verdict: wrong(1.0).verdict, ..left(1) };
        assert_eq!(drawn(vec![lying]), None);
    }
}
