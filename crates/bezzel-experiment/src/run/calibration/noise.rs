//! The noise of the machine, from readings of one fixed formula.

use std::collections::BTreeMap;
use std::fmt;

use crate::model::row::{Row, Termination};

/// Noise above this gets a warning. Reports count an effect on times only if its interval excludes 1 by more
/// than the noise, and assume this noise where none was measured.
///
/// At this noise, half of all runs of the same work differ from each other by more than a tenth of their median. A
/// difference of a tenth between the medians of two encodings is of the size that papers report.
pub const TOO_HIGH: f64 = 0.1;

/// The ratio of wall time to CPU time above which a process shared its core with others. The start and the end of a
/// process alone add some hundredths.
pub const SHARED: f64 = 1.25;

/// The smallest number of readings for quartiles.
pub const FEWEST: usize = 5;

/// The steadiness of the machine in one session.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// The session's number.
    pub session: usize,
    /// The number of readings with an answer.
    pub readings: usize,
    /// The number of readings without one: they met a limit or a fault.
    pub failed: usize,
    /// The median CPU time of solving, in seconds.
    pub median_s: Option<f64>,
    /// The lower and the upper quartile of this time.
    pub quartiles_s: Option<(f64, f64)>,
    /// The median ratio of wall time to CPU time of a reading.
    pub clock_ratio: Option<f64>,
    /// True if every reading took the same effort, as it must.
    pub same_effort: bool,
}

impl Noise {
    /// Returns the distance of the quartiles divided by the median; none for too few readings.
    pub fn spread(&self) -> Option<f64> {
        let (lower, upper) = self.quartiles_s.filter(|_| self.readings >= FEWEST)?;
        let median = self.median_s.filter(|median| *median > 0.0)?;
        Some((upper - lower) / median)
    }

    /// Returns true if other processes used the core too. CPU time does not include waiting, but it includes the effect
    /// of the others on the caches, and a wall limit is reached earlier.
    pub fn is_shared(&self) -> bool {
        self.clock_ratio.is_some_and(|ratio| ratio > SHARED)
    }

    /// Returns true if it is above [`TOO_HIGH`].
    pub fn is_too_high(&self) -> bool {
        self.spread().is_some_and(|spread| spread > TOO_HIGH)
    }
}

/// As in `2.1 % (quartiles of 12 readings of 71.3 ms each)`.
impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings = if self.readings == 1 { "reading" } else { "readings" };
        match (self.spread(), self.median_s) {
            (Some(spread), Some(median)) => write!(
                f,
                "{} ({} {readings}, median {:.1} ms)",
                percent(spread),
                self.readings,
                1e3 * median
            )?,
            _ => write!(f, "not known ({} {readings} of at least {FEWEST})", self.readings)?,
        }
        if self.is_too_high() {
            write!(f, ", above {}", percent(TOO_HIGH))?;
        }
        if let Some(ratio) = self.clock_ratio.filter(|_| self.is_shared()) {
            write!(f, ", on a shared core (wall time was {ratio:.1} times the CPU time)")?;
        }
        if !self.same_effort {
            f.write_str(", with an effort that differs between readings")?;
        }
        match self.failed {
            0 => Ok(()),
            failed => write!(f, ", and {failed} more without an answer"),
        }
    }
}

/// Returns the noise of each session that has readings, in the order of the sessions.
pub fn noise(readings: &[Row]) -> Vec<Noise> {
    let mut sessions: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in readings {
        sessions.entry(row.session).or_default().push(row);
    }
    sessions.into_iter().map(|(session, rows)| of_session(session, &rows)).collect()
}

fn of_session(session: usize, rows: &[&Row]) -> Noise {
    let good = |row: &&&Row| {
        row.termination == Termination::Finished && row.solve_cpu_s.is_some() && row.solved()
    };
    let good: Vec<&Row> = rows.iter().filter(good).copied().collect();
    let mut times: Vec<f64> = good.iter().filter_map(|row| row.solve_cpu_s).collect();
    times.sort_by(f64::total_cmp);
    let mut ratios: Vec<f64> =
        good.iter().filter(|row| row.cpu_s > 0.0).map(|row| row.wall_s / row.cpu_s).collect();
    ratios.sort_by(f64::total_cmp);
    let same = |one: &Row, two: &Row| {
        // Another version of the encoding or the solver has another formula, and other work.
        one.key != two.key || (one.solver_stats == two.solver_stats && one.status == two.status)
    };
    Noise {
        session,
        readings: good.len(),
        failed: rows.len() - good.len(),
        median_s: quantile(&times, 0.5),
        quartiles_s: quantile(&times, 0.25).zip(quantile(&times, 0.75)),
        clock_ratio: quantile(&ratios, 0.5),
        same_effort: good.iter().all(|row| same(row, good[0])),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns the quantile of sorted numbers, by linear interpolation between the two nearest: type 7 of Hyndman and Fan:
/// Sample Quantiles in Statistical Packages. The American Statistician 50(4), 1996.
fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? as f64 * q;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + place.fract() * (above - below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::catalog::Catalog;
    use crate::run::calibration::CalibrationJob;
    use bezzel_solve::{Answer, Effort};
    use std::time::Duration;

    fn reading(session: usize, solve_cpu_s: f64) -> Row {
        let fixed = CalibrationJob::new(&Catalog::of_tests(), Duration::from_secs(30)).unwrap();
        Row {
            status: Answer::Unsat,
            solve_cpu_s: Some(solve_cpu_s),
            solver_stats: Effort { conflicts: Some(12_250), ..Effort::default() },
            session,
            ..Row::blank(fixed.planned, Termination::Finished)
        }
    }

    fn readings(times: &[f64]) -> Vec<Row> {
        times.iter().map(|&time| reading(0, time)).collect()
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-12)
    }

    #[test]
    fn noise_is_the_distance_of_the_quartiles_by_the_median() {
        // In order 1.0, 1.1, 1.2, 1.3, 2.0: quartiles at the second and the fourth.
        let found = &noise(&readings(&[1.2, 1.0, 2.0, 1.1, 1.3]))[0];
        assert!(near(found.median_s, 1.2));
        assert!(near(found.spread(), 0.2 / 1.2), "{found:?}");
        assert!(found.is_too_high());
        // In order 10, 10, 10, 10.4, 10.4, 11: the lower quartile is 10, the upper lies at place
        // 3.75 and is 10.4, the median 10.2.
        let found = &noise(&readings(&[10.0, 11.0, 10.4, 10.0, 10.4, 10.0]))[0];
        assert!(near(found.spread(), 0.4 / 10.2), "{found:?}");
        assert!(!found.is_too_high());
    }

    #[test]
    fn equal_readings_have_no_noise_and_one_outlier_is_not_noise() {
        let found = &noise(&readings(&[0.07; 5]))[0];
        assert!(near(found.spread(), 0.0));
        let found = &noise(&readings(&[0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 7.0]))[0];
        assert!(near(found.spread(), 0.0));
    }

    #[test]
    fn the_threshold_is_a_tenth_of_the_median() {
        let of = |upper: f64| noise(&readings(&[1.0, 1.0, 1.0, upper, 2.0]))[0].clone();
        assert!(!of(1.09).is_too_high());
        assert!(of(1.11).is_too_high());
        assert!(of(1.11).to_string().ends_with(" median 1000.0 ms), above 10.0 %"), "{}", of(1.11));
    }

    #[test]
    fn too_few_readings_say_nothing() {
        let found = &noise(&readings(&[1.0, 9.0, 1.0, 9.0]))[0];
        assert_eq!(found.spread(), None);
        assert!(!found.is_too_high());
        assert_eq!(found.to_string(), "not known (4 readings of at least 5)");
        assert_eq!(noise(&[]), []);
    }

    #[test]
    fn sessions_are_apart() {
        let rows = [reading(3, 2.0), reading(1, 1.0), reading(3, 4.0)];
        let found = noise(&rows);
        let counts: Vec<_> = found.iter().map(|noise| (noise.session, noise.readings)).collect();
        assert_eq!(counts, [(1, 1), (3, 2)]);
        assert!(near(found[1].median_s, 3.0));
    }

    #[test]
    fn another_effort_for_the_same_formula_is_reported() {
        let mut rows = readings(&[1.0; 5]);
        assert!(noise(&rows)[0].same_effort);
        rows[4].solver_stats.conflicts = Some(12_251);
        let found = &noise(&rows)[0];
        assert!(!found.same_effort);
        assert!(found.to_string().contains("an effort that differs between readings"), "{found}");
    }

    #[test]
    fn a_core_that_other_processes_use_is_reported() {
        let took = |wall_s: f64| {
            let mut rows = readings(&[1.0; 5]);
            for row in &mut rows {
                (row.cpu_s, row.wall_s) = (2.0, wall_s);
            }
            noise(&rows)[0].clone()
        };
        assert!(!took(2.1).is_shared());
        assert_eq!(
            took(5.0).to_string(),
            "0.0 % (5 readings, median 1000.0 ms), on a shared core (wall time was 2.5 times the \
             CPU time)"
        );
        assert_eq!(noise(&readings(&[1.0; 5]))[0].clock_ratio, None, "nothing was measured");
    }

    #[test]
    fn a_reading_without_an_answer_is_counted_apart() {
        let mut rows = readings(&[1.0; 6]);
        rows[2].termination = Termination::CpuLimit;
        rows[2].status = Answer::Unknown;
        let found = &noise(&rows)[0];
        assert_eq!((found.readings, found.failed), (5, 1));
        assert_eq!(
            found.to_string(),
            "0.0 % (5 readings, median 1000.0 ms), and 1 more without an answer"
        );
    }
}
