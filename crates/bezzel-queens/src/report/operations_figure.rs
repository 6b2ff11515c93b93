//! `operations`: the gates of circuits, and the clauses of all encodings.

use super::operations::{CountedCircuit, counted_circuits};
use crate::report::published::bryant;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Axis, Chart, Mark, Point};
use bezzel_report::figure::FigureKind;
use bezzel_report::toolkit::{
    LineFigure, LineKind, LinePanel, LineSample, add_published, of_encodings,
};
use bezzel_statistics::Value;

pub(super) const KIND: FigureKind = FigureKind {
    id: "operations",
    title: "Gates and clauses against the side of the board",
    shows: "gates of each circuit and clauses of each encoding, divided by the number of squares",
    draw,
};

/// Divides a number of a board by that of its squares. A number that grows with the squares is then constant.
fn of_each_square(number: f64, side: f64) -> f64 {
    number / (side * side)
}

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let all = counted_circuits(dataset);
    if all.iter().all(|counted| counted.operations.is_none()) {
        return None;
    }
    let panel = |value: Axis, of: fn(&CountedCircuit<'_>) -> Option<u64>| {
        let samples = all.iter().filter_map(|it| {
            let number = of_each_square(of(it)? as f64, it.side.into());
            Some(LineSample::counted(it.style, it.side, vec![it.row], number))
        });
        LinePanel {
            title: String::new(),
            position: "Side of the board, N".into(),
            value,
            guides: Vec::new(),
            samples: samples.collect(),
        }
    };
    let panels = vec![
        panel(Axis::near("Gates / N²"), |it| it.operations),
        panel(Axis::log("Clauses / N²", None), |it| Some(it.clauses)),
    ];
    let published = bryant::curves(dataset);
    let figure = LineFigure {
        heading: "Gates and clauses for each square of empty boards (plane)".into(),
        about: "Lower is smaller; a level line grows with the number of squares. Left: the gates of each circuit, with \
                constants folded. Right: the clauses of all encodings. Both are divided by N²."
            .into(),
        notes: vec![(if published.is_empty() { "" } else { "Lines named Table 1 are Bryant's published totals." }).into()],
        lines: LineKind::Counted,
        ..of_encodings(dataset, panels)
    };
    let mut chart = figure.draw(&KIND)?;
    let marked = chart.facets[0].position.ticks.clone().unwrap_or_default();
    for curve in &published {
        let points = curve.points.iter().map(|&(side, number)| Point {
            mark: if marked.contains(&side) { Mark::Filled } else { Mark::None },
            ..Point::new(side, Value::Measured(of_each_square(number, side)))
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
        // Every number is divided by the squares of its board: 16 and 64.
        assert_eq!(values(0), [vec![109.0 / 16.0, 565.0 / 64.0]]);
        assert_eq!(values(1), [vec![20.5, 26.5], vec![5.25, 11.625]]);
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
        // bits(N) + 8, and 11.
        let expected = [[10.0, 11.0], [11.0, 11.0]];
        assert!(curves.eq(expected.map(|values| values.map(Value::Measured).to_vec())));
    }
}
