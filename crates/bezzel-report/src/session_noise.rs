//! The noise of each session, which an effect on times must exceed.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::Row;
use bezzel_experiment::calibration::{self, TOO_HIGH};

use crate::number::significant;

/// The [noise](calibration) of the sessions of a record.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionNoise {
    /// The noise of each session where it was measured.
    measured: BTreeMap<usize, f64>,
}

impl SessionNoise {
    /// The noise by the readings of all sessions.
    pub(crate) fn new(readings: &[Row]) -> Self {
        let noises = calibration::noise(readings).into_iter();
        let measured = noises.filter_map(|noise| Some((noise.session, noise.spread()?)));
        Self { measured: measured.collect() }
    }

    /// The largest noise of the sessions of these rows. A session without a measured noise counts as [`TOO_HIGH`].
    pub(crate) fn largest<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> f64 {
        self.of_sessions(rows).fold(0.0, f64::max)
    }

    /// The noise of the sessions of these rows in words: `5.4 %`, or `5.4 % to 28 %` if sessions differ.
    pub(crate) fn words<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> String {
        let of_sessions: Vec<f64> = self.of_sessions(rows).collect();
        let percent = |share: f64| format!("{} %", significant(100.0 * share, 2));
        let least = percent(of_sessions.iter().copied().fold(f64::INFINITY, f64::min));
        let largest = percent(of_sessions.iter().copied().fold(0.0, f64::max));
        if least == largest || of_sessions.is_empty() {
            largest
        } else {
            format!("{least} to {largest}")
        }
    }

    fn of_sessions<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
    ) -> impl Iterator<Item = f64> {
        let sessions: BTreeSet<usize> = rows.into_iter().map(|row| row.session).collect();
        sessions.into_iter().map(|session| self.measured.get(&session).copied().unwrap_or(TOO_HIGH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::solved;

    #[test]
    fn rows_have_the_noise_of_their_own_sessions() {
        let in_session = |session: usize, row: Row| Row { session, ..row };
        // The quartiles of five readings are one step from the middle.
        let reading = |session: usize, step: f64| {
            (-2..=2).map(move |steps| in_session(session, solved(1.0 + step * f64::from(steps))))
        };
        let readings: Vec<Row> = reading(0, 0.01).chain(reading(1, 0.15)).collect();
        let noise = SessionNoise::new(&readings);
        let rows = [0, 1, 2].map(|session| in_session(session, solved(1.0)));
        let read = |rows: &[Row]| (noise.largest(rows), noise.words(rows));
        let near = |(found, words): (f64, String), expected: f64, text: &str| {
            assert!((found - expected).abs() < 1e-9 && words == text, "{found} {words}");
        };
        near(read(&rows[..1]), 0.02, "2.0 %");
        near(read(&rows[..2]), 0.30, "2.0 % to 30 %");
        near(read(&rows[2..]), TOO_HIGH, "10 %");
    }
}
