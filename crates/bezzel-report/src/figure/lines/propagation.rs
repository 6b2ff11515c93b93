//! The share of implied values that unit propagation finds.

use std::collections::HashSet;

use bezzel_experiment::{Row, Verdict};

use super::super::remark::paragraph;
use super::{LineFigure, LineKind, LinePanel, LineSample};
use crate::chart::Axis;
use crate::dataset::Dataset;
use crate::number::count;
use crate::row_statistics::replicates::{Strength, percent};
use crate::table::propagation::propagation_results;
use bezzel_statistics::Value;

/// A measure of the instances at one position: its title, its axis, whether the measure is of instances with a
/// solution, and the values.
type ShareMeasure = (&'static str, &'static str, bool, fn(&Strength) -> Vec<Value>);

const SHARES: [ShareMeasure; 3] = [
    ("all implied", "Found", true, |strength| strength.shares.clone()),
    // On most instances no value is of this kind, and a median would be zero.
    ("not attacked", "Found", true, |strength| strength.beyond_percent().into_iter().collect()),
    ("unsatisfiable", "Conflicts", false, |strength| {
        percent(strength.conflicts as u64, strength.unsolvable as u64).into_iter().collect()
    }),
];

/// A row of panels for each family.
pub(super) fn propagation<'a>(
    dataset: &Dataset<'a>,
    rows: &[&'a Row],
    position: &str,
    at: impl Fn(&Row) -> u32,
    about: &str,
) -> LineFigure<'a> {
    let found = propagation_results(dataset, rows, at);
    let mut by_family: Vec<Vec<LinePanel<'a>>> = Vec::new();
    for of_family in found.chunk_by(|one, other| one.family == other.family) {
        let panels = SHARES.iter().map(|(title, axis, solvable, measure)| {
            let samples = of_family.iter().map(|result| {
                let is_here = |row: &&Row| {
                    let truth = row.propagation.as_ref().and_then(|of| of.truth.as_ref());
                    truth.is_some_and(|truth| truth.solvable == *solvable)
                };
                let rows: Vec<&'a Row> = result.rows.iter().copied().filter(is_here).collect();
                let values = measure(&result.strength);
                LineSample::measured(result.style, result.position, rows, values)
            });
            LinePanel {
                title: format!("{}: {title}", of_family[0].family),
                position: position.to_owned(),
                value: Axis::linear(axis, Some("%")),
                guides: Vec::new(),
                samples: samples.collect(),
            }
        });
        by_family.push(panels.filter(LinePanel::has_line).collect());
    }
    // The longest row first, so that every family begins a row.
    by_family.sort_by_key(|panels| std::cmp::Reverse(panels.len()));
    let columns = by_family.first().map_or(1, Vec::len).max(1);
    let is_even = by_family.iter().rev().skip(1).all(|panels| panels.len() == columns);
    let heading = "Median share of the implied values that unit propagation finds.";
    LineFigure {
        heading: paragraph(&[heading, about]).trim_end_matches('.').to_owned(),
        about: paragraph(&["Higher is better.", about, &propagation_about(rows)]),
        columns: if is_even { columns } else { 2 },
        spread: "instances",
        lines: LineKind::Counted,
        ..super::of_encodings(dataset, by_family.into_iter().flatten().collect())
    }
}

/// The meaning of the points, and the runs that are left out.
fn propagation_about(rows: &[&Row]) -> String {
    let instances = rows.iter().map(|row| &row.job.instance).collect::<HashSet<_>>().len();
    let meaning = format!(
        "{} with given values. A value is implied if it is part of every solution, or of none. Unit propagation finds \
         that it is excluded if a literal of its cube becomes false, and that it is chosen if all literals of its cube \
         become true. Literals are not probed. A point for all implied values is the median over instances with a \
         solution. A point for values that share no constraint with a given value is the share over all instances \
         together, since most instances have none found. A point for unsatisfiable instances is the share on \
         which unit propagation finds a conflict.",
        count(instances, "instance")
    );
    let free = Strength::of(rows).free;
    let is_unknown = |row: &&&Row| row.propagation.as_ref().is_some_and(|of| of.truth.is_none());
    let unknown = rows.iter().filter(is_unknown).count();
    let wrong = rows.iter().filter(|row| row.verdict == Verdict::Wrong).count();
    let sentences = [
        (free, format!("On {} nothing is implied.", count(free, "instance"))),
        (unknown, format!("Left out: {} with unknown implied values.", count(unknown, "run"))),
        (wrong, format!("Left out: {} with wrong propagation results.", count(wrong, "run"))),
    ];
    let sentences = sentences.iter().filter(|(number, _)| *number > 0);
    let sentences: Vec<&str> = sentences.map(|(_, sentence)| sentence.as_str()).collect();
    paragraph(&[&[meaning.as_str()], &sentences[..]].concat())
}
