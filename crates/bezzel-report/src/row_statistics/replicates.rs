//! Replicates: the property in which the runs of a cell differ, and their number.

use std::collections::HashSet;
use std::fmt;

use bezzel_experiment::measure::PropagationShare;
use bezzel_experiment::{Key, Row, Termination, Verdict};
use bezzel_solve::{OptionValue, SEEDS};
use bezzel_statistics::Value;
use indexmap::IndexSet;

use super::cell::Cell;
use crate::number::{count, distinct};

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

/// One answered run in a cactus series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CactusStep<'r> {
    /// The number of runs that were answered in this time or less, this one included.
    pub solved: usize,
    /// The time of this run, in CPU seconds.
    pub cpu_s: f64,
    /// True if the answer was verified.
    pub verified: bool,
    /// The key of the row of this run.
    pub key: &'r Key,
}

/// The answered runs in the order of their times. Times are each run's own, not added up.
pub fn series<'r>(rows: &[&'r Row]) -> Vec<CactusStep<'r>> {
    let answered = rows.iter().copied().filter(|row| row.solved());
    let mut runs: Vec<(f64, &'r Row)> =
        answered.filter_map(|row| Some((row.solve_cpu_s?, row))).collect();
    runs.sort_by(|one, two| one.0.total_cmp(&two.0));
    let steps = runs.into_iter().enumerate().map(|(index, (cpu_s, row))| CactusStep {
        solved: index + 1,
        cpu_s,
        verified: row.verdict == Verdict::Verified,
        key: &row.key,
    });
    steps.collect()
}

// The share of implied values of instances that unit propagation finds.
//
// The unit is the instance with its given values. Unit propagation is deterministic, so an instance that was measured
// several times counts once. An instance without a solution has no share, since everything is implied there; conflicts
// of propagation are counted separately.

/// The results of unit propagation on some instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// Instances with a solution on which some value is implied, verified ones alone.
    pub instances: usize,
    /// Instances with a solution on which no value is implied.
    pub free: usize,
    /// The number of implied values on them, together.
    pub implied: u64,
    /// The number of these that were found.
    pub found: u64,
    /// The number of implied values that share no constraint with a given value.
    pub beyond: u64,
    /// The number of these that were found.
    pub beyond_found: u64,
    /// The share of the implied values that was found, in percent, for each instance.
    pub shares: Vec<Value>,
    /// Instances without a solution.
    pub unsolvable: usize,
    /// The number of these on which propagation comes to a conflict.
    pub conflicts: usize,
    /// Instances whose implied values are not known.
    pub unchecked: usize,
    /// Instances on which a wrong value was found. They count nowhere else.
    pub wrong: usize,
    /// Runs that came to no end.
    pub unfinished: usize,
}

impl Strength {
    /// The results of these rows of propagation, each instance once.
    pub fn of(rows: &[&Row]) -> Self {
        let mut strength = Self::default();
        let mut seen = HashSet::new();
        for row in rows {
            if matches!(row.termination, Termination::HostError | Termination::Skipped)
                || !seen.insert(&row.job.instance)
            {
                continue;
            }
            strength.add(row);
        }
        strength
    }

    /// The share of the implied values that was found, in percent.
    pub fn found_percent(&self) -> Option<Value> {
        percent(self.found, self.implied)
    }

    /// The share of the implied values of this kind that was found, in percent.
    pub fn beyond_percent(&self) -> Option<Value> {
        percent(self.beyond_found, self.beyond)
    }

    fn add(&mut self, row: &Row) {
        if row.verdict == Verdict::Wrong {
            self.wrong += 1;
            return;
        }
        let Some(propagation) = row.propagation.as_ref().filter(|_| row.solved()) else {
            self.unfinished += 1;
            return;
        };
        match &propagation.truth {
            None => self.unchecked += 1,
            Some(truth) if !truth.solvable => {
                self.unsolvable += 1;
                self.conflicts += usize::from(propagation.conflict);
            }
            Some(_) => match PropagationShare::of(&row.job.instance, propagation) {
                None => self.unchecked += 1,
                Some(share) if share.implied() == 0 => self.free += 1,
                Some(share) => self.add_share(&share),
            },
        }
    }

    fn add_share(&mut self, share: &PropagationShare) {
        self.instances += 1;
        self.implied += u64::from(share.implied());
        self.found += u64::from(share.found());
        self.beyond += u64::from(share.beyond());
        self.beyond_found += u64::from(share.beyond_found());
        self.shares.extend(percent(share.found(), share.implied()));
    }
}

/// The share of `these` in `those`, in percent. None if `those` is zero.
pub fn percent(these: impl Into<u64>, those: impl Into<u64>) -> Option<Value> {
    let (these, those) = (these.into(), those.into());
    (those > 0).then(|| Value::Measured(100.0 * these as f64 / those as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_encode::Numbering;
    use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};

    use crate::row_statistics::cells;
    use crate::tests::sample::seating::Seating;
    use crate::tests::sample::{propagated, seeded, shuffled, solved, timed_out, unchecked, wrong};

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

    #[test]
    fn a_series_has_the_answered_runs_in_order_and_no_other() {
        let mut rows = [solved(2.0), timed_out(), unchecked(0.5), wrong(0.1), solved(1.0)];
        for (number, row) in rows.iter_mut().enumerate() {
            row.key = Key(number.to_string());
        }
        let series = series(&rows.iter().collect::<Vec<_>>());
        let step = |solved, cpu_s, verified, row: usize| {
            let key = &rows[row].key;
            CactusStep { solved, cpu_s, verified, key }
        };
        assert_eq!(series, [step(1, 0.5, false, 2), step(2, 1.0, true, 4), step(3, 2.0, true, 0)]);
    }

    /// Facts as if all solutions had these seats.
    const TRUTH: &str = "xQxx/xxxQ/Qxxx/xxQx";

    #[test]
    fn shares_are_of_instances_and_sums_of_squares() {
        let weak = propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(TRUTH));
        let mut other = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        other.job.instance = Seating::new(4, 4).into();
        let mut again = weak.clone();
        again.job.repeat = 2;
        let strength = Strength::of(&[&weak, &other, &again]);
        // On the first instance 9 of 15. The given seat excludes 6 of these, all found, so 3 of the other 9 are found. On
        // the second, without a given seat, all 16.
        assert_eq!((strength.instances, strength.implied, strength.found), (2, 31, 25));
        assert_eq!((strength.beyond, strength.beyond_found), (25, 19));
        assert_eq!(strength.shares, [Value::Measured(60.0), Value::Measured(100.0)]);
    }

    #[test]
    fn conflicts_wrong_ones_and_those_without_truth_are_counted_apart() {
        let conflict = propagated("pairwise", None, None);
        let mut missed = propagated("pairwise", Some("Qxxx/xx../x.x./x..x"), None);
        missed.job.instance = Seating::new(4, 4).with_given(&[(1, 1)]).into();
        let mut wrong = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        wrong.verdict = Verdict::Wrong;
        wrong.job.instance = Seating::new(5, 5).into();
        let mut unknown = propagated("pairwise", Some(TRUTH), Some(TRUTH));
        unknown.propagation.as_mut().unwrap().truth = None;
        unknown.job.instance = Seating::new(6, 6).into();
        let mut late = propagated("pairwise", None, None);
        (late.termination, late.propagation) = (timed_out().termination, None);
        late.job.instance = Seating::new(7, 7).into();
        let strength = Strength::of(&[&conflict, &missed, &wrong, &unknown, &late]);
        assert_eq!((strength.unsolvable, strength.conflicts), (2, 1));
        assert_eq!((strength.wrong, strength.unchecked, strength.unfinished), (1, 1, 1));
        assert_eq!((strength.instances, strength.shares.len()), (0, 0));
    }
}
