//! Exponents: the power of the side with which times grow.

use std::collections::BTreeMap;

use bezzel_experiment::quantity::grouped;
use indexmap::IndexMap;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::comparison::{Arm, Measure, observations};
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::instance_terms::InstanceTerms;
use crate::statistics::exponent::{LEAST_S, REPLICATES, SIDES, exponent};
use crate::statistics::{CellIndex, DRAWS, Observation};

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "exponents",
    tables: &[TableIds::new("exponents", "growth of times as a power of the side")],
    make: |of| table(of).into_iter().collect(),
};

/// Makes the table. None if no encoding has enough sides.
fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let mut found = Vec::new();
    // The boards of each family, by their numbers in the dataset.
    let mut families: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (board, instance) in dataset.instances.iter().enumerate() {
        families.entry(dataset.family(instance)).or_default().push(board);
    }
    families.retain(|_, boards| is_unchosen(dataset, boards));
    for (family, boards) in &families {
        for numbering in 0..dataset.numberings.len() {
            for solver in 0..dataset.solvers.len() {
                for encoding in 0..dataset.encodings.len() {
                    let arm = Arm { encoding, numbering, solver };
                    let (exponent, left_out) = exponent(&points(dataset, boards, arm));
                    found.extend(exponent.map(|of| (family.clone(), arm, of, left_out)));
                }
            }
        }
    }
    Columns::of(found)
        .words("encoding", "Encoding", |(_, arm, ..)| Item::encoding(dataset, arm.encoding))
        .words("family", &dataset.terms.adapt("Boards"), |(family, ..)| family.clone())
        .words("numbering", "Numbering", |(_, arm, ..)| dataset.numberings[arm.numbering].clone())
        .words("solver", "Solver", |(_, arm, ..)| dataset.solvers[arm.solver].clone())
        .numbers("exponent", "Exponent", |(.., of, _)| of.slope)
        .numbers("exponent_low", "from", |(.., of, _)| of.interval.map(|(low, _)| low))
        .numbers("exponent_high", "to", |(.., of, _)| of.interval.map(|(_, high)| high))
        .numbers("points", "Points", |(.., of, _)| of.points)
        .numbers("left_out_short", "Too short", |(.., left_out)| left_out.short)
        .numbers("left_out_over", "Over limit", |(.., left_out)| left_out.over)
        .some_table("exponents", "How solve times grow", || notes(dataset.terms))
}

fn notes(terms: InstanceTerms) -> Vec<String> {
    let side = terms.size_word();
    vec![
        format!(
            "Exponent: the least-squares slope of the logarithm of the median CPU time of solving \
             against that of the {side}. A point is a {side}, with the median over the runs on all \
             {terms}s of this family and {side}. Points with medians below {} ms, and points with half \
             or more of the runs over the limit, are left out and counted. No exponent is given for \
             fewer than {SIDES} {side}s. None is given for a family with more {terms}s on one {side} \
             than on another, because such {terms}s were chosen and do not show growth. Chosen {terms}s, \
             one for each {side}, are not recognised.",
            LEAST_S * 1000.0
        ),
        format!(
            "Intervals are 95 % percentiles of {} resamples of the runs of each point, with the {side}s \
             fixed. They do not apply to other {side}s, and do not show that the growth is a power. No \
             interval is given if a point has fewer than {REPLICATES} runs.",
            grouped(DRAWS.resamples as u128)
        ),
    ]
}

/// True if each side has the same number of these boards. Otherwise the boards were chosen by another property than
/// their side, such as a similar effort.
fn is_unchosen(dataset: &Dataset<'_>, boards: &[usize]) -> bool {
    let mut sides: BTreeMap<u32, usize> = BTreeMap::new();
    for &board in boards {
        *sides.entry(dataset.instances[board].size()).or_default() += 1;
    }
    distinct(sides.into_values()).len() == 1
}

/// The sides of these boards, each once, with the measurements of an arm on all boards of that side. A side may have
/// several boards.
fn points(dataset: &Dataset<'_>, boards: &[usize], arm: Arm) -> Vec<(f64, Vec<Observation>)> {
    let Arm { encoding, numbering, solver } = arm;
    let index = |instance| CellIndex { instance, solver, numbering, encoding };
    let mut sides: BTreeMap<u32, Vec<Observation>> = BTreeMap::new();
    for cell in boards.iter().filter_map(|&board| dataset.cell(index(board))) {
        if cell.counts().disturbed == 0 {
            let seen = observations(cell, Measure::Time);
            sides.entry(cell.instance.size()).or_default().extend(seen);
        }
    }
    sides.into_iter().map(|(side, seen)| (f64::from(side), seen)).collect()
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};
    use bezzel_problem::{Geometry, Square};
    use bezzel_solve::Answer;

    use super::*;
    use crate::tests::sample::{change_board, on_side, solved, timed_out};

    #[test]
    fn an_exponent_stands_beside_what_was_left_out() {
        let rows = vec![
            on_side(4, solved(0.001)),
            on_side(8, solved(0.1)),
            on_side(16, solved(0.8)),
            on_side(32, solved(6.4)),
            on_side(64, timed_out()),
        ];
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let table = table(&Dataset::new(&record, &Registry::new())).unwrap();
        let read: Vec<_> = table.rows[0].iter().map(Item::read).collect();
        assert_eq!(
            read,
            ["pairwise", "plane", "as-generated", "batsat", "3.00", "–", "–", "3", "1", "1"]
        );
    }

    #[test]
    fn boards_of_one_side_are_one_point_and_families_are_kept_apart() {
        let blocked = |side: u32, column: u32, cpu_s: f64| {
            let mut row = on_side(side, solved(cpu_s));
            change_board(&mut row, |board| board.with_blocked([Square::new(0, column)]).unwrap());
            row
        };
        let denied = |row: Row| Row { status: Answer::Unsat, ..row };
        let mut rows = Vec::new();
        for (side, times) in [(8, 1.0), (16, 4.0), (32, 16.0)] {
            // Their median is 0.2 s on side 8. Separate points for these boards would change the slope.
            rows.extend([(1, 0.1), (2, 0.9), (3, 0.2)].map(|(column, cpu_s)| {
                blocked(side, column, times * if side == 8 { cpu_s } else { 0.2 })
            }));
            rows.push(denied(blocked(side, 4, 0.1 * times * times)));
        }
        // A family with more boards on one side has no exponent.
        for (side, column) in [(8, 1), (16, 1), (32, 1), (32, 2)] {
            let mut row = on_side(side, solved(f64::from(side)));
            change_board(&mut row, |board| {
                let torus = board.with_geometry(Geometry::Torus);
                torus.with_blocked([Square::new(0, column)]).unwrap()
            });
            rows.push(row);
        }
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let table = table(&Dataset::new(&record, &Registry::new())).unwrap();
        let read = |row: &Vec<Item>| [1, 4, 7].map(|place| row[place].read());
        let read: Vec<_> = table.rows.iter().map(read).collect();
        assert_eq!(
            read,
            [
                ["partly blocked, with a solution", "2.00", "3"],
                ["partly blocked, no solution", "4.00", "3"],
            ]
        );
    }

    #[test]
    fn one_side_has_no_exponent() {
        let record = ExperimentRecord { rows: vec![solved(1.0)], ..ExperimentRecord::default() };
        assert_eq!(table(&Dataset::new(&record, &Registry::new())), None);
    }
}
