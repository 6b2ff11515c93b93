//! Cactus series: the number of runs that are answered within a time.

use bezzel_experiment::{Key, Row, Verdict};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{solved, timed_out, unchecked, wrong};

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
}
