//! Bryant's Table 1 (supplement of 2019): operations of his circuits, section by section.

use std::collections::BTreeMap;

use crate::encode::accounting::{self, Account, Polynomial};
use crate::encode::bryant::{Positions, SELECT};
use bezzel_experiment::SectionOperations;
use serde::Deserialize;

use super::{judged, printed};
use crate::report::operations::{CountedCircuit, counted_circuits};
use bezzel_report::dataset::Dataset;
use bezzel_report::table::{Item, Table};
use bezzel_report::toolkit::Columns;

/// The columns of Table 1: the selectors, the id of the encoding, and the heading of the source.
const COLUMNS: [(Positions, &str, &str); 2] = [
    (Positions::Binary, "bryant-circuit:binary", "Binary"),
    (Positions::OneHot, "bryant-circuit", "One-Hot"),
];

/// The side of the board at which terms are also given as numbers.
const SIDE: u32 = 8;

/// The source.
const SOURCE: &str =
    "R. E. Bryant, Supplement: Encoding the N-Queens Problem with Boolean Formulas, 2019, Table 1";

/// A term of Table 1: the coefficients of bits(N)·N² and of N².
#[derive(Deserialize)]
struct PrintedTerm {
    section: String,
    encoding: String,
    bits: i64,
    square: i64,
}

/// The name of the last row.
const TOTAL: &str = "Total";

/// The term of a section of an encoding. None for OVERALL, a linear section that Table 1 leaves out.
fn printed_term(encoding: &str, section: &str) -> Option<Polynomial> {
    let terms: Vec<PrintedTerm> = printed(printed_file!("bryant-table-1"));
    let mut terms = terms.into_iter();
    let term = terms.find(|term| term.section == section && term.encoding == encoding)?;
    Some(Polynomial { bits: term.bits, square: term.square, ..Polynomial::default() })
}

/// A total of Table 1 as a curve.
pub(in crate::report) struct Curve {
    /// The term with its column, as in `Table 1: 11·N²`.
    pub(in crate::report) label: String,
    /// The value for each counted side.
    pub(in crate::report) points: Vec<(f64, f64)>,
}

/// Operations of a circuit by side.
type CircuitsBySide<'a> = BTreeMap<u32, &'a [SectionOperations]>;

fn circuits<'a>(
    dataset: &Dataset<'a>,
    counted: &[CountedCircuit<'a>],
    id: &str,
) -> CircuitsBySide<'a> {
    let of_id = counted.iter().filter(|it| it.row.job.encoding == id);
    // With further constraints or other variables the circuit differs from that of the source.
    let plain = of_id.filter(|it| dataset.encodings[it.style] == id);
    plain.filter_map(|it| Some((it.side, it.row.circuit.as_deref()?))).collect()
}

/// The operations of both circuits. None if one of them was not counted at [`SIDE`].
fn both<'a>(dataset: &Dataset<'a>) -> Option<[CircuitsBySide<'a>; 2]> {
    let counted = counted_circuits(dataset);
    let both = COLUMNS.map(|(_, id, _)| circuits(dataset, &counted, id));
    both.iter().all(|circuits| circuits.contains_key(&SIDE)).then_some(both)
}

/// The totals of Table 1 on the counted sides. Empty if the record has no block of Table 1.
pub(in crate::report) fn curves(dataset: &Dataset<'_>) -> Vec<Curve> {
    let Some(both) = both(dataset) else { return Vec::new() };
    let each = COLUMNS.iter().zip(&both).filter_map(|((_, id, _), circuits)| {
        let printed = printed_term(id, TOTAL)?;
        let at = |&side: &u32| (f64::from(side), printed.at(side.into()) as f64);
        let points = circuits.keys().map(at).collect();
        Some(Curve { label: format!("Table 1: {printed}"), points })
    });
    each.collect()
}

/// Makes the table: a row for each section, and the total. None if a circuit was not counted.
pub(super) fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let both = both(dataset)?;
    let sections = accounting::accounts(Positions::OneHot).map(|account| account.section);
    let mut columns = Columns::of(sections.into_iter().chain([TOTAL])).words(
        "section",
        "Constraint",
        |&section| section,
    );
    for ((positions, encoding, head), circuits) in COLUMNS.into_iter().zip(&both) {
        let id = encoding.replace(['-', ':'], "_");
        let is_in = |name: &str, section: &str| section == TOTAL || name == section;
        let exact = |section: &str| -> Polynomial {
            let accounts = accounting::accounts(positions).into_iter();
            accounts.filter(|it| is_in(it.section, section)).map(|it| it.built).sum()
        };
        let counted = |section: &str| -> u64 {
            let sections = circuits[&SIDE].iter();
            sections.filter(|it| is_in(&it.name, section)).map(|it| it.built).sum()
        };
        let operations = format!("{head}, counted, N = {SIDE}");
        let deviation = format!("{head}, Table 1 − counted, N = {SIDE}");
        columns = columns
            .words(&format!("{id}_printed"), &format!("{head}, Table 1"), |section| {
                printed_term(encoding, section).map(|term| term.to_string())
            })
            .words(&format!("{id}_exact"), &format!("{head}, exact"), |section| {
                exact(section).to_string()
            })
            .numbers(format!("{id}_operations"), operations, |section| counted(section))
            .numbers(format!("{id}_deviation"), deviation, |section| {
                let printed = printed_term(encoding, section)?.at(SIDE.into());
                Some(signed(printed - i128::from(counted(section))))
            });
    }
    let notes = vec![
        format!(
            "Published: {SOURCE}. It counts operations of two operands, and has only terms that are at least \
             quadratic, so it has no row for OVERALL. Complements and literals are not counted."
        ),
        "Exact: operations of the generated circuit, with constants folded, for N ≥ 2. A selector of \
         bits(N) literals takes bits(N) − 1 ANDs."
            .into(),
    ];
    let table = columns.table("bryant-table-1", "Comparison with Bryant's Table 1", notes);
    Some(judged(&verdict(&both), table))
}

fn signed(number: i128) -> Item {
    let negative = |_| format!("−{}", number.unsigned_abs()).into();
    number.try_into().map_or_else(negative, Item::Count)
}

/// The leading terms of Table 1 and the exact ones, if these are the counted numbers of operations.
fn verdict(both: &[CircuitsBySide<'_>; 2]) -> String {
    let (mut formulas, mut others) = (0, 0);
    for ((positions, ..), circuits) in COLUMNS.iter().zip(both) {
        let accounts = accounting::accounts(*positions);
        for (&side, circuit) in circuits.iter().filter(|(side, _)| **side >= 2) {
            let is_exact = |account: &Account| {
                let mut here = circuit.iter().filter(|section| section.name == account.section);
                let built = here.next().map(|section| i128::from(section.built));
                built == Some(account.built.at(side.into()))
            };
            formulas += 1;
            others += usize::from(!accounts.iter().all(is_exact));
        }
    }
    if others > 0 {
        return format!("none, since {others} of {formulas} circuits do not have the exact terms");
    }
    let of_column = COLUMNS.map(|(positions, id, head)| {
        let excess = |account: &Account| {
            let printed = printed_term(id, account.section).unwrap_or_default();
            let exact = account.built.leading();
            let [bits, square] = [printed.bits - exact.bits, printed.square - exact.square];
            Polynomial { bits, square, ..Polynomial::default() }
        };
        let accounts = accounting::accounts(positions);
        let wrong = accounts.iter().map(|account| (account.section, excess(account)));
        let wrong: Vec<String> = wrong
            .filter(|(_, excess)| *excess != Polynomial::default())
            .map(|(section, excess)| {
                let one_each = section == SELECT && (excess.bits, excess.square) == (0, 1);
                let each = if one_each { ", one AND for each selector" } else { "" };
                format!("{excess} too many in {section}{each}")
            })
            .collect();
        if wrong.is_empty() {
            format!("for {head} Table 1 is right to the leading term")
        } else {
            format!("for {head} it has {}", wrong.join(" and "))
        }
    });
    let [binary, one_hot] = of_column;
    format!("{one_hot}; {binary}; all {formulas} circuits have the exact number of operations")
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::report::operations::tests::rows;

    fn table_of(rows: Vec<bezzel_experiment::Row>) -> Option<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        table(&Dataset::new(&record, &crate::register(Registry::standard())))
    }

    #[test]
    fn every_section_has_its_printed_and_its_exact_term_and_the_verdict_names_the_selectors() {
        let table = table_of(rows(&(4..=20))).unwrap();
        let text = table.markdown();
        // facts: 565 and 533 operations at N = 8; Table 1 has 704 there for both.
        for line in [
            "| SELECT | bits(N)·N² | (bits(N) − 1)·N² | 128 | 64 | 0 | 0 | 0 | 0 |",
            "| UNIQUE | N² | N² − N | 56 | 8 | 4·N² | 4·N² − 5·N | 216 | 40 |",
            "| OVERALL | – | N − 1 | 7 | – | – | N − 1 | 7 | – |",
            "| Total | (bits(N) + 8)·N² | (bits(N) + 7)·N² − 14·N + 5 | 533 | 171 | 11·N² | \
             11·N² − 18·N + 5 | 565 | 139 |",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(
            table.notes[0],
            "Verdict: for One-Hot Table 1 is right to the leading term; for Binary it has N² too many in \
             SELECT, one AND for each selector; all 34 circuits have the exact number of operations."
        );
    }

    #[test]
    fn other_operations_than_the_exact_ones_give_no_verdict_and_one_circuit_alone_no_table() {
        let mut rows = rows(&(7..=8));
        rows[0].circuit.as_mut().unwrap()[1].built += 1;
        let table = table_of(rows.clone()).unwrap();
        assert!(table.notes[0].contains("1 of 4 circuits do not have"), "{}", table.notes[0]);
        rows.retain(|row| row.job.encoding != "bryant-circuit");
        assert_eq!(table_of(rows), None);
    }
}
