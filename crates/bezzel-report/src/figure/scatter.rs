//! `scatter`: two encodings, with a mark for every instance and a panel for every solver and numbering.
//!
//! The two are those of the record if it has two. Otherwise they are the first listed, which experiments usually
//! compare with, and the best of the others: the one with the smallest median of ratios to the first. The figure is
//! drawn if both were measured on at least eight instances under one numbering. The table shows fewer instances better.

use std::collections::BTreeSet;

use bezzel_solve::Answer;

use super::FigureKind;
use super::instance::{CellMedian, FamilyIndex, fair_numbering, keys_of, time_axis};
use super::remark::{ends_note, paragraph, proofs_note, with_signs};
use crate::analysis::Analysis;
use crate::chart::{
    Axis, Chart, Facet, Guide, GuideLine, LegendSign, Mark, Point, Series, SignKind, Tone,
};
use crate::dataset::Dataset;
use crate::look::MARKERS;
use crate::number::count;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::times;
use bezzel_statistics::{Value, median};

pub(super) const KIND: FigureKind = FigureKind {
    id: "scatter",
    title: "Scatter plot of two encodings",
    shows: "solve times of the first encoding against those of the best other encoding, one mark for \
            each instance",
    draw,
};

/// The least number of pairs of a figure.
const PAIRS: usize = 8;

/// Both encodings on one instance under one solver and numbering.
struct ScatterPair<'m> {
    index: CellIndex,
    one: CellMedian<'m>,
    two: CellMedian<'m>,
}

/// The largest number of panels. They are square, and more do not fit a page.
const FACETS: usize = 4;

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let two = other(dataset)?;
    let pairs = pairs(dataset, two);
    let of = |(solver, numbering): (usize, usize)| {
        let here = move |index: CellIndex| (index.solver, index.numbering) == (solver, numbering);
        pairs.iter().filter(move |pair| here(pair.index))
    };
    let conditions = (0..dataset.solvers.len())
        .flat_map(|solver| (0..dataset.numberings.len()).map(move |it| (solver, it)));
    let mut conditions: Vec<(usize, usize)> =
        conditions.filter(|&it| of(it).count() >= PAIRS).collect();
    if conditions.len() > FACETS {
        let fair = fair_numbering(dataset);
        let numbering =
            conditions.iter().map(|it| it.1).find(|&it| it == fair).unwrap_or(conditions[0].1);
        conditions.retain(|it| it.1 == numbering);
        conditions.truncate(FACETS);
    }
    let known = FamilyIndex::of(dataset);
    let shown = conditions.iter().flat_map(|&condition| of(condition));
    let families: BTreeSet<usize> =
        shown.map(|pair| known.of_instance[pair.index.instance]).collect();
    let families: Vec<usize> = families.into_iter().collect();
    let instances: BTreeSet<usize> = conditions
        .iter()
        .flat_map(|&condition| of(condition))
        .map(|pair| pair.index.instance)
        .collect();
    // If there are more families than shapes, the last families share a shape.
    let own = if families.len() > MARKERS { MARKERS - 1 } else { families.len() };
    let others: Vec<&str> =
        families[own..].iter().map(|&family| known.names[family].as_str()).collect();
    let title = |encoding: usize| dataset.encodings[encoding].clone();
    let axis =
        |encoding| Axis { label: format!("{}, CPU time", title(encoding)), ..time_axis(dataset) };
    let facets: Vec<Facet> = conditions
        .iter()
        .map(|&(solver, numbering)| {
            let series = families.iter().enumerate().map(|(shape, &family)| {
                let pairs = of((solver, numbering));
                let pairs = pairs.filter(|pair| known.of_instance[pair.index.instance] == family);
                let points = pairs.map(|pair| point(pair, shape.min(own))).collect();
                let label = known.names[family].clone();
                let first = known.instances(family)[0];
                let tone = match dataset.answer(dataset.instances[first]) {
                    Some(Answer::Sat) => Tone::Satisfiable,
                    Some(Answer::Unsat) => Tone::Unsatisfiable,
                    _ => Tone::Grey,
                };
                Series { style: None, tone, ..Series::new(0, label, points) }
            });
            let series = series.filter(|series| !series.points.is_empty()).collect();
            let name = format!("{}, {}", dataset.solvers[solver], dataset.numberings[numbering]);
            let faster = |encoding| format!("{} faster", title(encoding));
            let corners = Some([faster(0), faster(two)]);
            Facet { guides: guides(), corners, ..Facet::new(name, axis(0), axis(two), series) }
        })
        .collect();
    let rows: Vec<_> = dataset
        .cells
        .iter()
        .filter(|cell| [0, two].contains(&cell.index.encoding))
        .filter(|cell| conditions.contains(&(cell.index.solver, cell.index.numbering)))
        .flat_map(|cell| cell.rows.iter().copied())
        .collect();
    let caption = paragraph(&[
        "Below the diagonal the encoding of the vertical axis is faster. A mark is an instance. Its coordinates are the median CPU times of solving with the two \
             encodings. The thin lines \
             are factors of 2 and 10. If the median of an encoding depends on runs without an answer, \
             the mark is at the end of the axis of this encoding.",
        &which(dataset, two),
        &if others.is_empty() {
            String::new()
        } else {
            format!("Other families: {}.", others.join("; "))
        },
        &proofs_note(dataset, &rows),
        &ends_note(&rows),
    ]);
    let about =
        format!("Median CPU time of solving (s) on each of {}", count(instances.len(), "instance"));
    let mut chart = Chart {
        title: format!("{}: {} and {}", KIND.title, title(0), title(two)),
        ..KIND.chart(&about, caption, facets.len().clamp(1, 2), facets)
    };
    let shapes = families[..own].iter().enumerate().map(|(shape, &family)| LegendSign {
        sign: SignKind::Shape(shape),
        label: known.names[family].clone(),
    });
    let tones = [(Tone::Satisfiable, "satisfiable"), (Tone::Unsatisfiable, "unsatisfiable")];
    let occurs = |tone| chart.facets.iter().flat_map(Facet::series).any(|of| of.tone == tone);
    let tones = tones.into_iter().filter(|(tone, _)| occurs(*tone));
    let tones =
        tones.map(|(tone, label)| LegendSign { sign: SignKind::Tone(tone), label: label.into() });
    // One family needs no shape in the legend.
    chart.signs = tones.chain(shapes.filter(|_| families.len() > 1)).collect();
    if !others.is_empty() {
        chart.signs.push(LegendSign { sign: SignKind::Shape(own), label: "other families".into() });
    }
    with_signs(chart, "runs")
}

fn guides() -> Vec<Guide> {
    let guide = |ratio: f64, label: Option<&str>| Guide {
        line: GuideLine::Ratio(ratio),
        label: label.map(str::to_owned),
        main: label.is_none(),
    };
    vec![
        guide(1.0, None),
        guide(2.0, Some("2×")),
        guide(0.5, Some("2×")),
        guide(10.0, Some("10×")),
        guide(0.1, Some("10×")),
    ]
}

/// The encoding that is compared with the first: the second of two, the best of more.
fn other(dataset: &Dataset<'_>) -> Option<usize> {
    let ratio = |two: usize| {
        let ratios = pairs(dataset, two).into_iter().filter_map(|pair| {
            match (pair.one.value, pair.two.value) {
                (Value::Measured(one), Value::Measured(two)) => {
                    let ratio = two / one;
                    (!ratio.is_nan()).then_some(Value::Measured(ratio))
                }
                (Value::Measured(_), Value::OverLimit) => Some(Value::OverLimit),
                (Value::OverLimit, Value::Measured(_)) => Some(Value::Measured(0.0)),
                (Value::OverLimit, Value::OverLimit) => None,
            }
        });
        median(&ratios.collect::<Vec<_>>())
    };
    let known = (1..dataset.encodings.len()).filter_map(|two| Some((two, ratio(two)?)));
    known.min_by(|one, two| one.1.compare(two.1)).map(|(two, _)| two)
}

/// A sentence about the choice of the two, if there was a choice.
fn which(dataset: &Dataset<'_>, two: usize) -> String {
    if dataset.encodings.len() < 3 {
        return String::new();
    }
    format!(
        "{} is the first encoding of the experiment. Of the others, {} has the smallest median ratio to \
         it.",
        dataset.encodings[0], dataset.encodings[two]
    )
}

/// The first encoding and this one, on all instances where both were measured.
fn pairs<'m>(dataset: &'m Dataset<'_>, two: usize) -> Vec<ScatterPair<'m>> {
    let ones = dataset.cells.iter().filter(|cell| cell.index.encoding == 0);
    let pairs = ones.filter_map(|cell| {
        let other = dataset.cell(CellIndex { encoding: two, ..cell.index })?;
        let (one, two) = (CellMedian::of(cell, times)?, CellMedian::of(other, times)?);
        Some(ScatterPair { index: cell.index, one, two })
    });
    pairs.collect()
}

fn point(pair: &ScatterPair<'_>, shape: usize) -> Point {
    let unchecked = pair.one.unchecked || pair.two.unchecked;
    Point {
        mark: if unchecked { Mark::HollowShape(shape) } else { Mark::Shape(shape) },
        joined: false,
        runs: pair.one.runs + pair.two.runs,
        keys: keys_of(&[pair.one.rows, pair.two.rows].concat()),
        // The position is over the limit of the axis below.
        ..Point::new(pair.one.value.measured().unwrap_or(f64::INFINITY), pair.two.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::analysed;
    use crate::tests::sample::{of_size, solved, timed_out, unchecked};
    use bezzel_experiment::Row;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        analysed(rows, draw)
    }

    fn named(encoding: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row
    }

    /// Rows of `instances` instances on which `fast` takes half a second and `slow` two seconds.
    fn rows(instances: u32) -> Vec<Row> {
        let both = |size| {
            [("first", 1.0), ("slow", 2.0), ("fast", 0.5)]
                .map(|(encoding, seconds)| of_size(size, named(encoding, solved(seconds))))
        };
        (8..8 + instances).flat_map(both).collect()
    }

    #[test]
    fn of_two_encodings_both_are_shown() {
        let rows: Vec<_> = rows(8).into_iter().filter(|row| row.job.encoding != "fast").collect();
        let chart = drawn(rows).unwrap();
        assert!(chart.title.ends_with("first and slow"), "{}", chart.title);
        assert!(!chart.caption.contains("the first encoding of the experiment"));
    }

    #[test]
    fn a_limit_is_drawn_on_the_side_of_who_came_to_it() {
        let mut rows = rows(8);
        rows.push(of_size(30, named("first", timed_out())));
        rows.push(of_size(30, named("fast", solved(3.0))));
        rows.push(of_size(31, named("first", unchecked(3.0))));
        rows.push(of_size(31, named("fast", timed_out())));
        let chart = drawn(rows).unwrap();
        let points: Vec<_> = chart.points().map(|(_, _, point)| point).skip(8).collect();
        assert!(points[0].at.is_infinite());
        assert_eq!(points[0].value, Value::Measured(3.0));
        assert_eq!((points[1].at, points[1].value), (3.0, Value::OverLimit));
        // Instances without a found solution are another family.
        assert_eq!(points[1].mark, Mark::HollowShape(1));
    }

    #[test]
    fn few_pairs_or_one_encoding_are_no_scatter() {
        assert_eq!(drawn(rows(7)), None);
        let alone = |row: &Row| row.job.encoding == "first";
        assert_eq!(drawn(rows(9).into_iter().filter(alone).collect()), None);
        assert_eq!(drawn(Vec::new()), None);
    }
}
