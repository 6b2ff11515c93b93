//! `times`: solve time against the size of the instance, for families with three sizes and more.
//!
//! Growth is shown for instances that were not chosen for their effort: empty instances, and families with the same
//! number of instances on every size. Quartiles are bands with at most three encodings, and bars otherwise. More than
//! three bands cover each other. The instances of one family and size are one point; each instance counts by the median
//! of its runs.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::Row;

use super::FigureKind;
use super::instance::{FamilyIndex, fair_numbering, shown_numbering, time_axis};
use super::legend::with_legends;
use super::remark::{ends_note, paragraph, proofs_note};
use super::series_choice;
use super::summary::{joined, summary};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Facet, Point, Series};
use crate::dataset::Dataset;
use crate::instance_words::SizeName;
use crate::row_statistics::CellIndex;
use crate::row_statistics::cell::times;
use crate::row_statistics::replicates::spread;
use bezzel_statistics::median;

pub(super) const KIND: FigureKind = FigureKind {
    id: "times",
    title: "Solve time against the size of the instance",
    shows: "median CPU time of solving with quartiles, one panel for each solver, family and numbering",
    draw,
};

/// The least number of sizes that show growth.
const SIZES: usize = 3;
/// The largest number of panels on a page.
const FACETS: usize = 6;

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let families = FamilyIndex::of(dataset);
    let of_sizes = |family: usize| of_sizes(dataset, &families.instances(family));
    let all: Vec<usize> = (0..families.names.len()).collect();
    let mut shown: Vec<usize> = all.iter().copied().filter(|&it| grows(&of_sizes(it))).collect();
    // One encoding under one numbering is a single line.
    if shown.is_empty() || dataset.encodings.len().max(dataset.numberings.len()) < 2 {
        return None;
    }
    let solvers = dataset.solvers.len();
    let mut numberings: Vec<usize> = (0..dataset.numberings.len()).collect();
    if solvers * shown.len() * numberings.len() > FACETS {
        // Families with most sizes are kept. Of equal ones the first is kept.
        shown.sort_by_key(|&family| std::cmp::Reverse(of_sizes(family).len()));
        shown.truncate((FACETS / (solvers * numberings.len())).max(1));
        shown.sort_unstable();
    }
    if solvers * shown.len() * numberings.len() > FACETS {
        numberings = vec![fair_numbering(dataset)];
    }
    let left_out: Vec<usize> = all.into_iter().filter(|family| !shown.contains(family)).collect();
    let mut facets = Vec::new();
    for solver in 0..solvers {
        for &family in &shown {
            for &numbering in &numberings {
                let (name, instances) =
                    (families.names[family].as_str(), families.instances(family));
                let facet_runs =
                    FacetRuns { dataset, solver, numbering, name, instances: &instances };
                facets.push(facet_runs.facet());
            }
        }
    }
    // Single points show no growth.
    facets.retain(|facet| series_choice::max_points(std::slice::from_ref(facet)) > 1);
    let left_out_series = series_choice::keep_best(&mut facets, series_choice::own_group);
    let is_shown = |row: &Row| {
        let family = dataset.family(&row.job.instance);
        shown.iter().any(|&it| families.names[it] == family)
    };
    let rows = dataset.firsts(is_shown);
    let instances = shown.iter().flat_map(|&family| families.instances(family));
    let instances: BTreeSet<usize> = instances.collect();
    let pooled = shown.iter().any(|&family| of_sizes(family).values().any(|it| it.len() > 1));
    let cells = dataset.cells.iter().filter(|cell| instances.contains(&cell.index.instance));
    let spread = if pooled { "instances" } else { spread(cells) };
    let bands = has_bands(dataset);
    let caption = paragraph(&[
        &format!(
            "Medians of the CPU time of solving, without generation and loading. The {} extend from the \
             lower to the upper quartile over the {spread}. A run without an answer counts as longer \
             than all others, so a median or quartile that depends on one is over the limit. The CPU \
             limit holds for the whole process, including generating and loading the formula.{}",
            if bands { "bands" } else { "bars" },
            if bands { "" } else { " Marks at the same size are drawn side by side." }
        ),
        if pooled {
            "If a family has several instances of a size, the value of each is the median of its runs."
        } else {
            ""
        },
        &not_shown(&families, &left_out, dataset, &numberings),
        &left_out_series,
        &proofs_note(dataset, &rows),
        &ends_note(&rows),
    ]);
    let columns = match numberings.len() {
        // Numberings of one solver and family are side by side.
        3 => 3,
        _ => facets.len().clamp(1, 2),
    };
    let chart = KIND.chart("Median CPU time of solving", caption, columns, facets);
    with_legends(chart, dataset, spread)
}

/// True if instances of these sizes show the growth of times: at least [`SIZES`] sizes, each with the same number of
/// instances. Unequal numbers of instances were chosen for another purpose.
fn grows(sizes: &BTreeMap<u32, Vec<usize>>) -> bool {
    let numbers: BTreeSet<usize> = sizes.values().map(Vec::len).collect();
    sizes.len() >= SIZES && numbers.len() == 1
}

/// A sentence that names the families and numberings that are not shown; empty if all are shown.
fn not_shown(
    families: &FamilyIndex,
    left_out: &[usize],
    dataset: &Dataset<'_>,
    numberings: &[usize],
) -> String {
    let names: Vec<&str> = left_out.iter().map(|&family| families.names[family].as_str()).collect();
    let left_out = match &names[..] {
        [] => String::new(),
        names => {
            format!(
                "These families have fewer than three sizes, unequal numbers of instances per size, or no room on \
                 the page, and are not shown: {}.",
                names.join("; ")
            )
        }
    };
    let numbering = match numberings {
        [one] if dataset.numberings.len() > 1 => shown_numbering(dataset, *one),
        _ => String::new(),
    };
    paragraph(&[&left_out, &numbering])
}

/// True if quartiles are drawn as bands. The bands of more than three encodings cover each other.
fn has_bands(dataset: &Dataset<'_>) -> bool {
    dataset.encodings.len() <= 3
}

/// The instances of each size, by their numbers.
fn of_sizes(dataset: &Dataset<'_>, instances: &[usize]) -> BTreeMap<u32, Vec<usize>> {
    let mut sizes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &instance in instances {
        sizes.entry(dataset.instances[instance].size()).or_default().push(instance);
    }
    sizes
}

/// The runs of one panel.
struct FacetRuns<'a> {
    dataset: &'a Dataset<'a>,
    solver: usize,
    numbering: usize,
    /// The name of the family.
    name: &'a str,
    instances: &'a [usize],
}

impl FacetRuns<'_> {
    fn facet(&self) -> Facet {
        let dataset = self.dataset;
        let sizes = of_sizes(dataset, self.instances);
        let styles = 0..dataset.encodings.len();
        let series = styles.filter_map(|style| self.series(style, &sizes)).collect();
        let solver = dataset.solvers[self.solver].clone();
        let title = format!("{solver}, {}, {}", dataset.numberings[self.numbering], self.name);
        let ticks = sizes.into_keys().map(f64::from).collect();
        let instances = self.instances.iter().map(|&instance| dataset.instances[instance]);
        let position = Axis::log(SizeName::new(instances).title(), None).with_ticks(ticks);
        // Bands need no shift of positions.
        let apart = !has_bands(dataset);
        Facet { apart, ..Facet::new(title, position, time_axis(dataset), series) }
    }

    fn series(&self, encoding: usize, sizes: &BTreeMap<u32, Vec<usize>>) -> Option<Series> {
        let dataset = self.dataset;
        let (solver, numbering) = (self.solver, self.numbering);
        let points = joined(sizes.iter().map(|(&size, instances)| {
            let index =
                |&instance: &usize| CellIndex { instance, solver, numbering, encoding, record: 0 };
            let cells: Vec<_> =
                instances.iter().filter_map(|instance| dataset.cell(index(instance))).collect();
            let rows: Vec<&Row> = cells.iter().flat_map(|cell| cell.rows.iter().copied()).collect();
            let runs = times(&rows);
            // An instance with many runs weighs no more than one with few.
            let values = if instances.len() > 1 {
                cells.iter().filter_map(|cell| median(&cell.times())).collect()
            } else {
                runs.clone()
            };
            let point = summary(size.into(), &rows, &values)?;
            Some(Point { runs: runs.len(), ..point })
        }));
        let band = has_bands(dataset);
        (!points.is_empty()).then(|| Series { band, ..dataset.series(encoding, points) })
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_problem::kind::pigeonhole::Pigeonhole;

    use super::*;
    use crate::analysis::Analysis;
    use crate::tests::sample::{
        at_wall_limit, of_size, out_of_memory, shuffled, solved, timed_out,
    };

    fn drawn(rows: Vec<Row>) -> Chart {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (KIND.draw)(&Analysis::new(&record, &Registry::new())).expect("there is something to draw")
    }

    /// The points of a panel's first series: N, the measured value, and true if a line joins it.
    fn points(facet: &Facet) -> Vec<(f64, Option<f64>, bool)> {
        let points = facet.series()[0].points.iter();
        points.map(|point| (point.at, point.value.measured(), point.joined)).collect()
    }

    fn named(mut row: Row, encoding: &str) -> Row {
        row.job.encoding = encoding.into();
        row
    }

    /// The same rows with another encoding, so that lines are compared.
    fn beside(rows: Vec<Row>) -> Vec<Row> {
        let others: Vec<Row> = rows.iter().map(|row| named(row.clone(), "other")).collect();
        rows.into_iter().chain(others).collect()
    }

    #[test]
    fn no_line_leads_over_a_side_on_which_nothing_was_run() {
        let rows = vec![
            of_size(8, solved(1.0)),
            of_size(32, solved(3.0)),
            of_size(60, solved(4.0)),
            of_size(16, named(solved(2.0), "other")),
        ];
        let expected = [(8.0, Some(1.0), false), (32.0, Some(3.0), false), (60.0, Some(4.0), true)];
        assert_eq!(points(&drawn(rows).facets[0]), expected);
    }

    #[test]
    fn no_line_leads_to_or_from_a_limit() {
        let rows =
            vec![of_size(8, solved(1.0)), of_size(16, timed_out()), of_size(32, solved(3.0))];
        let chart = drawn(beside(rows));
        let expected = [(8.0, Some(1.0), false), (16.0, None, false), (32.0, Some(3.0), false)];
        assert_eq!(points(&chart.facets[0]), expected);
        assert!(chart.caption.contains("2 ended without an answer (2 at the CPU limit)"));
        assert_eq!(chart.signs.len(), 1, "{:?}", chart.signs);
    }

    #[test]
    fn the_line_of_the_cpu_limit_is_there_only_if_no_other_limit_ended_a_run() {
        let drawn = |late: Row| {
            let rows = vec![of_size(8, solved(1.0)), of_size(9, solved(2.0)), of_size(16, late)];
            let chart = drawn(beside(rows));
            let limit = chart.facets[0].value.limit.clone().expect("an axis of times has one");
            (limit.at, limit.label)
        };
        assert_eq!(drawn(timed_out()), (Some(5.0), "CPU limit 5 s".into()));
        assert_eq!(drawn(at_wall_limit(1.6)), (None, "no answer within 5 s CPU".into()));
        assert_eq!(drawn(out_of_memory()), (None, "no answer within 5 s CPU".into()));
    }

    /// The row on one of several instances of a size.
    fn closed(size: u32, number: u32) -> Row {
        let mut row = solved(1.0);
        row.job.instance = Pigeonhole::new(size, number + 1).unwrap().into();
        row
    }

    #[test]
    fn two_sides_one_line_and_chosen_instances_are_no_growth() {
        let sizes = |sizes: &[u32]| sizes.iter().map(|&size| of_size(size, solved(1.0))).collect();
        let none = |rows: Vec<Row>| {
            let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
            draw(&Analysis::new(&record, &Registry::new())).is_none()
        };
        assert!(none(beside(sizes(&[8, 16]))));
        assert!(none(sizes(&[8, 16, 32])));
        // One size has more instances than the others: they were chosen.
        let chosen = vec![closed(8, 0), closed(8, 1), closed(16, 0), closed(32, 0)];
        assert!(none(beside(chosen.clone())));
        assert!(!none(beside(chosen[1..].to_vec())));
        let mut rows: Vec<Row> = sizes(&[8, 16, 32]);
        rows.push(closed(8, 0));
        let chart = drawn(beside(rows));
        assert_eq!(chart.facets.len(), 1);
        assert!(chart.caption.contains("are not shown: pigeonhole."), "{}", chart.caption);
    }

    #[test]
    fn numberings_and_solvers_have_facets_of_their_own() {
        let mut rows = Vec::new();
        for size in [8, 9, 10] {
            let mut other = of_size(size, solved(8.0));
            other.job.solver = "cadical".into();
            rows.extend([of_size(size, solved(1.0)), of_size(size, shuffled(1, 2.0)), other]);
        }
        let chart = drawn(rows);
        let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
        assert_eq!(titles, ["batsat, as-generated", "batsat, random", "cadical, as-generated"]);
        assert_eq!(chart.heading, "Median CPU time of solving, langford");
    }
}
