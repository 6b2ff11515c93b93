//! The effect of bounded variable addition on the whole board: other tools compared with the solver's own
//! preprocessing, and with the best encodings of single lines. The tools are published. Their results on these boards
//! are not, and were measured with them.

use std::cmp::Ordering;

use bezzel_encode::Constraints;
use bezzel_experiment::Row;
use bezzel_solve::{Answer, OptionValue};
use serde::Deserialize;

use super::{as_generated, judged, printed, put_printed_above, side};
use bezzel_report::dataset::Dataset;
use bezzel_report::table::{Item, Table};
use bezzel_report::toolkit::{Columns, distinct};
use bezzel_statistics::{Spread, Value};

/// The clauses that are left of a formula: measured beforehand with each tool, and those of `split:4`, which reach the
/// bound of 3n − 6 for each line.
const KNOWN: &str = printed_file!("re-encoded");

/// A row of the known numbers.
#[derive(Deserialize)]
struct KnownClauses {
    n: u32,
    encoding: String,
    clauses_median: u64,
}

/// The sides of the known numbers, each with the clauses of `split:4`.
fn by_hand() -> Vec<(u32, u64)> {
    let known: Vec<KnownClauses> = printed(KNOWN);
    let by_hand = known.into_iter().filter(|row| row.encoding == "split:4");
    by_hand.map(|row| (row.n, row.clauses_median)).collect()
}

fn reencodes(row: &Row) -> bool {
    matches!(row.job.options.get("factor"), Some(OptionValue::Integer(1) | OptionValue::Flag(true)))
}

/// True for the formula that the tools read.
fn is_the_known_formula(row: &Row) -> bool {
    row.job.encoding == "pairwise"
        && row.job.settings.constraints == Some(Constraints::Full)
        && as_generated(row)
}

/// A line of the table: an arm on a side, and its numbers, one for each shuffle.
struct ClausesLine {
    side: u32,
    arm: [String; 3],
    clauses: Spread,
    added: Option<Spread>,
    across: Option<Spread>,
}

/// Makes the table. None if no formula of these boards was measured after re-encoding.
pub(super) fn table(dataset: &Dataset<'_>) -> Option<Table> {
    // A formula that was solved during preprocessing has no size.
    let left = |row: &Row| row.simplified.as_ref().is_some_and(|it| it.answer == Answer::Unknown);
    let measured = |row: &&Row| left(row) && reencodes(row);
    let rows: Vec<&Row> = dataset.record.rows.iter().filter(measured).collect();
    let mut lines = Vec::new();
    for (known, _) in by_hand() {
        let here = rows.iter().filter(|row| side(&row.job.instance) == Some(known));
        let here: Vec<&Row> = here.copied().collect();
        if !here.iter().any(|row| is_the_known_formula(row)) {
            continue;
        }
        // The label has all settings, even those that the rest of the report omits: the known numbers are for one set
        // of constraints.
        let arm =
            |row: &Row| [row.job.encoding_label(), dataset.solver(row), row.job.numbering.id()];
        for of_arm in distinct(here.iter().map(|row| arm(row))) {
            let left: Vec<&Row> = here.iter().copied().filter(|row| arm(row) == of_arm).collect();
            let of = |measure: fn(&Row) -> Option<u64>| -> Option<Spread> {
                let numbers = left.iter().filter_map(|row| measure(row));
                let values: Vec<Value> =
                    numbers.map(|number| Value::Measured(number as f64)).collect();
                Spread::of(&values)
            };
            lines.extend(of(|row| Some(row.simplified.as_ref()?.clauses)).map(|clauses| {
                ClausesLine {
                    side: known,
                    arm: of_arm,
                    clauses,
                    added: of(|row| Some(row.additions?.variables)),
                    across: of(|row| Some(row.additions?.across_lines)),
                }
            }));
        }
    }
    let sides = distinct(lines.iter().map(|line| Item::Count(line.side.into())));
    let mut table = Columns::of(lines)
        .numbers("n", "N", |line| u64::from(line.side))
        .words("encoding", "Encoding", |line| line.arm[0].clone())
        .words("by", "Re-encoded by", |line| line.arm[1].clone())
        .words("numbering", "Numbering", |line| line.arm[2].clone())
        .numbers("clauses_median", "Clauses left", |line| median_of(line.clauses))
        .numbers("clauses_least", "least", |line| whole(line.clauses.least))
        .numbers("clauses_most", "most", |line| whole(line.clauses.max))
        .numbers("added_variables_median", "Variables added", |line| line.added.map(median_of))
        .numbers("across_lines_median", "across lines", |line| line.across.map(median_of))
        .some_table("re-encoded", "Re-encoded boards, and other tools", || vec![
            "Clauses of the whole empty board under the full set of constraints. The first rows of each \
             board were measured beforehand, on the pairwise formula as generated. The original tool is \
             that of Manthey, Heule and Biere (HVC 2012), SBVA that of Haberlandt, Green and Heule (SAT \
             2023). These numbers are not from the literature. On a single line of n squares, bounded \
             variable addition cannot have fewer than 3n − 6 clauses (Przybocki, Subercaseaux, Heule, \
             arXiv 2603.27774); split:4 has this number. Re-encoding across lines can have fewer."
                .into(),
            "The other rows have the clauses after CaDiCaL's preprocessing, over the shuffles. Unless \
             stated otherwise, it also eliminates variables."
                .into(),
            "Variables added: the median number of variables that re-encoding added and preprocessing \
             kept. Across lines: those of them whose squares are not all on one row, column or diagonal."
                .into(),
        ])?;
    put_printed_above(&mut table, KNOWN);
    table.rows.retain(|row| sides.contains(&row[0]));
    table.rows.sort_by_key(|row| sides.iter().position(|side| *side == row[0]));
    Some(judged(&verdict(&rows), table))
}

/// The least number of clauses that are left of the known formula as generated, and those of `split:4`, on each side.
fn verdict(rows: &[&Row]) -> String {
    let mut by_relation = [const { Vec::new() }; 3];
    for (known, by_hand) in by_hand() {
        let here = rows.iter().filter(|row| side(&row.job.instance) == Some(known));
        let here = here.filter(|row| is_the_known_formula(row));
        let left = here.filter_map(|row| Some(row.simplified.as_ref()?.clauses)).min();
        if let Some(left) = left {
            let relation = match left.cmp(&by_hand) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            };
            by_relation[relation].push(format!("N = {known}"));
        }
    }
    let each = ["fewer", "as many", "more"].into_iter().zip(by_relation);
    let each = each.filter(|(_, sides): &(_, Vec<String>)| !sides.is_empty());
    let each = each.map(|(word, sides)| format!("{word} at {}", sides.join(" and ")));
    format!(
        "clauses that CaDiCaL leaves of pairwise as generated, compared with split:4, the bound for \
         variable addition on single lines: {}",
        each.collect::<Vec<_>>().join(", ")
    )
}

/// The median, as a count if it is whole. The median of an even number of shuffles may have a half, which is no count.
fn median_of(spread: Spread) -> Item {
    match spread.median {
        Value::Measured(median) if median.fract() != 0.0 => median.into(),
        median => whole(median),
    }
}

fn whole(value: Value) -> Item {
    value.measured().map_or(Item::Value(value), |value| Item::Count(value as u128))
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::Additions;
    use bezzel_solve::Simplified;

    use super::*;
    use crate::report::tests::{analysed, of_size, shuffled, solved};

    fn left(clauses: u64, factor: i64, mut row: Row) -> Row {
        std::sync::Arc::make_mut(&mut row.job.options)
            .insert("factor".into(), OptionValue::Integer(factor));
        row.simplified =
            Some(Simplified { variables: 1, clauses, literals: 1, answer: Answer::Unknown });
        row.additions = Some(Additions { variables: 83, across_lines: 10 });
        row
    }

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        analysed(rows, |of| table(of))
    }

    #[test]
    fn measured_clauses_stand_below_the_published_ones() {
        let rows = vec![
            left(520, 1, of_size(8, solved(1.0))),
            left(497, 1, of_size(8, shuffled(1, 1.0))),
            left(520, 1, of_size(8, shuffled(2, 1.0))),
            left(744, 0, of_size(8, solved(1.0))),
        ];
        let table = table_of(rows).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        let known = ["8", "pairwise", "original tool", "as-generated", "468", "–", "–", "–", "–"];
        assert_eq!(read[0], known);
        assert_eq!(read[3][4], "524");
        assert_eq!(read[4][3..], ["as-generated", "520", "520", "520", "83", "10"]);
        assert_eq!(read[5][3..], ["random", "509", "497", "520", "83", "10"]);
        assert_eq!(read.len(), 6);
        assert_eq!(
            table.notes[0],
            "Verdict: clauses that CaDiCaL leaves of pairwise as generated, compared with split:4, the \
             bound for variable addition on single lines: fewer at N = 8."
        );
    }
}
