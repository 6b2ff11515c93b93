//! Replicates: the property in which the runs of a cell differ, and their number.

use std::fmt;

use bezzel_experiment::Row;
use bezzel_solve::OptionValue;

use super::cell::Cell;
use crate::distinct::distinct;
use crate::number::count;
use bezzel_solve::SEEDS;
use indexmap::IndexSet;

/// The number of different runs of a cell, and the property in which they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplicateCount {
    /// The number.
    pub number: usize,
    /// The property.
    pub kind: ReplicateKind,
}

/// The property in which runs of a cell differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplicateKind {
    /// The seed of the numbering alone.
    Shuffles,
    /// The seed of the solver alone.
    Seeds,
    /// The repetition, several properties, or none.
    Runs,
}

impl ReplicateKind {
    /// The plural word: `shuffles`.
    pub fn several(self) -> &'static str {
        match self {
            Self::Shuffles => "shuffles",
            Self::Seeds => "seeds",
            Self::Runs => "runs",
        }
    }
}

impl ReplicateCount {
    /// Counts the rows of one cell that differ in shuffle, seed or repetition.
    pub fn of(rows: &[&Row]) -> Self {
        Self::counted(rows, |row| row.job.repeat)
    }

    /// The same without repetitions, which repeat the search of the first run and only measure its time again.
    pub fn of_searches(rows: &[&Row]) -> Self {
        Self::counted(rows, |_| 1)
    }

    fn counted(rows: &[&Row], repeat: impl Fn(&Row) -> u32) -> Self {
        let shuffle = |row: &&Row| row.job.numbering;
        let vary = |number: usize| number > 1;
        let shuffles = vary(rows.iter().map(shuffle).collect::<IndexSet<_>>().len());
        let seeds = vary(rows.iter().map(|row| seeds_of(row)).collect::<IndexSet<_>>().len());
        let repeats = vary(rows.iter().map(|row| repeat(row)).collect::<IndexSet<_>>().len());
        let all = rows.iter().map(|row| (shuffle(row), seeds_of(row), repeat(row)));
        let number = all.collect::<IndexSet<_>>().len();
        let shuffled = rows.iter().any(|row| row.job.numbering.is_shuffled());
        let kind = match (shuffles, seeds, repeats) {
            (true, false, false) => ReplicateKind::Shuffles,
            (false, true, false) => ReplicateKind::Seeds,
            // A single shuffle counts as a shuffle.
            (false, false, false) if shuffled => ReplicateKind::Shuffles,
            _ => ReplicateKind::Runs,
        };
        Self { number, kind }
    }
}

/// The number with its word, as in `1 shuffle` and `20 seeds`.
impl fmt::Display for ReplicateCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&count(self.number, self.kind.several().trim_end_matches('s')))
    }
}

/// The seeds of a solver by their kinds and bits. Equal seeds have equal bits.
pub(crate) type Seeds = [Option<(u8, u64)>; SEEDS.len()];

/// The seeds of a row.
pub(crate) fn seeds_of(row: &Row) -> Seeds {
    SEEDS.map(|name| {
        row.job.options.get(name).map(|value| match *value {
            OptionValue::Flag(flag) => (0, flag.into()),
            OptionValue::Integer(number) => (1, number.cast_unsigned()),
            OptionValue::Number(number) => (2, number.to_bits()),
        })
    })
}

/// The word for the replicates of the spread within these cells: that of all cells with several runs if they agree.
pub fn spread<'a>(cells: impl IntoIterator<Item = &'a Cell<'a>>) -> &'static str {
    let replicates = cells.into_iter().map(|cell| ReplicateCount::of(&cell.rows));
    let kinds = distinct(replicates.filter(|cell| cell.number > 1).map(|cell| cell.kind));
    match kinds[..] {
        [kind] => kind.several(),
        _ => ReplicateKind::Runs.several(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_statistics::cells;
    use crate::tests::sample::{seeded, shuffled, solved};
    use bezzel_encode::Numbering;
    use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};

    fn repeated(repeat: u32, mut row: Row) -> Row {
        row.job.repeat = repeat;
        row
    }

    fn count_text(rows: &[Row]) -> String {
        ReplicateCount::of(&rows.iter().collect::<Vec<_>>()).to_string()
    }

    #[test]
    fn runs_are_called_by_what_they_differ_in() {
        assert_eq!(count_text(&[solved(1.0)]), "1 run");
        assert_eq!(count_text(&[shuffled(1, 1.0)]), "1 shuffle");
        let mut ordered = solved(1.0);
        ordered.job.numbering = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::After);
        assert_eq!(count_text(&[ordered]), "1 run");
        assert_eq!(count_text(&[shuffled(1, 1.0), shuffled(2, 1.0)]), "2 shuffles");
        assert_eq!(count_text(&[seeded(1, 1.0), seeded(2, 1.0), seeded(3, 1.0)]), "3 seeds");
        assert_eq!(count_text(&[solved(1.0), repeated(2, solved(1.0))]), "2 runs");
        let mut both = seeded(2, 1.0);
        both.job.numbering = shuffled(1, 1.0).job.numbering;
        assert_eq!(count_text(&[shuffled(1, 1.0), shuffled(2, 1.0), both]), "3 runs");
    }

    #[test]
    fn the_same_run_twice_is_one() {
        assert_eq!(
            count_text(&[shuffled(1, 1.0), shuffled(1, 2.0), shuffled(2, 1.0)]),
            "2 shuffles"
        );
    }

    #[test]
    fn repetitions_are_runs_but_no_further_searches() {
        let rows = [1, 2, 3].map(|repeat| repeated(repeat, solved(1.0)));
        let rows: Vec<_> = rows.iter().collect();
        assert_eq!(ReplicateCount::of(&rows).to_string(), "3 runs");
        assert_eq!(ReplicateCount::of_searches(&rows).to_string(), "1 run");
    }

    #[test]
    fn the_spread_of_several_cells_is_over_what_all_of_them_vary() {
        let word = |rows: &[Row]| {
            let solver = |row: &Row| row.job.solver.clone();
            let cells = cells(rows, solver, |row| row.job.encoding_label(), |_| 0);
            spread(&cells)
        };
        let shuffles = [solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0)];
        assert_eq!(word(&shuffles), "shuffles");
        assert_eq!(word(&[seeded(1, 1.0), seeded(2, 1.0)]), "seeds");
        let mixed = [shuffles.as_slice(), &[seeded(1, 1.0)]].concat();
        assert_eq!(word(&mixed), "runs");
        assert_eq!(word(&[solved(1.0)]), "runs");
    }
}
