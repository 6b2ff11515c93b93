//! PAR2: the mean time, with a run that has no answer counted as twice its limit.

use bezzel_lab::Row;

use super::cell::counts;

/// The factor by which a limit is counted.
const FACTOR: f64 = 2.0;

/// The penalised average: the mean of the solve times, in CPU seconds, where a run without an
/// answer counts as twice its CPU limit. A wrong answer counts not at all, nor does a run that somebody else
/// killed or that never was.
///
/// None if no row counts.
pub fn par2(rows: &[&Row]) -> Option<f64> {
    let counted: Vec<f64> = rows
        .iter()
        .filter(|row| counts(row))
        .filter_map(|row| {
            if row.solved() { row.solve_cpu_s } else { Some(FACTOR * row.job.limits.cpu_s) }
        })
        .collect();
    (!counted.is_empty()).then(|| counted.iter().sum::<f64>() / counted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{killed, skipped, solved, timed_out, wrong};

    #[test]
    fn a_time_out_counts_twice_its_limit() {
        // Limits of 5 s: (1 + 2 + 10) / 3.
        let rows = [solved(1.0), solved(2.0), timed_out()];
        let score = par2(&rows.iter().collect::<Vec<_>>()).unwrap();
        assert!((score - 13.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_says_nothing_of_its_job_does_not_count() {
        let rows = [solved(1.0), wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [solved(1.0), killed(), skipped()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }
}
