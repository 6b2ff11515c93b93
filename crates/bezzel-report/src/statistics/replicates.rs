//! Replicates: what the runs of a cell differ in, and how many of them do.

use std::fmt;

use bezzel_lab::Row;
use bezzel_solve::OptionValue;

use super::cell::Cell;
use crate::distinct::distinct;
use crate::number::count;
use bezzel_solve::SEEDS;
use indexmap::IndexSet;

/// How many runs of a cell differ, and what in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replicates {
    /// How many.
    pub number: usize,
    /// What in.
    pub kind: Kind,
}

/// What runs of a cell differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// In the seed of their numbering alone.
    Shuffles,
    /// In the seed of their solver alone.
    Seeds,
    /// In their repetition, in several things, or in nothing.
    Runs,
}

impl Kind {
    /// The word for several: `shuffles`.
    pub fn several(self) -> &'static str {
        match self {
            Self::Shuffles => "shuffles",
            Self::Seeds => "seeds",
            Self::Runs => "runs",
        }
    }
}

impl Replicates {
    /// Counts the rows of one cell that differ in shuffle, seed or repetition.
    pub fn of(rows: &[&Row]) -> Self {
        Self::counted(rows, |row| row.job.repeat)
    }

    /// The same without repetitions, which search as the first run did and only time it again.
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
            (true, false, false) => Kind::Shuffles,
            (false, true, false) => Kind::Seeds,
            // One shuffle is a shuffle.
            (false, false, false) if shuffled => Kind::Shuffles,
            _ => Kind::Runs,
        };
        Self { number, kind }
    }
}

/// As in `1 shuffle` and `20 seeds`.
impl fmt::Display for Replicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&count(self.number, self.kind.several().trim_end_matches('s')))
    }
}

/// The seeds of a solver by their kinds and bits, which are the same for the same seeds.
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

/// The word for what the spread within these cells is over: that of all cells of several runs if
/// they agree.
pub fn spread<'a>(cells: impl IntoIterator<Item = &'a Cell<'a>>) -> &'static str {
    let replicates = cells.into_iter().map(|cell| Replicates::of(&cell.rows));
    let kinds = distinct(replicates.filter(|cell| cell.number > 1).map(|cell| cell.kind));
    match kinds[..] {
        [kind] => kind.several(),
        _ => Kind::Runs.several(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::cells;
    use crate::tests::sample::{seeded, shuffled, solved};
    use bezzel_encode::Numbering;
    use bezzel_encode::numbering::{AuxiliaryPlace, Squares};

    fn repeated(repeat: u32, mut row: Row) -> Row {
        row.job.repeat = repeat;
        row
    }

    fn told(rows: &[Row]) -> String {
        Replicates::of(&rows.iter().collect::<Vec<_>>()).to_string()
    }

    #[test]
    fn runs_are_called_by_what_they_differ_in() {
        assert_eq!(told(&[solved(1.0)]), "1 run");
        assert_eq!(told(&[shuffled(1, 1.0)]), "1 shuffle");
        let mut ordered = solved(1.0);
        ordered.job.numbering = Numbering::ordered(Squares::Spiral, AuxiliaryPlace::After);
        assert_eq!(told(&[ordered]), "1 run");
        assert_eq!(told(&[shuffled(1, 1.0), shuffled(2, 1.0)]), "2 shuffles");
        assert_eq!(told(&[seeded(1, 1.0), seeded(2, 1.0), seeded(3, 1.0)]), "3 seeds");
        assert_eq!(told(&[solved(1.0), repeated(2, solved(1.0))]), "2 runs");
        let mut both = seeded(2, 1.0);
        both.job.numbering = shuffled(1, 1.0).job.numbering;
        assert_eq!(told(&[shuffled(1, 1.0), shuffled(2, 1.0), both]), "3 runs");
    }

    #[test]
    fn the_same_run_twice_is_one() {
        assert_eq!(told(&[shuffled(1, 1.0), shuffled(1, 2.0), shuffled(2, 1.0)]), "2 shuffles");
    }

    #[test]
    fn repetitions_are_runs_but_no_further_searches() {
        let rows = [1, 2, 3].map(|repeat| repeated(repeat, solved(1.0)));
        let rows: Vec<_> = rows.iter().collect();
        assert_eq!(Replicates::of(&rows).to_string(), "3 runs");
        assert_eq!(Replicates::of_searches(&rows).to_string(), "1 run");
    }

    #[test]
    fn the_spread_of_several_cells_is_over_what_all_of_them_vary() {
        let word = |rows: &[Row]| {
            let cells = cells(rows, |row| row.job.solver.clone(), |row| row.job.encoding_label());
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
