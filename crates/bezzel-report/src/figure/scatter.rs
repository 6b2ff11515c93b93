//! `scatter`: two encodings beside each other, a mark for every board, a panel for every solver and numbering.
//!
//! The two are those of the record if it has two; else the first listed, which is what an experiment
//! usually compares with, and the best of the others: the one with the smallest median of ratios to
//! the first. It is drawn where both were measured on at least eight boards under one numbering. The table
//! shows fewer boards better.

use std::collections::BTreeSet;

use super::FigureKind;
use super::instance::time_axis;
use super::instance::{Families, Median, fair_numbering};
use super::legend::with_signs;
use super::remark::{ends, paragraph, proofs};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Guide, GuideLine, Mark, Panel, Point, Series, Sign, SignKind};
use crate::look::MARKERS;
use crate::material::Material;
use crate::number::count;
use crate::statistics::cell::times;
use crate::statistics::{Place, Value, median};

pub(super) const KIND: FigureKind = FigureKind {
    id: "scatter",
    title: "Two encodings beside each other",
    shows: "solve times of the first encoding against those of the best of the others, on every board",
    draw,
};

/// Fewer pairs are no figure.
const PAIRS: usize = 8;

/// Both encodings on one board under one solver and numbering.
struct Pair {
    place: Place,
    one: Median,
    two: Median,
}

/// The most panels. They are square, and more do not fit a page.
const PANELS: usize = 4;

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let two = other(material)?;
    let pairs = pairs(material, two);
    let of = |(solver, numbering): (usize, usize)| {
        let here = move |place: Place| (place.solver, place.numbering) == (solver, numbering);
        pairs.iter().filter(move |pair| here(pair.place))
    };
    let facets = (0..material.solvers.len())
        .flat_map(|solver| (0..material.numberings.len()).map(move |it| (solver, it)));
    let mut facets: Vec<(usize, usize)> = facets.filter(|&it| of(it).count() >= PAIRS).collect();
    if facets.len() > PANELS {
        let fair = fair_numbering(material);
        let numbering = facets.iter().map(|it| it.1).find(|&it| it == fair).unwrap_or(facets[0].1);
        facets.retain(|it| it.1 == numbering);
        facets.truncate(PANELS);
    }
    let known = Families::of(material);
    let shown = facets.iter().flat_map(|&facet| of(facet));
    let families: BTreeSet<usize> = shown.map(|pair| known.of_board[pair.place.board]).collect();
    let families: Vec<usize> = families.into_iter().collect();
    let boards: BTreeSet<usize> =
        facets.iter().flat_map(|&facet| of(facet)).map(|pair| pair.place.board).collect();
    // Of more families than there are shapes, the last ones share a shape.
    let own = if families.len() > MARKERS { MARKERS - 1 } else { families.len() };
    let others: Vec<&str> =
        families[own..].iter().map(|&family| known.names[family].as_str()).collect();
    let title = |encoding: usize| material.encodings[encoding].clone();
    let axis =
        |encoding| Axis { label: format!("{}, CPU time", title(encoding)), ..time_axis(material) };
    let panels: Vec<Panel> = facets
        .iter()
        .map(|&(solver, numbering)| {
            let series = families.iter().enumerate().map(|(shape, &family)| {
                let pairs = of((solver, numbering));
                let pairs = pairs.filter(|pair| known.of_board[pair.place.board] == family);
                let points = pairs.map(|pair| point(pair, shape.min(own))).collect();
                let label = known.names[family].clone();
                Series { style: None, ..Series::new(0, label, points) }
            });
            let series = series.filter(|series| !series.points.is_empty()).collect();
            let name = format!("{}, {}", material.solvers[solver], material.numberings[numbering]);
            Panel { guides: guides(), ..Panel::new(name, axis(0), axis(two), series) }
        })
        .collect();
    let rows: Vec<_> = material
        .cells
        .iter()
        .filter(|cell| [0, two].contains(&cell.place.encoding))
        .filter(|cell| facets.contains(&(cell.place.solver, cell.place.numbering)))
        .flat_map(|cell| cell.rows.iter().copied())
        .collect();
    let caption = paragraph(&[
        &material.words.of(
            "A mark is a board: the medians over its runs of the CPU times of solving with both encodings. \
             Marks below the diagonal are where the encoding of the axis \
             to the left is faster; the thin lines are factors of 2 and 10. A median that depends on a \
             run without an answer lies on the limit, on the side of the encoding that came to it.",
        ),
        &which(material, two),
        &if others.is_empty() {
            String::new()
        } else {
            format!("Other families: {}.", others.join("; "))
        },
        &proofs(material, &rows),
        &ends(&rows),
    ]);
    let about = format!(
        "Median CPU time of solving (s) on each of {}",
        count(boards.len(), material.words.noun())
    );
    let mut chart = Chart {
        title: format!("{}: {} and {}", KIND.title, title(0), title(two)),
        ..KIND.chart(&about, caption, panels.len().clamp(1, 2), panels)
    };
    let shapes = families[..own].iter().enumerate().map(|(shape, &family)| Sign {
        sign: SignKind::Shape(shape),
        label: known.names[family].clone(),
    });
    chart.signs = shapes.collect();
    if !others.is_empty() {
        chart.signs.push(Sign { sign: SignKind::Shape(own), label: "other families".into() });
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

/// The encoding to put beside the first: the second of two, the best of more.
fn other(material: &Material<'_>) -> Option<usize> {
    let ratio = |two: usize| {
        let ratios = pairs(material, two).into_iter().filter_map(|pair| {
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
    let known = (1..material.encodings.len()).filter_map(|two| Some((two, ratio(two)?)));
    known.min_by(|one, two| one.1.compare(two.1)).map(|(two, _)| two)
}

/// Says how the two were chosen, if there was a choice.
fn which(material: &Material<'_>, two: usize) -> String {
    if material.encodings.len() < 3 {
        return String::new();
    }
    format!(
        "{} is the first of the experiment, {} the one of the others with the smallest median of \
         ratios to it.",
        material.encodings[0], material.encodings[two]
    )
}

/// The first encoding and this one, wherever both were measured.
fn pairs(material: &Material<'_>, two: usize) -> Vec<Pair> {
    let ones = material.cells.iter().filter(|cell| cell.place.encoding == 0);
    let pairs = ones.filter_map(|cell| {
        let other = material.cell(Place { encoding: two, ..cell.place })?;
        let (one, two) = (Median::of(cell, times)?, Median::of(other, times)?);
        Some(Pair { place: cell.place, one, two })
    });
    pairs.collect()
}

fn point(pair: &Pair, shape: usize) -> Point {
    let unchecked = pair.one.unchecked || pair.two.unchecked;
    Point {
        mark: if unchecked { Mark::HollowShape(shape) } else { Mark::Shape(shape) },
        joined: false,
        runs: pair.one.runs + pair.two.runs,
        // Over the limit of the axis below.
        ..Point::new(pair.one.value.measured().unwrap_or(f64::INFINITY), pair.two.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{on_side, solved, timed_out, unchecked};
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    fn named(encoding: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row
    }

    /// So many boards on which `fast` takes half a second and `slow` two seconds.
    fn rows(boards: u32) -> Vec<Row> {
        let both = |side| {
            [("first", 1.0), ("slow", 2.0), ("fast", 0.5)]
                .map(|(encoding, seconds)| on_side(side, named(encoding, solved(seconds))))
        };
        (8..8 + boards).flat_map(both).collect()
    }

    #[test]
    fn the_first_encoding_is_put_beside_the_best_of_the_others() {
        let chart = drawn(rows(8)).unwrap();
        assert!(chart.title.ends_with("first and fast"), "{}", chart.title);
        assert!(chart.points().all(|(_, _, it)| (it.at, it.value) == (1.0, Value::Measured(0.5))));
        assert_eq!(chart.points().count(), 8);
        assert!(chart.legend.is_empty(), "marks are of boards, not of encodings");
    }

    #[test]
    fn of_two_encodings_both_are_shown() {
        let rows: Vec<_> = rows(8).into_iter().filter(|row| row.job.encoding != "fast").collect();
        let chart = drawn(rows).unwrap();
        assert!(chart.title.ends_with("first and slow"), "{}", chart.title);
        assert!(!chart.caption.contains("the first of the experiment"));
    }

    #[test]
    fn a_limit_is_drawn_on_the_side_of_who_came_to_it() {
        let mut rows = rows(8);
        rows.push(on_side(30, named("first", timed_out())));
        rows.push(on_side(30, named("fast", solved(3.0))));
        rows.push(on_side(31, named("first", unchecked(3.0))));
        rows.push(on_side(31, named("fast", timed_out())));
        let chart = drawn(rows).unwrap();
        let points: Vec<_> = chart.points().map(|(_, _, point)| point).skip(8).collect();
        assert!(points[0].at.is_infinite());
        assert_eq!(points[0].value, Value::Measured(3.0));
        assert_eq!((points[1].at, points[1].value), (3.0, Value::OverLimit));
        // What nobody found a solution of is another family.
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
