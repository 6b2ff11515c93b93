//! Cao's Figure 2 (CS517 final project, 2020): the times of a first solution and of all of them, by
//! MiniSat with a blocking clause for each solution.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_lab::{Row, Task};

use super::{as_generated, side};
use crate::material::Material;
use crate::statistics::cell::values;
use crate::statistics::{Value, median};
use crate::table::Table;
use crate::table::columns::Columns;

/// N, the seconds of a first solution and those of all; the last was given up.
const FIGURE_2: [(u32, f64, Option<f64>); 11] = [
    (4, 0.00012, Some(0.00015)),
    (5, 0.00006, Some(0.00048)),
    (6, 0.00012, Some(0.00037)),
    (7, 0.00006, Some(0.00211)),
    (8, 0.00012, Some(0.00874)),
    (9, 0.00012, Some(0.04393)),
    (10, 0.00012, Some(0.258_34)),
    (11, 0.00012, Some(3.7292)),
    (12, 0.00012, Some(78.117_92)),
    (13, 0.00012, Some(879.824_67)),
    (14, 0.00014, None),
];

/// The way of the source: MiniSat's search with blocking clauses, on clauses for each pair.
fn is_the_sources_way(row: &Row) -> bool {
    row.job.solver == "blocking:batsat" && row.job.encoding == "pairwise" && as_generated(row)
}

/// A first solution by the same search.
fn is_a_first(row: &Row) -> bool {
    row.job.task == Task::First
        && row.job.solver == "batsat"
        && row.job.encoding == "pairwise"
        && as_generated(row)
}

/// The median times on each side: of reading the formula and searching, in CPU seconds.
fn medians<'a>(rows: impl Iterator<Item = &'a Row>) -> BTreeMap<u32, Value> {
    let mut by_side: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let Some(side) = side(&row.job.board) {
            by_side.entry(side).or_default().push(row);
        }
    }
    let time = |row: &Row| Some(row.load_cpu_s.unwrap_or(0.0) + row.solve_cpu_s?);
    let medians = by_side.into_iter().map(|(side, rows)| (side, median(&values(&rows, time))));
    medians.filter_map(|(side, value)| Some((side, value?))).collect()
}

/// Makes the table; none if all solutions were found in the source's way on fewer than three boards.
pub(super) fn table(material: &Material<'_>) -> Option<Table> {
    let all_of_them = |row: &&Row| matches!(row.job.task, Task::Count | Task::Enumerate);
    let rows = || material.record.rows.iter();
    let whole = |row: &&Row| row.job.most.is_none();
    let all =
        medians(rows().filter(all_of_them).filter(whole).filter(|row| is_the_sources_way(row)));
    if all.len() < 3 {
        return None;
    }
    let first = medians(rows().filter(|row| is_a_first(row)));
    let others = fastest(material);
    let sides: BTreeSet<u32> =
        all.keys().chain(first.keys()).chain(others.keys()).copied().collect();
    let theirs = |side: u32| FIGURE_2.iter().find(|(known, ..)| *known == side);
    let their_all = |side: u32| theirs(side).and_then(|(.., all)| *all);
    let our_all = |side: u32| all.get(&side).and_then(|value| value.measured());
    let their_first = |side: u32| theirs(side).map(|(_, first, _)| *first);
    let ratio = |above: Option<f64>, below: Option<f64>| Some(above? / below?);
    let notes = vec![
            "Published: X. Cao, final project of CS517, 2020, Figure 2, by Minisat22 through Python; the \
             last was given up after seven hours. Here: BatSat, which is MiniSat's search, with a \
             blocking clause for each solution, reading the formula included. The machines are not the \
             same, so the factors from one N to the next are what can be compared."
                .into(),
            "The fastest here is that of any engine that came to its end with a verified answer.".into(),
        ];
    Some(
        Columns::of(sides.into_iter().filter(|side| (4..=16).contains(side)))
            .numbers("n", "N", |&side| u64::from(side))
            .numbers("first_published_s", "First, Cao (s)", |&side| their_first(side))
            .numbers("first_cpu_median_s", "First, here (s)", |side| first.get(side).copied())
            .numbers("all_published_s", "All, Cao (s)", |&side| {
                // The last was given up.
                let last = |all: Option<f64>| all.map_or(Value::OverLimit, Value::Measured);
                theirs(side).map(|(.., all)| last(*all))
            })
            .numbers("all_cpu_median_s", "All, here (s)", |side| all.get(side).copied())
            .numbers("growth_published", "t(N) / t(N − 1), Cao", |&side| {
                ratio(their_all(side), their_all(side - 1))
            })
            .numbers("growth", "t(N) / t(N − 1), here", |&side| {
                ratio(our_all(side), our_all(side - 1))
            })
            .numbers("all_fastest_cpu_s", "All, the fastest here (s)", |side| {
                others.get(side).map(|(_, seconds)| *seconds)
            })
            .words("all_fastest", "which is", |side| others.get(side).map(|(name, _)| name.clone()))
            .table("cao-figure-2", "Beside Cao's Figure 2", notes),
    )
}

/// The fastest verified way to all solutions on each side, whatever it reads.
fn fastest(material: &Material<'_>) -> BTreeMap<u32, (String, f64)> {
    let mut best: BTreeMap<u32, (String, f64)> = BTreeMap::new();
    for trial in &material.lineup.trials {
        let verified = trial.rows.iter().all(|row| row.verdict == bezzel_lab::Verdict::Verified);
        let wanted = matches!(trial.task, Task::Count | Task::Enumerate)
            && trial.rows.iter().all(|row| row.job.most.is_none());
        let (Some(side), Some(Value::Measured(seconds)), true) =
            (side(trial.board), trial.cpu_s(), verified && wanted)
        else {
            continue;
        };
        if best.get(&side).is_none_or(|(_, least)| seconds < *least) {
            best.insert(side, (material.lineup.arms[trial.arm].label(), seconds));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Registry};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::table::Item;
    use crate::tests::sample::{counted, on_side, solved, timed_out};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        table(&Material::new(&record, &Registry::new()))
    }

    fn all(side: u32, seconds: f64) -> Row {
        on_side(side, counted("blocking:batsat", "pairwise", seconds))
    }

    #[test]
    fn growth_is_told_beside_the_published_growth() {
        let rows = vec![
            on_side(9, solved(0.25)),
            all(9, 1.0),
            all(10, 4.0),
            all(11, 20.0),
            on_side(11, counted("direct-zdd", "none", 0.5)),
        ];
        let table = table_of(rows).unwrap();
        let line = |n: usize| table.rows[n].iter().map(Item::read).collect::<Vec<_>>();
        assert_eq!(line(0)[..5], ["9", "0.000120", "0.250", "0.0439", "1.00"]);
        // 0.25834 / 0.04393 and 3.7292 / 0.25834.
        assert_eq!(line(1)[5..7], ["5.88", "4.00"]);
        assert_eq!(line(2)[5..], ["14.4", "5.00", "0.500", "direct-zdd"]);
    }

    #[test]
    fn what_was_given_up_there_and_ended_at_a_limit_here_is_no_number() {
        let mut over = all(14, 1.0);
        let limit = timed_out();
        (over.stop, over.answer, over.verdict) = (limit.stop, limit.answer, limit.verdict);
        let table = table_of(vec![all(12, 1.0), all(13, 4.0), over]).unwrap();
        let last = table.rows.last().unwrap().iter().map(Item::read).collect::<Vec<_>>();
        assert_eq!(last[3..7], ["no answer", "no answer", "–", "–"]);
    }

    #[test]
    fn other_boards_and_other_ways_make_no_table() {
        let mut torus = all(9, 1.0);
        torus.job.board = Board::new(9).unwrap().with_geometry(bezzel_encode::Geometry::Torus);
        assert_eq!(table_of(vec![all(8, 1.0), all(10, 1.0), torus]), None);
        let other = |side| on_side(side, counted("blocking", "pairwise", 1.0));
        assert_eq!(table_of(vec![other(8), other(9), other(10)]), None);
    }
}
