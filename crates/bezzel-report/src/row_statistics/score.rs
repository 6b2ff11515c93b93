//! `PARk`: the penalised average time. A run without an answer counts as k times its CPU limit, under every limit that
//! ended it. A run that did not get its CPU time has no share in it.

use bezzel_experiment::Row;

use bezzel_statistics::score::mean;

use super::cell::is_counted;

/// The mean solve time of rows, in CPU seconds, where a run without an answer counts as `factor` times its CPU limit: 2
/// for PAR2, 10 for PAR10. Rows with a wrong answer, of runs that were killed from outside, and of skipped jobs do not
/// count.
///
/// None if no row counts, or if one is [disturbed](Row::is_disturbed): the mean of the others would be that of the
/// easier ones.
pub fn penalised(rows: &[&Row], factor: f64) -> Option<f64> {
    if rows.iter().any(|row| is_counted(row) && row.is_disturbed()) {
        return None;
    }
    let times = rows.iter().filter(|row| is_counted(row)).filter_map(|row| {
        if row.solved() { row.solve_cpu_s } else { Some(factor * row.job.limits.cpu_s) }
    });
    mean(times)
}

/// PAR2, as a mean in CPU seconds. None if no row counts.
pub fn par2(rows: &[&Row]) -> Option<f64> {
    penalised(rows, 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{
        at_wall_limit, killed, out_of_memory, skipped, solved as row, timed_out, wrong,
    };

    #[test]
    fn a_time_out_counts_a_multiple_of_its_limit() {
        // Limits of 5 s: 1 + 2 + 10, and with 50 for PAR10.
        let rows = [row(1.0), row(2.0), timed_out()];
        let rows: Vec<_> = rows.iter().collect();
        assert!((par2(&rows).unwrap() - 13.0 / 3.0).abs() < 1e-12);
        assert!((penalised(&rows, 10.0).unwrap() - 53.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn whichever_limit_ended_a_run_it_counts_by_its_cpu_limit_unless_it_shared_its_core() {
        let rows = [row(1.0), out_of_memory()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(5.5));
        let alone = bezzel_experiment::Row { wall_s: 1.7, ..at_wall_limit(1.6) };
        let rows = [row(1.0), alone];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(5.5));
        let rows = [row(1.0), at_wall_limit(1.6)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }

    #[test]
    fn wrong_killed_and_skipped_runs_do_not_count() {
        let rows = [row(1.0), wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [row(1.0), killed(), skipped()];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), Some(1.0));
        let rows = [wrong(0.001)];
        assert_eq!(par2(&rows.iter().collect::<Vec<_>>()), None);
    }
}
