//! The board from which on a circuit has fewer operations, clauses or literals than another encoding.

use std::collections::BTreeMap;

use bezzel_experiment::{Row, SectionOperations, Verdict};

use bezzel_problem::FormRank;
use bezzel_report::dataset::Dataset;
use bezzel_report::table::{Item, Table, TableIds, TableKind};
use bezzel_report::toolkit::{Columns, rank};

/// The counts of an encoding's formula on an empty board of the plane.
pub(crate) struct CountedCircuit<'a> {
    /// The encoding's place in the report.
    pub style: usize,
    /// The side of the board.
    pub side: u32,
    /// The formula's clauses.
    pub clauses: u64,
    /// The gates of its circuit, with folded constants. None without a circuit.
    pub operations: Option<u64>,
    /// The row.
    pub row: &'a Row,
}

/// The counts on empty boards of the plane: by encoding, then side, each once.
pub(crate) fn counted_circuits<'a>(dataset: &Dataset<'a>) -> Vec<CountedCircuit<'a>> {
    let mut found: BTreeMap<(usize, u32), CountedCircuit<'a>> = BTreeMap::new();
    for cell in &dataset.formulas {
        if rank(cell.instance) != Some(FormRank::Basic) {
            continue;
        }
        let style = dataset.style(&cell.encoding);
        let row = cell.rows.iter().copied();
        let mut row = row.filter(|row| row.verdict != Verdict::Wrong && row.solved());
        if let Some(row) = row.next()
            && let Some(formula) = &row.formula
        {
            let (side, clauses) = (cell.instance.size(), formula.clauses);
            let operations = row.circuit.as_ref().map(|sections| sum(sections, |it| it.built));
            let counted = CountedCircuit { style, side, clauses, operations, row };
            found.entry((style, side)).or_insert(counted);
        }
    }
    found.into_values().collect()
}

fn sum(sections: &[SectionOperations], of: impl Fn(&SectionOperations) -> u64) -> u64 {
    sections.iter().map(of).sum()
}

/// The kind of table.
pub(super) const KIND: TableKind = TableKind::new(
    "operations",
    &[TableIds::new(
        "crossings",
        "least boards from which a circuit is smaller than another encoding",
    )],
    |of| crossings(of).into_iter().collect(),
);

/// The smallest measured board from which on the first of two numbers is smaller than the second. All boards that were
/// measured for both are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// The first is smaller on all of them.
    Everywhere(u32),
    /// The first is smaller from this side on, and not on the measured side before.
    From(u32),
    /// The first is not smaller on the largest one.
    Nowhere(u32),
}

/// Finds the side from which on one number is below another, both by side. None without a common side.
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
    fn item(self) -> Item {
        let bound = |relation: &'static str, side: u32| Item::Bound {
            text: format!("{relation} {side}"),
            number: side.into(),
            relation,
        };
        match self {
            Self::Everywhere(smallest) => bound("≤", smallest),
            Self::From(side) => Item::Count(side.into()),
            Self::Nowhere(largest) => bound(">", largest),
        }
    }
}

/// The table of the sides from which on each circuit is smaller than each encoding without a circuit.
fn crossings(dataset: &Dataset<'_>) -> Option<Table> {
    let counted = counted_circuits(dataset);
    let of = |style: usize, number: fn(&CountedCircuit<'_>) -> Option<u64>| -> BTreeMap<u32, u64> {
        let here = counted.iter().filter(|it| it.style == style);
        here.filter_map(|it| Some((it.side, number(it)?))).collect()
    };
    let has_circuit =
        |style: &usize| counted.iter().any(|it| it.style == *style && it.operations.is_some());
    let (circuits, others): (Vec<usize>, Vec<usize>) =
        (0..dataset.encodings.len()).partition(has_circuit);
    let clauses: fn(&CountedCircuit<'_>) -> Option<u64> = |it| Some(it.clauses);
    let literals: fn(&CountedCircuit<'_>) -> Option<u64> =
        |it| it.row.formula.as_ref().map(|formula| formula.literals);
    let operations: fn(&CountedCircuit<'_>) -> Option<u64> = |it| it.operations;
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
        .words("circuit", "Circuit", |&(circuit, ..)| Item::encoding(dataset, circuit))
        .words("encoding", "Against", |&(_, other, ..)| Item::encoding(dataset, other))
        .words("measure", "Compared", |&(_, _, what, _)| what)
        .numbers("from_n", "Smaller from N on", |(.., crossing)| crossing.item())
        .some_table("crossings", "Sides from which a circuit is smaller", || {
            vec![
                "The smallest measured side N such that the circuit has fewer on all measured boards of \
                 the plane from N on."
                    .into(),
            ]
        })
}

#[cfg(test)]
pub(super) mod tests {
    use crate::Board;
    use bezzel_encode::{FormulaStats, Registry};
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::report::tests::{measured, sized};

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

    /// Rows as measurements produce them.
    pub(in crate::report) fn rows(sides: &(impl Iterator<Item = u32> + Clone)) -> Vec<Row> {
        let registry = crate::register(Registry::standard());
        let of = |id: &'static str| {
            let encoding =
                registry.find(id).unwrap().with_settings(bezzel_encode::Settings::default());
            sides.clone().map(move |side| {
                let board = Board::new(side).unwrap();
                let mut tally = FormulaStats::new();
                encoding.encode(&board.problem(), &mut tally);
                let size = tally.size();
                let [v, c, l] = [size.variables, size.clauses, size.literals]
                    .map(|number| u64::try_from(number).unwrap());
                let operations =
                    encoding.circuit(&board.problem()).map(|circuit| circuit.operations());
                let circuit = operations.map(|all| all.into_iter().map(Into::into).collect());
                Row { circuit, ..sized(id, side, measured(v, c, l)) }
            })
        };
        let ids = ["bryant-circuit", "bryant-circuit:binary", "pairwise", "implication"];
        ids.into_iter().flat_map(of).collect()
    }

    #[test]
    fn circuits_overtake_the_pairs() {
        let rows = rows(&(4..=20));
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = crate::register(Registry::standard());
        let text = crossings(&Dataset::new(&record, &registry)).unwrap().markdown();
        // P(N) + 2N clauses of pairwise are 170, 302 at N = 5, 6; operations 190, 293.
        let row = "| bryant-circuit | pairwise | operations against clauses | 6 |";
        assert!(text.contains(row), "{text}");
        // 10,903 clauses against 10,754 at N = 19, 12,136 against 12,580 at N = 20.
        assert!(text.contains("| bryant-circuit | pairwise | clauses | 20 |"), "{text}");
        assert!(text.contains("| bryant-circuit | pairwise | literals | \\> 20 |"), "{text}");
    }
}
