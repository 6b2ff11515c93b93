//! Cactus series: the number of runs that are answered within a time.

use bezzel_experiment::{Row, Verdict};

/// One answered run in a cactus series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CactusStep {
    /// The number of runs that were answered in this time or less, this one included.
    pub solved: usize,
    /// The time of this run, in CPU seconds.
    pub cpu_s: f64,
    /// True if the answer was verified.
    pub verified: bool,
}

/// The answered runs in the order of their times. Times are each run's own, not added up.
pub fn series(rows: &[&Row]) -> Vec<CactusStep> {
    let mut runs: Vec<(f64, bool)> = rows
        .iter()
        .filter(|row| row.solved())
        .filter_map(|row| Some((row.solve_cpu_s?, row.verdict == Verdict::Verified)))
        .collect();
    runs.sort_by(|one, two| one.0.total_cmp(&two.0));
    runs.into_iter()
        .enumerate()
        .map(|(index, (cpu_s, verified))| CactusStep { solved: index + 1, cpu_s, verified })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{solved, timed_out, unchecked, wrong};

    #[test]
    fn a_series_has_the_answered_runs_in_order_and_no_other() {
        let rows = [solved(2.0), timed_out(), unchecked(0.5), wrong(0.1), solved(1.0)];
        let series = series(&rows.iter().collect::<Vec<_>>());
        let step = |solved, cpu_s, verified| CactusStep { solved, cpu_s, verified };
        assert_eq!(series, [step(1, 0.5, false), step(2, 1.0, true), step(3, 2.0, true)]);
    }
}
