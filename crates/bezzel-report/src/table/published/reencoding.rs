//! What bounded variable addition makes of the whole board: other tools beside the solver's own
//! preprocessing, and beside the best that encodings of single lines can do. The tools are published;
//! what they make of these boards is not, and was measured with them.

use bezzel_lab::Row;
use bezzel_solve::{Answer, OptionValue};

use super::side;
use crate::distinct::distinct;
use crate::material::Material;
use crate::statistics::{Spread, Value};
use crate::table::{Column, Item, Table};

/// The side of the board, and the clauses that are left of its pairwise formula under the full set of
/// constraints, as measured with each tool: by the original tool for bounded variable addition (Manthey,
/// Heule, Biere, HVC 2012), by SBVA (Haberlandt, Green, Heule, SAT 2023), by CaDiCaL 2.2.0's `factor`
/// alone; and those of `split:4`, which reach the bound of 3n − 6 for each line (Przybocki, Subercaseaux,
/// Heule 2026).
const KNOWN: [(u32, [u32; 4]); 3] = [
    (8, [468, 474, 520, 524]),
    (16, [2_377, 2_393, 3_394, 2_556]),
    (32, [10_538, 10_849, 19_662, 11_228]),
];

fn reencodes(row: &Row) -> bool {
    matches!(row.job.options.get("factor"), Some(OptionValue::Integer(1) | OptionValue::Flag(true)))
}

/// Makes the table; none if no formula of these boards was measured after it was re-encoded.
pub(super) fn table(material: &Material<'_>) -> Option<Table> {
    // What was solved on the way has no size.
    let left = |row: &Row| row.simplified.as_ref().is_some_and(|it| it.answer == Answer::Unknown);
    let measured = |row: &&Row| left(row) && reencodes(row);
    let rows: Vec<&Row> = material.record.rows.iter().filter(measured).collect();
    let mut lines = Vec::new();
    for (known, clauses) in KNOWN {
        let here: Vec<&&Row> =
            rows.iter().filter(|row| side(&row.job.board) == Some(known)).collect();
        if here.is_empty() {
            continue;
        }
        let named = ["original tool", "SBVA", "CaDiCaL 2.2.0, factor alone"];
        for (name, clauses) in named.iter().zip(clauses) {
            lines.push(line(known, "pairwise", name, "as-generated", clauses.into(), None));
        }
        lines.push(line(
            known,
            "split:4",
            "none: by hand",
            "as-generated",
            clauses[3].into(),
            None,
        ));
        // With all settings, whatever the rest of the report leaves out: what is known is of one set of
        // constraints.
        let arms =
            distinct(here.iter().map(|row| {
                (row.job.encoding_label(), material.solver(row), row.job.numbering.id())
            }));
        for (encoding, solver, numbering) in arms {
            let left = here.iter().filter(|row| {
                row.job.encoding_label() == encoding
                    && material.solver(row) == solver
                    && row.job.numbering.id() == numbering
            });
            let left: Vec<&Row> = left.map(|row| **row).collect();
            let of = |measure: &dyn Fn(&Row) -> Option<u64>| -> Option<Spread> {
                let told = left.iter().filter_map(|row| measure(row));
                let values: Vec<Value> =
                    told.map(|number| Value::Measured(number as f64)).collect();
                Spread::of(&values)
            };
            let clauses = of(&|row| Some(row.simplified.as_ref()?.clauses));
            let added = of(&|row| Some(row.additions?.variables));
            let across = of(&|row| Some(row.additions?.across_lines));
            if let Some(clauses) = clauses {
                let median = clauses.median.measured().unwrap_or_default();
                let mut items = line(known, &encoding, &solver, &numbering, median, Some(clauses));
                items.truncate(CLAUSES);
                items.extend(
                    [added, across]
                        .map(|spread| spread.map_or(Item::Missing, |spread| median_of(&spread))),
                );
                lines.push(items);
            }
        }
    }
    (!lines.is_empty()).then(|| Table {
        id: "re-encoded".into(),
        title: "Re-encoded boards beside other tools".into(),
        columns: vec![
            Column::numbers("n", "N"),
            Column::words("encoding", "Encoding"),
            Column::words("by", "Re-encoded by"),
            Column::words("numbering", "Numbering"),
            Column::numbers("clauses_median", "Clauses left"),
            Column::numbers("clauses_least", "least"),
            Column::numbers("clauses_most", "most"),
            Column::numbers("added_variables_median", "Variables added"),
            Column::numbers("across_lines_median", "across lines"),
        ],
        rows: lines,
        notes: vec![
            "Clauses of the whole empty board under the full set of constraints. The first lines of each \
             board were measured beforehand, on the pairwise formula as it is generated: the original tool \
             is that of Manthey, Heule and Biere (HVC 2012), SBVA that of Haberlandt, Green and Heule (SAT \
             2023). These numbers are not from the literature. No re-encoding of single lines goes below 3n − 6 \
             clauses for a line of n squares (Przybocki, Subercaseaux, Heule, arXiv 2603.27774), which \
             split:4 reaches; what is below it has seen across lines."
                .into(),
            "Ours are what CaDiCaL's preprocessing leaves, over the shuffles; besides re-encoding it \
             eliminates variables unless it says otherwise."
                .into(),
            "Variables added are those that re-encoding put in and that are left, in the median; across \
             lines are those of them whose squares, of one value and of the other, are not all on one row, \
             column or diagonal."
                .into(),
        ],
    })
}

fn line(
    side: u32,
    encoding: &str,
    by: &str,
    numbering: &str,
    clauses: f64,
    spread: Option<Spread>,
) -> Vec<Item> {
    // Half a clause is no clause: the median of an even number of shuffles may be one.
    let whole = |value: f64| Item::Value(Value::Measured(value));
    let end = |pick: fn(&Spread) -> Value| {
        spread.as_ref().map_or(Item::Missing, |spread| match pick(spread) {
            Value::Measured(value) => count(value),
            over @ Value::OverLimit => Item::Value(over),
        })
    };
    vec![
        Item::Count(side.into()),
        Item::Words(encoding.into()),
        Item::Words(by.to_string()),
        Item::Words(numbering.into()),
        if clauses.fract() == 0.0 { count(clauses) } else { whole(clauses) },
        end(|spread| spread.least),
        end(|spread| spread.most),
        Item::Missing,
        Item::Missing,
    ]
}

/// So many items of a line are about clauses.
const CLAUSES: usize = 7;

/// The median as a count, if it is one.
fn median_of(spread: &Spread) -> Item {
    match spread.median {
        Value::Measured(median) if median.fract() == 0.0 => count(median),
        value => Item::Value(value),
    }
}

fn count(value: f64) -> Item {
    Item::Count(value as u128)
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{Additions, ExperimentRecord};
    use bezzel_solve::Simplified;

    use super::*;
    use crate::sample::{on_side, shuffled, solved};

    fn left(clauses: u64, factor: i64, mut row: Row) -> Row {
        std::sync::Arc::make_mut(&mut row.job.options)
            .insert("factor".into(), OptionValue::Integer(factor));
        row.simplified =
            Some(Simplified { variables: 1, clauses, literals: 1, answer: Answer::Unknown });
        row.additions = Some(Additions { variables: 83, across_lines: 10 });
        row
    }

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        table(&Material::new(&record, &Registry::new()))
    }

    #[test]
    fn what_is_left_stands_below_what_is_known_of_the_board() {
        let rows = vec![
            left(520, 1, on_side(8, solved(1.0))),
            left(497, 1, on_side(8, shuffled(1, 1.0))),
            left(520, 1, on_side(8, shuffled(2, 1.0))),
            left(744, 0, on_side(8, solved(1.0))),
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
    }

    #[test]
    fn without_re_encoding_there_is_no_table() {
        assert_eq!(table_of(vec![left(744, 0, on_side(8, solved(1.0)))]), None);
    }
}
