//! The implied values that unit propagation finds: by family of instances and encoding, by size, and by given values.

use std::collections::BTreeMap;

use bezzel_experiment::{Row, Task};
use indexmap::IndexSet;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::dataset::Dataset;
use crate::number::count;
use crate::row_statistics::replicates::Strength;
use bezzel_statistics::{Spread, Value};

/// The values that unit propagation finds with one encoding on the instances of one family at one position.
pub(crate) struct PropagationResult<'a> {
    /// The family.
    pub(crate) family: String,
    /// The encoding's place in the report.
    pub(crate) style: usize,
    /// A size or a number of given values. Zero for all instances together.
    pub(crate) position: u32,
    /// The shares.
    pub(crate) strength: Strength,
    /// The rows.
    pub(crate) rows: Vec<&'a Row>,
}

/// The found values of these rows: by family, in the order of their first rows, then by encoding, then by position.
pub(crate) fn propagation_results<'a>(
    dataset: &Dataset<'_>,
    rows: &[&'a Row],
    at: impl Fn(&Row) -> u32,
) -> Vec<PropagationResult<'a>> {
    let mut families = IndexSet::new();
    let mut groups: BTreeMap<(usize, usize, u32), Vec<&'a Row>> = BTreeMap::new();
    for &row in rows {
        let family = families.insert_full(dataset.family(&row.job.instance)).0;
        let style = dataset.style(&dataset.encoding(row));
        groups.entry((family, style, at(row))).or_default().push(row);
    }
    let found = groups.into_iter().map(|((family, style, position), rows)| PropagationResult {
        family: families[family].clone(),
        style,
        position,
        strength: Strength::of(&rows),
        rows,
    });
    found.collect()
}

/// The rows of propagation.
pub(crate) fn propagation_rows<'a>(dataset: &Dataset<'a>) -> Vec<&'a Row> {
    dataset.rows(|row| row.job.task == Task::Propagate)
}

/// The largest size of these rows, and the rows with it. None without rows.
pub(crate) fn on_largest<'a>(rows: &[&'a Row]) -> Option<(u32, Vec<&'a Row>)> {
    let largest = rows.iter().map(|row| size(row)).max()?;
    Some((largest, rows.iter().copied().filter(|row| size(row) == largest).collect()))
}

/// The size of the instance of a row.
pub(crate) fn size(row: &Row) -> u32 {
    row.job.instance.size()
}

/// The number of given candidates of the instance of a row.
pub(crate) fn given_values(row: &Row) -> u32 {
    row.job.instance.problem().given().len() as u32
}

/// The kind of table.
pub(super) const KIND: TableKind = TableKind::new(
    "propagation",
    &[
        TableIds::new(
            "propagation",
            "implied values that unit propagation finds, by family and \
                                      encoding",
        ),
        TableIds::new("propagation-by-size", "the same by the size of the instance"),
        TableIds::new(
            "propagation-by-given",
            "the same by the number of given values, on the largest instances",
        ),
    ],
    |of| tables(of).into_iter().flatten().collect(),
);

/// The tables: all instances together, by size, and by the number of given values on the largest instances. A table
/// with one position is left out.
fn tables(dataset: &Dataset<'_>) -> [Option<Table>; 3] {
    let (rows, size_name) = (propagation_rows(dataset), dataset.size_name);
    let by_size = propagation_results(dataset, &rows, size);
    let by_given = on_largest(&rows).and_then(|(largest, rows)| {
        let title = "Implied values found, by the number of given values";
        let title = format!("{title}, {}", size_name.of(largest));
        let found = propagation_results(dataset, &rows, given_values);
        by_position(dataset, found, "propagation-by-given", &title, |number| {
            count(number as usize, "given value")
        })
    });
    let title = "Implied values found, by the size of the instance";
    [
        table(dataset, &rows),
        by_position(dataset, by_size, "propagation-by-size", title, |size| size_name.of(size)),
        by_given,
    ]
}

/// The shares by family, encoding and position. None with one position.
fn by_position(
    dataset: &Dataset<'_>,
    found: Vec<PropagationResult<'_>>,
    id: &str,
    title: &str,
    named: impl Fn(u32) -> String,
) -> Option<Table> {
    if found.iter().all(|one| one.position == found[0].position) {
        return None;
    }
    Columns::of(found)
        .words("family", "Instances", |found| found.family.clone())
        .words("encoding", "Encoding", |found| Item::encoding(dataset, found.style))
        .words("position", "Position", |found| named(found.position))
        .numbers("instances", "With a solution", |found| found.strength.instances)
        .numbers("found_percent", "Found (%)", |found| found.strength.found_percent())
        .numbers("found_beyond_percent", "Of those not attacked (%)", |found| {
            found.strength.beyond_percent()
        })
        .some_table(id, title, || {
            let about =
                "A share is that of the implied values of all instances of the row together.";
            vec![about.to_owned()]
        })
}

/// The meaning of the columns.
const MEANING: [&str; 3] = [
    "A value is implied if it is part of every solution with the given values, or of none. Unit propagation finds that \
     it is excluded if a literal of its cube becomes false, and that it is chosen if all literals of its cube become \
     true. Literals are not probed.",
    "Found: the share of all implied values together. The quartiles are over instances. Not attacked: implied values \
     that share no constraint with a given value, which follow only from several constraints.",
    "Satisfiable instances on which nothing is implied have no share. Unsatisfiable instances have none \
     either, since they imply everything. Unknown: the search for the implied values, or the run, has no result.",
];

/// All instances of a family together. None without propagation.
fn table(dataset: &Dataset<'_>, rows: &[&Row]) -> Option<Table> {
    let quartile = |found: &PropagationResult<'_>, of: fn(Spread) -> Value| {
        Spread::of(&found.strength.shares).map(of)
    };
    let title = "Implied values that unit propagation finds";
    Columns::of(propagation_results(dataset, rows, |_| 0))
        .words("family", "Instances", |found| found.family.clone())
        .words("encoding", "Encoding", |found| Item::encoding(dataset, found.style))
        .numbers("instances", "With a solution", |found| found.strength.instances)
        .numbers("implied", "Implied values", |found| found.strength.implied)
        .numbers("found_percent", "Found (%)", |found| found.strength.found_percent())
        .numbers("found_percent_lower_quartile", "Lower quartile (%)", |found| {
            quartile(found, |spread| spread.lower)
        })
        .numbers("found_percent_median", "Median instance (%)", |found| {
            quartile(found, |spread| spread.median)
        })
        .numbers("found_percent_upper_quartile", "Upper quartile (%)", |found| {
            quartile(found, |spread| spread.upper)
        })
        .numbers("found_beyond_percent", "Of those not attacked (%)", |found| {
            found.strength.beyond_percent()
        })
        .numbers("unsolvable", "Without a solution", |found| found.strength.unsolvable)
        .numbers("conflicts", "Conflicts there", |found| found.strength.conflicts)
        .numbers("free", "Nothing implied", |found| found.strength.free)
        .numbers("unchecked", "Unknown", |PropagationResult { strength, .. }| {
            strength.unchecked + strength.unfinished
        })
        .numbers("wrong", "Wrong", |found| found.strength.wrong)
        .some_table("propagation", title, || {
            MEANING.map(str::to_owned).into_iter().chain(dataset.common_settings()).collect()
        })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::tests::sample::seating::Seating;
    use crate::tests::sample::{propagated, solved};

    #[test]
    fn found_implications_stand_beside_conflicts_and_other_tasks_have_no_such_table() {
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let weak = propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(truth));
        let mut refuted = propagated("pairwise", None, None);
        refuted.job.instance = Seating::new(4, 4).into();
        let rows = vec![weak, refuted, propagated("order", Some(truth), Some(truth))];
        let table_of = |rows: Vec<Row>| {
            let planned = rows.len();
            let record = ExperimentRecord { planned, rows, ..ExperimentRecord::default() };
            let [all, ..] = tables(&Dataset::new(&record, &Registry::new()));
            all
        };
        let csv = table_of(rows).unwrap().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(
            lines.iter().any(|line| line.contains("pairwise,1,15,60,60,60,60,33.333333333333336,")),
            "{csv}"
        );
        assert!(
            lines.iter().any(|line| line.contains("order,1,15,100,100,100,100,100,0,0")),
            "{csv}"
        );
        assert_eq!(table_of(vec![solved(1.0)]), None);
    }
}
