//! `operations`: the gates of circuits, and the clauses of all encodings.

use std::collections::BTreeSet;

use super::operations::{CountedCircuit, counted_circuits};
use crate::report::published::bryant;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Axis, Chart, Facet, Point, Series};
use bezzel_report::figure::FigureKind;
use bezzel_report::toolkit::{
    add_published, keep_best, keys_of, line, mark, marked, own_group, paragraph, with_legends,
};
use bezzel_statistics::Value;

pub(super) const KIND: FigureKind = FigureKind {
    id: "operations",
    title: "Gates and clauses against the side of the board",
    shows: "gates of each circuit and clauses of each encoding on log-log axes",
    draw,
};

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let all = counted_circuits(dataset);
    if all.iter().all(|counted| counted.operations.is_none()) {
        return None;
    }
    let sides: BTreeSet<u32> = all.iter().map(|counted| counted.side).collect();
    if sides.len() < 2 {
        return None;
    }
    let marked = marked(&sides);
    let facet = |title: &str, of: fn(&CountedCircuit<'_>) -> Option<u64>| {
        let mut series: Vec<Series> = Vec::new();
        for style in 0..dataset.encodings.len() {
            let here = all.iter().filter(|counted| counted.style == style);
            let numbers: Vec<(&CountedCircuit<'_>, f64)> =
                here.filter_map(|counted| Some((counted, of(counted)? as f64))).collect();
            if !numbers.is_empty() {
                let numbers = numbers.into_iter();
                let numbers = numbers.map(|(it, number)| (it.side, number, keys_of(&[it.row])));
                series.push(line(dataset, style, numbers, &marked));
            }
        }
        let position = Axis::log("Side of the board, N", None)
            .with_ticks(marked.iter().copied().map(f64::from).collect());
        Facet::new("", position, Axis::log(title, None), series)
    };
    let published = bryant::curves(dataset);
    let caption = paragraph(&[
        "Left: the gates of each circuit, with constants folded. Right: the clauses of all encodings.",
        if published.is_empty() {
            ""
        } else {
            "Lines named Table 1 are Bryant's published totals."
        },
    ]);
    let mut facets =
        vec![facet("Gates", |it| it.operations), facet("Clauses", |it| Some(it.clauses))];
    let left_out_series = keep_best(&mut facets, own_group);
    let caption = paragraph(&[&caption, &left_out_series]);
    let chart = KIND.chart(
        "Number of gates and of clauses, empty boards (plane)",
        caption,
        facets.len(),
        facets,
    );
    let mut chart = with_legends(chart, dataset, "runs")?;
    for curve in &published {
        let points = curve.points.iter().map(|&(side, number)| Point {
            mark: mark(side as u32, &marked),
            ..Point::new(side, Value::Measured(number))
        });
        add_published(&mut chart, 0, &curve.label, points);
    }
    Some(chart)
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row, SectionOperations};

    use super::*;
    use crate::report::tests::{measured, sized};

    #[test]
    fn gates_of_circuits_stand_beside_clauses_of_the_others() {
        let circuit = |side: u32, built: u64, clauses: u64| {
            let section =
                SectionOperations { name: "ROW".into(), written: built, built, reachable: built };
            let formula = measured(1, clauses, 1);
            Row { circuit: Some(vec![section]), ..sized("bryant-circuit", side, formula) }
        };
        let rows = vec![
            circuit(4, 109, 328),
            sized("pairwise", 4, measured(16, 84, 184)),
            circuit(8, 565, 1696),
            sized("pairwise", 8, measured(64, 744, 1584)),
        ];
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let chart = draw(&Analysis::new(&record, &registry)).unwrap();
        let values = |facet: usize| -> Vec<Vec<_>> {
            let series = chart.facets[facet].series().iter();
            series
                .map(|it| it.points.iter().filter_map(|point| point.value.measured()).collect())
                .collect()
        };
        assert_eq!(values(0), [vec![109.0, 565.0]]);
        assert_eq!(values(1), [vec![328.0, 1696.0], vec![84.0, 744.0]]);
        assert_eq!(chart.legend.len(), 2, "without both circuits there is no curve of Table 1");
        let mut pairs = record.clone();
        pairs.rows.retain(|row| row.circuit.is_none());
        assert_eq!(draw(&Analysis::new(&pairs, &registry)), None);
        let mut both = record.clone();
        for (side, built, clauses) in [(4, 93, 280), (8, 533, 1600)] {
            let mut row = circuit(side, built, clauses);
            row.job.encoding = "bryant-circuit:binary".into();
            both.rows.push(row);
        }
        let chart = draw(&Analysis::new(&both, &registry)).unwrap();
        let labels: Vec<&str> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
        assert_eq!(labels[3..], ["Table 1: (bits(N) + 8)·N²", "Table 1: 11·N²"]);
        let curves = chart.facets[0].series()[2..].iter();
        let curves = curves.map(|it| it.points.iter().map(|point| point.value).collect::<Vec<_>>());
        // (2 + 8)·4², (3 + 8)·8²; 11·4², 11·8².
        let expected = [[160.0, 704.0], [176.0, 704.0]];
        assert!(curves.eq(expected.map(|values| values.map(Value::Measured).to_vec())));
    }
}
