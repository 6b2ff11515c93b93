//! `propagation` and `propagation-given`: the share of implied values that unit propagation finds.

use std::collections::{BTreeSet, HashSet};

use bezzel_experiment::{Row, Verdict};

use super::FigureKind;
use super::legend::with_legends;
use super::remark::paragraph;
use super::series_choice;
use super::summary::keys_of;
use crate::chart::{Axis, Chart, Facet, Point, Series};
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::instance_words::SizeName;
use crate::number::count;
use crate::row_statistics::strength::{Strength, percent};
use crate::table::propagation::{
    given_values, on_largest, propagation_results, propagation_rows, size,
};
use bezzel_statistics::{Spread, Value};

/// Against the size of the instance.
pub(super) const SIZES: FigureKind = FigureKind {
    id: "propagation",
    title: "Share of the implied values that unit propagation finds",
    shows: "the median share of implied values that unit propagation finds, with quartiles over \
            instances, against the size of the instance",
    draw: |dataset| {
        let rows = propagation_rows(dataset);
        let title = SizeName::new(rows.iter().map(|row| &row.job.instance)).title();
        chart(dataset, &SIZES, &rows, title, size, "")
    },
};

/// Against the number of given values, on the largest size.
pub(super) const GIVEN: FigureKind = FigureKind {
    id: "propagation-given",
    title: "Share of the implied values that unit propagation finds, against the number of given values",
    shows: "the median share of implied values that unit propagation finds, with quartiles over \
            instances, against the number of given values on the largest instances",
    draw: |dataset| {
        let (size, rows) = on_largest(&propagation_rows(dataset))?;
        let about = format!("Instances with {}.", dataset.size_name.of(size));
        chart(dataset, &GIVEN, &rows, "Given values", given_values, &about)
    },
};

/// A measure of the instances at one position: its title, its axis, whether the measure is of instances with a
/// solution, and the values.
type ShareMeasure = (&'static str, &'static str, bool, fn(&Strength) -> Vec<Value>);

const MEASURES: [ShareMeasure; 3] = [
    ("all implied", "Found", true, |strength| strength.shares.clone()),
    // On most instances no value is of this kind, and a median would be zero.
    ("not attacked", "Found", true, |strength| strength.beyond_percent().into_iter().collect()),
    ("unsatisfiable", "Conflicts", false, |strength| {
        percent(strength.conflicts as u64, strength.unsolvable as u64).into_iter().collect()
    }),
];

/// A row of panels for each family, if there is more than one position.
fn chart(
    dataset: &Dataset<'_>,
    kind: &FigureKind,
    rows: &[&Row],
    position: &str,
    at: impl Fn(&Row) -> u32,
    about: &str,
) -> Option<Chart> {
    let found = propagation_results(dataset, rows, at);
    let positions: BTreeSet<u32> = found.iter().map(|found| found.position).collect();
    if positions.len() < 2 {
        return None;
    }
    let mut by_family: Vec<Vec<Facet>> = Vec::new();
    for of_family in found.chunk_by(|one, other| one.family == other.family) {
        let mut facets = Vec::new();
        for (what, axis, solvable, measure) in MEASURES {
            let mut all: Vec<Series> = Vec::new();
            for result in of_family {
                let rows = result.rows.iter().copied();
                let rows: Vec<&Row> =
                    rows.filter(|row| is_solvable(row) == Some(solvable)).collect();
                let shares = measure(&result.strength);
                let Some(point) = point(result.position, &rows, &shares) else { continue };
                let series = dataset.series(result.style, vec![point.clone()]);
                match all.last_mut().filter(|last| last.label == series.label) {
                    Some(last) => last.points.push(point),
                    None => all.push(series),
                }
            }
            if all.is_empty() {
                continue;
            }
            let title = format!("{}: {what}", of_family[0].family);
            let position = Axis::log(position, None)
                .with_ticks(positions.iter().copied().map(f64::from).collect());
            let value = Axis::linear(axis, Some("%"));
            facets.push(Facet { apart: true, ..Facet::new(title, position, value, all) });
        }
        by_family.push(facets);
    }
    // The longest row first, so that every family begins a row.
    by_family.sort_by_key(|facets| std::cmp::Reverse(facets.len()));
    let columns = by_family.first().map_or(1, Vec::len).max(1);
    let is_even = by_family.iter().rev().skip(1).all(|facets| facets.len() == columns);
    let columns = if is_even { columns } else { 2 };
    let mut facets: Vec<Facet> = by_family.into_iter().flatten().collect();
    if distinct(labels(&facets)).len() < 2 {
        return None;
    }
    let alike = merged(&mut facets);
    let left_out_series = series_choice::keep_best(&mut facets, series_choice::own_group);
    let own = caption(&Strength::of(rows), about, rows);
    let caption = paragraph(&[&own, &alike, &left_out_series]);
    let heading = "Median share of the implied values that unit propagation finds.";
    let heading = paragraph(&[heading, about]);
    let chart = kind.chart(heading.trim_end_matches('.'), caption, columns, facets);
    let mut chart = with_legends(chart, dataset, "instances")?;
    for entry in &mut chart.legend {
        let drawn = chart.facets.iter().flat_map(Facet::series);
        let drawn = drawn.into_iter().find(|series| series.style == Some(entry.style));
        entry.label = drawn.map_or_else(|| entry.label.clone(), |series| series.label.clone());
    }
    Some(chart)
}

fn labels(facets: &[Facet]) -> impl Iterator<Item = &str> {
    facets.iter().flat_map(Facet::series).map(|series| series.label.as_str())
}

/// Draws encodings with the same values at all points in all panels as one line, in the look of the first. Returns a
/// sentence that names them.
fn merged(facets: &mut [Facet]) -> String {
    let points = |label: &str| -> Vec<Vec<Point>> {
        let of = |facet: &Facet| -> Vec<Point> {
            let series = facet.series().iter().find(|series| series.label == label);
            let points = series.into_iter().flat_map(|series| &series.points);
            // Points of different encodings have different rows.
            points.map(|point| Point { keys: Vec::new(), ..point.clone() }).collect()
        };
        facets.iter().map(of).collect()
    };
    let mut groups: Vec<(Vec<Vec<Point>>, Vec<String>)> = Vec::new();
    for label in distinct(labels(facets)) {
        let points = points(label);
        match groups.iter_mut().find(|(known, _)| *known == points) {
            Some((_, alike)) => alike.push(label.to_owned()),
            None => groups.push((points, vec![label.to_owned()])),
        }
    }
    let groups: Vec<Vec<String>> =
        groups.into_iter().map(|(_, alike)| alike).filter(|alike| alike.len() > 1).collect();
    let sentences = groups.iter().map(|alike| {
        let [first, others @ ..] = &alike[..] else { return String::new() };
        for facet in facets.iter_mut() {
            facet.merge(first, others, &format!("{first} and {} more", others.len()));
        }
        format!("One line shows {}, which have the same values at all points.", alike.join(", "))
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// True if the instance of a row has a solution. None if this is unknown.
fn is_solvable(row: &Row) -> Option<bool> {
    Some(row.propagation.as_ref()?.truth.as_ref()?.solvable)
}

fn point(position: u32, rows: &[&Row], shares: &[Value]) -> Option<Point> {
    let spread = Spread::of(shares)?;
    let several = spread.count > 1;
    Some(Point {
        low: several.then_some(spread.lower),
        high: several.then_some(spread.upper),
        runs: spread.count,
        keys: keys_of(rows),
        ..Point::new(position.into(), spread.median)
    })
}

/// The meaning of the points.
const MEANING: &str = "with given values. A value is implied if it is part of every solution, or of none. Unit \
     propagation finds that it is excluded if a literal of its cube becomes false, and that it is chosen if all \
     literals of its cube become true. Literals are not probed. A point for all implied values is the median over \
     satisfiable instances. A point for values that share no constraint with a given value is the share over all \
     instances together, since most instances have none found. A point for unsatisfiable instances is the share \
     on which unit propagation finds a conflict.";

fn caption(of_instances: &Strength, about: &str, rows: &[&Row]) -> String {
    let instances = rows.iter().map(|row| &row.job.instance).collect::<HashSet<_>>().len();
    let sentence = |number: usize, of: &dyn Fn() -> String| match number {
        0 => String::new(),
        _ => of(),
    };
    let free = sentence(of_instances.free, &|| {
        format!("On {} nothing is implied.", count(of_instances.free, "instance"))
    });
    let is_unchecked = |row: &&&Row| row.propagation.as_ref().is_some_and(|of| of.truth.is_none());
    let unchecked = rows.iter().filter(is_unchecked).count();
    let unchecked = sentence(unchecked, &|| {
        let unknown = "unknown implied values";
        format!("Left out: {} with {unknown}.", count(unchecked, "run"))
    });
    let wrong = rows.iter().filter(|row| row.verdict == Verdict::Wrong).count();
    let wrong = sentence(wrong, &|| {
        format!("Left out: {} with wrong propagation results.", count(wrong, "run"))
    });
    let meaning = format!("{} {MEANING}", count(instances, "instance"));
    paragraph(&[about, &meaning, &free, &unchecked, &wrong])
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Key};

    use super::*;
    use crate::analysis::Analysis;
    use crate::tests::sample::propagated;
    use crate::tests::sample::seating::Seating;

    fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        (kind.draw)(&Analysis::new(&record, &registry))
    }

    const TRUTH: &str = "xQxx/xxxQ/Qxxx/xxQx";

    #[test]
    fn encodings_are_lines_over_sides_and_a_single_side_is_none() {
        let weak = propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(TRUTH));
        let strong = propagated("order", Some(TRUTH), Some(TRUTH));
        let mut larger = propagated("pairwise", Some("Qxxxx/....."), None);
        let truth = "xxxxx/xxxxx/xxxxx/xxxxx/xxxxx";
        larger.job.instance = Seating::new(5, 5).with_given(&[(1, 2)]).into();
        larger.propagation = propagated("pairwise", Some(truth), Some(truth)).propagation;
        let chart = drawn(&SIZES, vec![weak.clone(), strong.clone(), larger]).unwrap();
        let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
        assert_eq!(titles.len(), 2, "{titles:?}");
        assert!(titles[0].ends_with(": all implied"), "{titles:?}");
        let values: Vec<Vec<_>> = chart.facets[0]
            .series()
            .iter()
            .map(|series| series.points.iter().map(|point| (point.at, point.value)).collect())
            .collect();
        let measured = Value::Measured;
        let expected =
            [vec![(4.0, measured(60.0)), (5.0, measured(100.0))], vec![(4.0, measured(100.0))]];
        assert_eq!(values, expected);
        assert_eq!(drawn(&SIZES, vec![weak, strong]), None);
    }

    #[test]
    fn instances_without_a_solution_have_a_facet_of_their_own_and_no_share() {
        let refuted = |chairs: &[u32], conflict: bool| {
            let found = (!conflict).then_some("..../..../..../....");
            let mut row = propagated("pairwise", found, None);
            let seats: Vec<_> =
                (1..).zip(chairs).map(|(guest, &chair)| (guest, chair + 1)).collect();
            row.job.instance = Seating::new(4, 4).with_given(&seats).into();
            row
        };
        let mut rows = vec![refuted(&[0], true), refuted(&[0, 2], false)];
        assert_eq!(drawn(&GIVEN, rows.clone()), None, "one encoding is compared with nothing");
        for name in ["order", "support"] {
            rows.extend([&[0][..], &[0, 2]].map(|chairs| {
                let mut row = refuted(chairs, true);
                row.job.encoding = name.into();
                row
            }));
        }
        for (number, row) in rows.iter_mut().enumerate() {
            row.key = Key(number.to_string());
        }
        let chart = drawn(&GIVEN, rows).unwrap();
        assert_eq!(chart.facets.len(), 1);
        assert!(chart.facets[0].title.ends_with(": unsatisfiable"));
        let points: Vec<_> =
            chart.facets[0].series()[0].points.iter().map(|point| point.value).collect();
        assert_eq!(points, [Value::Measured(100.0), Value::Measured(0.0)]);
        let labels: Vec<_> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
        assert_eq!(labels, ["pairwise", "order and 1 more"]);
        // The rows of `order` and `support` with one given seat, and those with two.
        let keys = chart.facets[0].series()[1].points.iter().map(|point| point.keys.clone());
        assert!(keys.eq([["2", "4"], ["3", "5"]].map(|keys| keys.map(|key| Key(key.into())))));
        assert!(chart.caption.contains("One line shows order, support,"), "{}", chart.caption);
    }
}
