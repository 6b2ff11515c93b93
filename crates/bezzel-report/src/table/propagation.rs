//! What unit propagation finds, by family of boards and encoding.

use std::collections::BTreeMap;

use bezzel_lab::{Row, Task};
use indexmap::IndexSet;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::material::Material;
use crate::statistics::strength::{Strength, percent};
use crate::statistics::{Spread, Value};

/// What unit propagation finds with one encoding on the boards of one family.
pub(super) struct Found {
    /// The family.
    pub family: String,
    /// The encoding's place in the report.
    pub style: usize,
    /// What was found.
    pub strength: Strength,
}

/// What was found: by family, in the order of their first rows, then by encoding.
pub(super) fn found(material: &Material<'_>) -> Vec<Found> {
    let mut families = IndexSet::new();
    let mut groups: BTreeMap<(usize, usize), Vec<&Row>> = BTreeMap::new();
    for row in material.rows(|row| row.job.task == Task::Propagate) {
        let family = families.insert_full(material.family(&row.job.board)).0;
        let style = material.style(&material.encoding(row));
        groups.entry((family, style)).or_default().push(row);
    }
    let found = groups.iter().map(|(&(family, style), rows)| Found {
        family: families[family].clone(),
        style,
        strength: Strength::of(rows),
    });
    found.collect()
}

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "propagation",
    tables: &[TableIds::new(
        "propagation",
        "squares that unit propagation finds, by family and encoding",
    )],
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table; none if nothing was propagated.
fn table(material: &Material<'_>) -> Option<Table> {
    let quartile =
        |found: &Found, of: fn(Spread) -> Value| Spread::of(&found.strength.shares).map(of);
    Columns::of(found(material))
        .words("family", "Boards", |found| found.family.clone())
        .words("encoding", "Encoding", |found| Item::encoding(material, found.style))
        .numbers("boards", "With a solution", |found| found.strength.boards)
        .numbers("implied", "Implied squares", |found| found.strength.implied)
        .numbers("found_percent", "Found (%)", |Found { strength, .. }| {
            percent(strength.found, strength.implied)
        })
        .numbers("found_percent_lower_quartile", "Lower quartile (%)", |found| {
            quartile(found, |spread| spread.lower)
        })
        .numbers("found_percent_median", "Median board (%)", |found| {
            quartile(found, |spread| spread.median)
        })
        .numbers("found_percent_upper_quartile", "Upper quartile (%)", |found| {
            quartile(found, |spread| spread.upper)
        })
        .numbers("found_beyond_percent", "Of those not attacked (%)", |Found { strength, .. }| {
            percent(strength.beyond_found, strength.beyond)
        })
        .numbers("unsolvable", "Without a solution", |found| found.strength.unsolvable)
        .numbers("conflicts", "Conflicts there", |found| found.strength.conflicts)
        .numbers("free", "Nothing implied", |found| found.strength.free)
        .numbers("unchecked", "Unknown", |Found { strength, .. }| {
            strength.unchecked + strength.unfinished
        })
        .numbers("wrong", "Wrong", |found| found.strength.wrong)
        .some_table("propagation", "What unit propagation finds", || {
            let notes = [
            "A square is implied if it is empty in every solution with the given queens, or holds a \
             queen in every one. It is found empty if a literal of its cube is false after unit \
             propagation, and found to hold a queen if all are true; nothing is assumed to see what \
             follows, which would be probing for failed literals.",
            "Found is of all implied squares together; the quartiles are over boards. Not attacked: the \
             implied squares in no line with a given queen, for which more than one line must be seen.",
            "Boards with a solution on which nothing is implied have no share; boards without a solution \
             have none either, since everything is implied there. Unknown: the search that judges, or the \
             run, came to no end.",
        ];
            notes.map(str::to_owned).into_iter().chain(material.set_alike()).collect()
        })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{propagated, solved};

    #[test]
    fn what_was_found_stands_beside_conflicts_and_nothing_else_has_such_a_table() {
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let weak = propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(truth));
        let mut refuted = propagated("pairwise", None, None);
        refuted.job.board = refuted.job.board.without_givens();
        let rows = vec![weak, refuted, propagated("order", Some(truth), Some(truth))];
        let made = |rows: Vec<Row>| {
            let planned = rows.len();
            let record = ExperimentRecord { planned, rows, ..ExperimentRecord::default() };
            table(&Material::new(&record, &Registry::new()))
        };
        let csv = made(rows).unwrap().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines.iter().any(|line| line.contains("pairwise,1,15,60,60,60,60,0,")), "{csv}");
        assert!(
            lines.iter().any(|line| line.contains("order,1,15,100,100,100,100,100,0,0")),
            "{csv}"
        );
        assert_eq!(made(vec![solved(1.0)]), None);
    }
}
