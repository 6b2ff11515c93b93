//! Operations of circuits, section by section, beside Bryant's Table 1, and from which board on their
//! quadratic growth pays.

use std::collections::BTreeMap;

use bezzel_encode::circuit::accounting::{self, Account};
use bezzel_encode::circuit::bryant::Positions;
use bezzel_lab::{Row, SectionOperations, Verdict};

use super::columns::Columns;
use super::{Item, Table, TableKind};
use crate::escape;
use crate::family::terrain;
use crate::material::Material;

/// What was counted of an encoding's formula on an empty board of the plane.
pub(crate) struct Counted<'a> {
    /// The encoding's place in the report.
    pub style: usize,
    /// The side of the board.
    pub side: u32,
    /// The formula's clauses.
    pub clauses: u64,
    /// The gates of its circuit, constants folded; none of what has no circuit.
    pub operations: Option<u64>,
    row: &'a Row,
}

/// What was counted on empty boards of the plane: by encoding, then side, each once.
pub(crate) fn counted<'a>(material: &Material<'a>) -> Vec<Counted<'a>> {
    let mut found: BTreeMap<(usize, u32), Counted<'a>> = BTreeMap::new();
    for cell in &material.formulas {
        if terrain(cell.board) != "plane" {
            continue;
        }
        let style = material.style(&cell.encoding);
        let row = cell.rows.iter().copied();
        let mut row = row.filter(|row| row.verdict != Verdict::Wrong && row.solved());
        if let Some(row) = row.next()
            && let Some(formula) = &row.formula
        {
            let (side, clauses) = (cell.board.rows(), formula.clauses);
            let operations = row.circuit.as_ref().map(|sections| sum(sections, |it| it.built));
            let counted = Counted { style, side, clauses, operations, row };
            found.entry((style, side)).or_insert(counted);
        }
    }
    found.into_values().collect()
}

fn sum(sections: &[SectionOperations], of: impl Fn(&SectionOperations) -> u64) -> u64 {
    sections.iter().map(of).sum()
}

/// The kind of table.
pub(super) const KIND: TableKind = TableKind { id: "operations", make: |of| tables(of) };

/// The tables: one for each of Bryant's circuits, and the crossings.
fn tables(material: &Material<'_>) -> Vec<Table> {
    let counted = counted(material);
    let mut tables: Vec<Table> = (0..material.encodings.len())
        .filter_map(|style| of_circuit(material, &counted, style))
        .collect();
    tables.extend(crossings(material, &counted));
    tables
}

/// With more sides than these only the smallest ones and multiples of 8 are shown.
const SHOWN: usize = 16;

/// One circuit's operations.
fn of_circuit(material: &Material<'_>, counted: &[Counted<'_>], style: usize) -> Option<Table> {
    let here: Vec<_> = counted.iter().filter(|it| it.style == style).collect();
    let first = here.first()?.row;
    let circuit = first.circuit.as_ref()?;
    // The paper's own: what is shared, or required besides, it does not count.
    let positions = match first.job.encoding.as_str() {
        "bryant-circuit" => Some(Positions::OneHot),
        "bryant-circuit:binary" => Some(Positions::Binary),
        _ => None,
    };
    let names: Vec<&str> = circuit.iter().map(|section| section.name.as_str()).collect();
    let all = here.len() <= SHOWN;
    let shown = here.iter().filter(|it| all || it.side <= 8 || it.side.is_multiple_of(8));
    let shown = shown.filter_map(|it| Some((it.side, it.row.circuit.as_ref()?)));
    let mut columns = Columns::of(shown).words("n", "N", |(side, _)| side.to_string());
    for &name in &names {
        let column = format!("operations_{}", name.to_lowercase());
        columns = columns.numbers(column, name, |(_, circuit)| {
            circuit.iter().find(|section| section.name == name).map(|section| section.built)
        });
    }
    columns = columns
        .numbers("operations", "Built", |(_, of)| sum(of, |section| section.built))
        .numbers("operations_reachable", "Of use", |(_, of)| sum(of, |section| section.reachable))
        .numbers("operations_written", "As written", |(_, of)| sum(of, |section| section.written));
    if let Some(positions) = positions {
        let total = accounting::total(positions);
        let at = |polynomial: accounting::Polynomial, side: u32| -> Item {
            u128::try_from(polynomial.at(side.into())).ok().map(Item::Count).into()
        };
        columns = columns
            .numbers("operations_printed", "Table 1", |&(side, _)| at(total.printed, side))
            .numbers("operations_exact", "Exact", |&(side, _)| at(total.built, side));
    }
    let mut notes = vec![
        "Operations of two operands in each section, constants folded; complements and literals are \
         free. Of use are those on which some requirement depends; as written counts those with \
         constants, too."
            .to_owned(),
    ];
    if positions.is_some() {
        notes.push(format!(
            "Table 1: {}. It has the terms that are at least quadratic. Exact: the totals of what is \
             built, constants folded, for N ≥ 2.",
            accounting::SOURCE
        ));
    }
    let encoding = &material.encodings[style];
    let id = escape::id(&["operations", encoding]);
    let mut table = columns.table(id, format!("Operations of {encoding}"), notes);
    if let Some(positions) = positions {
        let above = [
            formulas("Table 1", positions, &names, |account| account.printed),
            formulas("exact", positions, &names, |account| account.built),
        ];
        table.rows.splice(0..0, above);
    }
    Some(table)
}

/// A row of formulas: what the sections have for every N.
fn formulas(
    name: &str,
    positions: Positions,
    names: &[&str],
    of: fn(Account) -> accounting::Polynomial,
) -> Vec<Item> {
    let accounts = accounting::accounts(positions);
    let mut row = vec![Item::Words(name.to_owned())];
    row.extend(names.iter().map(|name| {
        let account = accounts.iter().find(|account| account.section == *name);
        account.map_or(Item::Missing, |account| Item::Words(of(*account).to_string()))
    }));
    let total = of(accounting::total(positions)).to_string();
    row.extend([Item::Words(total), Item::Missing, Item::Missing, Item::Missing, Item::Missing]);
    row
}

/// From which measured board on the first of two numbers is smaller than the second, on all boards that
/// were measured for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// On all of them.
    Everywhere(u32),
    /// From this side on, and not on the one measured before.
    From(u32),
    /// Not on the largest one.
    Nowhere(u32),
}

/// Finds where one number falls below another, both by side; nothing without a common side.
pub(crate) fn crossing(one: &BTreeMap<u32, u64>, other: &BTreeMap<u32, u64>) -> Option<Crossing> {
    let common: Vec<(u32, bool)> =
        one.iter().filter_map(|(side, number)| Some((*side, number < other.get(side)?))).collect();
    let (smallest, largest) = (common.first()?.0, common.last()?.0);
    let above = common.iter().rposition(|(_, below)| !below);
    Some(match above {
        None => Crossing::Everywhere(smallest),
        Some(last) => match common.get(last + 1) {
            Some((side, _)) => Crossing::From(*side),
            None => Crossing::Nowhere(largest),
        },
    })
}

impl Crossing {
    fn words(self) -> String {
        match self {
            Self::Everywhere(smallest) => format!("≤ {smallest}"),
            Self::From(side) => side.to_string(),
            Self::Nowhere(largest) => format!("> {largest}"),
        }
    }
}

/// From which side on each circuit is smaller than each encoding without one.
fn crossings(material: &Material<'_>, counted: &[Counted<'_>]) -> Option<Table> {
    let of = |style: usize, number: fn(&Counted<'_>) -> Option<u64>| -> BTreeMap<u32, u64> {
        let here = counted.iter().filter(|it| it.style == style);
        here.filter_map(|it| Some((it.side, number(it)?))).collect()
    };
    let has_circuit =
        |style: &usize| counted.iter().any(|it| it.style == *style && it.operations.is_some());
    let (circuits, others): (Vec<usize>, Vec<usize>) =
        (0..material.encodings.len()).partition(has_circuit);
    let clauses: fn(&Counted<'_>) -> Option<u64> = |it| Some(it.clauses);
    let literals: fn(&Counted<'_>) -> Option<u64> =
        |it| it.row.formula.as_ref().map(|formula| formula.literals);
    let operations: fn(&Counted<'_>) -> Option<u64> = |it| it.operations;
    let measures = [
        ("operations against clauses", operations, clauses),
        ("clauses", clauses, clauses),
        ("literals", literals, literals),
    ];
    let mut found = Vec::new();
    for &circuit in &circuits {
        for &other in &others {
            for (what, of_circuit, of_other) in measures {
                let crossing = crossing(&of(circuit, of_circuit), &of(other, of_other));
                found.extend(crossing.map(|crossing| (circuit, other, what, crossing)));
            }
        }
    }
    Columns::of(found)
        .words("circuit", "Circuit", |&(circuit, ..)| Item::encoding(material, circuit))
        .words("encoding", "Against", |&(_, other, ..)| Item::encoding(material, other))
        .words("measure", "Compared", |&(_, _, what, _)| what)
        .numbers("from_n", "Smaller from N on", |(.., crossing)| crossing.words())
        .some_table("crossings", "Where quadratic growth pays", || {
            vec![
                "The least side that was measured from which on the circuit has fewer on all larger boards \
                 of the plane that were measured for both."
                    .into(),
            ]
        })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Registry, Tally};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{measured, sized};

    #[test]
    fn a_crossing_is_the_last_one_and_needs_common_sides() {
        let by_side = |numbers: &[(u32, u64)]| numbers.iter().copied().collect();
        let one = by_side(&[(4, 10), (5, 10), (6, 30), (7, 40), (9, 1)]);
        let other = by_side(&[(4, 20), (5, 9), (6, 30), (7, 41), (8, 0)]);
        assert_eq!(crossing(&one, &other), Some(Crossing::From(7)));
        assert_eq!(crossing(&other, &one), Some(Crossing::Nowhere(7)));
        assert_eq!(crossing(&by_side(&[(4, 1)]), &one), Some(Crossing::Everywhere(4)));
        assert_eq!(crossing(&by_side(&[(3, 1)]), &one), None);
    }

    /// Rows as measuring gives them.
    fn rows(sides: &(impl Iterator<Item = u32> + Clone)) -> Vec<Row> {
        let registry = Registry::standard();
        let of = |id: &'static str| {
            let encoding = registry.find(id).unwrap().on_board(bezzel_encode::Settings::default());
            sides.clone().map(move |side| {
                let board = Board::new(side).unwrap();
                let mut tally = Tally::new();
                encoding.encode(&board, &mut tally);
                let size = tally.size();
                let [v, c, l] = [size.variables, size.clauses, size.literals]
                    .map(|number| u64::try_from(number).unwrap());
                let operations = encoding.circuit(&board).map(|circuit| circuit.operations());
                let circuit = operations.map(|all| all.into_iter().map(Into::into).collect());
                Row { circuit, ..sized(id, side, measured(v, c, l)) }
            })
        };
        let ids = ["bryant-circuit", "bryant-circuit:binary", "pairwise", "implication"];
        ids.into_iter().flat_map(of).collect()
    }

    #[test]
    fn circuits_stand_beside_table_1_and_the_exact_totals_and_overtake_the_pairs() {
        let rows = rows(&(4..=20));
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::standard();
        let tables = tables(&Material::new(&record, &registry));
        let titles: Vec<_> = tables.iter().map(|table| table.title.as_str()).collect();
        let circuits = ["Operations of bryant-circuit", "Operations of bryant-circuit:binary"];
        assert_eq!(titles, [circuits[0], circuits[1], "Where quadratic growth pays"]);
        let text = tables[0].markdown();
        assert!(text.contains("| Table 1 | 0 | 4·N² | 3·N² | 4·N² | 0 | 11·N² |"), "{text}");
        assert!(text.contains("| exact | 0 | 4·N² − 5·N |"), "{text}");
        // facts: 565 gates at N = 8, of which 12 are of no use, 704 by Table 1.
        assert!(
            text.contains("| 8 | 0 | 216 | 132 | 210 | 7 | 565 | 553 | 687 | 704 | 565 |"),
            "{text}"
        );
        assert!(!text.contains("| 9 |"), "of many sides not all are shown");
        let text = tables[1].markdown();
        assert!(text.contains("| 8 | 128 | 56 | 132 | 210 | 7 | 533 |"), "{text}");
        // P(N) + 2N clauses of pairwise are 170, 302 at N = 5, 6; operations 190, 293.
        let text = tables[2].markdown();
        let row = "| bryant-circuit | pairwise | operations against clauses | 6 |";
        assert!(text.contains(row), "{text}");
        // 10,903 clauses against 10,754 at N = 19, 12,136 against 12,580 at N = 20.
        assert!(text.contains("| bryant-circuit | pairwise | clauses | 20 |"), "{text}");
        assert!(text.contains("| bryant-circuit | pairwise | literals | \\> 20 |"), "{text}");
    }
}
