//! Functions that figures over instances share: the family of each instance, the median of its runs, which represents
//! the instance, and the one numbering that they show if there are several.

use bezzel_experiment::{Key, Row};
use bezzel_solve::Answer;
use bezzel_statistics::{Spread, Value, median};
use indexmap::IndexSet;

use crate::chart::{Axis, Mark, Point};
use crate::dataset::Dataset;
use crate::instance_words::side;
use crate::number::{count, distinct, whole_or};
use crate::row_statistics::Cell;
use crate::row_statistics::cell::{Counts, is_counted};

/// An axis of times with the limit of CPU time if all runs had the same and no other limit ended a run.
pub(super) fn with_cpu_limit(dataset: &Dataset<'_>, axis: Axis) -> Axis {
    if let Some(limit) = dataset.cpu_limit() {
        return axis.with_limit(Some(limit), format!("CPU limit {} s", whole_or(limit, 2)));
    }
    // Runs have several limits, so the axis has none.
    let mut limits = distinct(dataset.record.rows.iter().map(|row| row.job.limits.cpu_s));
    limits.sort_by(f64::total_cmp);
    let words: Vec<String> = limits.iter().map(|limit| whole_or(*limit, 2)).collect();
    let label = match &words[..] {
        [one] => format!("no answer within {one} s CPU"),
        [one, two] => format!("no answer within {one} or {two} s CPU"),
        _ => "no answer".to_owned(),
    };
    axis.with_limit(None, label)
}

/// The axis of solve times, with the limit if all runs had the same.
pub(super) fn time_axis(dataset: &Dataset<'_>) -> Axis {
    with_cpu_limit(dataset, Axis::log("CPU time of solving", Some("s")))
}

/// The families of the instances, each once, in the order of their first instances.
pub(super) struct FamilyIndex {
    pub(super) names: Vec<String>,
    /// The family of each instance, by the number of the instance.
    pub(super) of_instance: Vec<usize>,
}

impl FamilyIndex {
    /// A family with the number of its instances and their sizes: `torus, 5 of N = 8 to 14`.
    pub(super) fn label(&self, dataset: &Dataset<'_>, family: usize) -> String {
        let sizes =
            self.instances(family).into_iter().map(|instance| dataset.instances[instance].size());
        let sizes: Vec<u32> = sizes.collect();
        let range = match (sizes.iter().min(), sizes.iter().max()) {
            (Some(least), Some(max)) if least < max => format!("{least}–{max}"),
            (Some(size), _) => size.to_string(),
            _ => String::new(),
        };
        let range = dataset.size_name.of(range).replace(" = ", "\u{a0}=\u{a0}");
        format!("{}, {} of {range}", self.names[family], sizes.len())
    }

    pub(super) fn of(dataset: &Dataset<'_>) -> Self {
        let mut names = IndexSet::new();
        let instances = dataset.instances.iter();
        let of_instance =
            instances.map(|instance| names.insert_full(dataset.family(instance)).0).collect();
        Self { names: names.into_iter().collect(), of_instance }
    }

    /// The numbers of the instances of a family.
    pub(super) fn instances(&self, family: usize) -> Vec<usize> {
        (0..self.of_instance.len())
            .filter(|&instance| self.of_instance[instance] == family)
            .collect()
    }
}

/// The answers of the instances, each once: satisfiable, unsatisfiable, and unanswered. Figures that pool instances have a
/// panel for each of them.
pub(super) fn answers(dataset: &Dataset<'_>) -> Vec<Option<Answer>> {
    let found: Vec<_> = dataset.instances.iter().map(|instance| dataset.answer(instance)).collect();
    let all = [Some(Answer::Sat), Some(Answer::Unsat), None];
    all.into_iter().filter(|answer| found.contains(answer)).collect()
}

/// The title of a panel of `instances` instances with this answer.
pub(super) fn title(solver: &str, instances: usize, answer: Option<Answer>) -> String {
    let side = side(answer.unwrap_or(Answer::Unknown));
    format!("{solver}, {}", count(instances, &format!("{side} instance")))
}

/// The value of an instance for an encoding: the median over its shuffles, seeds and repetitions.
pub(super) struct CellMedian<'m> {
    pub(super) value: Value,
    /// A bound from below if the value is over the limit: the same median, with the CPU time at which a run without an
    /// answer ended in the place of its value.
    pub(super) bound: Option<f64>,
    pub(super) runs: usize,
    pub(super) unchecked: bool,
    /// All rows of the cell.
    pub(super) rows: &'m [&'m Row],
}

impl<'m> CellMedian<'m> {
    /// The median of a cell. None if no run of it counts.
    pub(super) fn of(cell: &'m Cell<'_>, measure: fn(&[&Row]) -> Vec<Value>) -> Option<Self> {
        let values = measure(&cell.rows);
        let unchecked = cell.counts().unchecked > 0;
        let ended = cell.rows.iter().filter(|row| is_counted(row));
        let ended: Option<Vec<Value>> =
            ended.map(|row| row.solve_cpu_s.map(Value::Measured)).collect();
        let bound = ended.and_then(|ended| median(&ended)?.measured());
        let (value, runs) = (median(&values)?, values.len());
        Some(Self { value, bound, runs, unchecked, rows: &cell.rows })
    }
}

/// The numbering that represents all if a figure has room for one: the first that is shuffled, since any fixed order is
/// one of many and may suit an encoding by chance; otherwise the first.
pub(super) fn fair_numbering(dataset: &Dataset<'_>) -> usize {
    let shuffled = dataset
        .cells
        .iter()
        .filter(|cell| cell.rows.first().is_some_and(|row| row.job.numbering.is_shuffled()));
    shuffled.map(|cell| cell.index.numbering).min().unwrap_or(0)
}

/// The fair numbering as a part of a heading; empty if the record has one numbering only.
pub(super) fn numbering_suffix(dataset: &Dataset<'_>) -> String {
    match dataset.numberings.len() {
        0 | 1 => String::new(),
        _ => format!(", numbering: {}", dataset.numberings[fair_numbering(dataset)]),
    }
}

/// A sentence for captions that names the fair numbering; empty if there is one numbering only.
pub(super) fn numbering_note(dataset: &Dataset<'_>) -> String {
    if dataset.numberings.len() < 2 {
        return String::new();
    }
    shown_numbering(dataset, fair_numbering(dataset))
}

/// A sentence for captions that names the shown numbering and the others.
pub(super) fn shown_numbering(dataset: &Dataset<'_>, shown: usize) -> String {
    let others = dataset.numberings.iter().enumerate().filter(|(number, _)| *number != shown);
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let name = &dataset.numberings[shown];
    format!("Numbering shown: {name}. Also measured: {}.", others.join(", "))
}

/// The keys of these rows, in their order.
pub(super) fn keys_of(rows: &[&Row]) -> Vec<Key> {
    rows.iter().map(|row| row.key.clone()).collect()
}

/// The median of the values at `at`, with a bar from the lower to the upper quartile if there is more than one. Hollow
/// if an answer among the rows is unchecked. None without values.
pub(super) fn summary(at: f64, rows: &[&Row], values: &[Value]) -> Option<Point> {
    let spread = Spread::of(values)?;
    let several = spread.count > 1;
    let mark = if Counts::of(rows).unchecked > 0 { Mark::Hollow } else { Mark::Filled };
    Some(Point {
        low: several.then_some(spread.lower),
        high: several.then_some(spread.upper),
        mark,
        runs: spread.count,
        keys: keys_of(rows),
        ..Point::new(at, spread.median)
    })
}

/// The points of a line in their order, without missing ones. A line joins only measured medians of neighbours.
pub(super) fn joined(points: impl IntoIterator<Item = Option<Point>>) -> Vec<Point> {
    let mut before = false;
    let mut all = Vec::new();
    for point in points {
        let measured = point.as_ref().is_some_and(|point| point.value != Value::OverLimit);
        all.extend(point.map(|point| Point { joined: before && measured, ..point }));
        before = measured;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use crate::analysis::Analysis;
    use crate::row_statistics::cell::times;
    use crate::tests::sample::{shuffled, solved, timed_out, unchecked};

    #[test]
    fn a_shuffled_numbering_stands_for_all_and_an_instance_for_its_runs() {
        let mut late = timed_out();
        late.job.numbering = shuffled(3, 1.0).job.numbering;
        let rows = vec![solved(1.0), shuffled(1, 2.0), shuffled(2, 4.0), late];
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let dataset = Analysis::new(&record, &registry);
        let fair = fair_numbering(&dataset);
        assert_eq!(dataset.numberings[fair], "random");
        let note = "Numbering shown: random. Also measured: as-generated.";
        assert_eq!(numbering_note(&dataset), note);
        let cell = dataset.cells.iter().find(|cell| cell.index.numbering == fair).unwrap();
        let median = CellMedian::of(cell, times).unwrap();
        assert_eq!((median.value, median.runs), (Value::Measured(4.0), 3));
    }

    fn point(rows: &[Row]) -> Option<Point> {
        let rows: Vec<_> = rows.iter().collect();
        summary(8.0, &rows, &times(&rows))
    }

    #[test]
    fn one_run_has_no_bar() {
        let point = point(&[solved(2.0)]).unwrap();
        assert_eq!((point.value, point.low, point.high), (Value::Measured(2.0), None, None));
        assert_eq!(point.mark, Mark::Filled);
    }

    #[test]
    fn a_bar_that_reaches_into_time_outs_is_open_above() {
        let point = point(&[solved(1.0), solved(2.0), solved(3.0), timed_out()]).unwrap();
        assert_eq!(point.value, Value::Measured(2.5));
        assert_eq!(point.low, Some(Value::Measured(1.75)));
        assert_eq!(point.high, Some(Value::OverLimit));
    }

    #[test]
    fn half_time_outs_put_the_median_over_the_limit() {
        let point = point(&[solved(1.0), timed_out()]).unwrap();
        assert_eq!(point.value, Value::OverLimit);
    }

    #[test]
    fn one_unchecked_answer_makes_the_mark_hollow() {
        assert_eq!(point(&[solved(1.0), unchecked(1.0)]).unwrap().mark, Mark::Hollow);
        assert_eq!(point(&[]), None);
    }
}
