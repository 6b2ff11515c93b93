//! Machines: the kind of machine on which each row was measured.
//!
//! A *kind* is a model of CPU with an amount of memory, rounded to GiB. These determine the time of the same work, as
//! far as sessions record it. The name of the host is not part of it, for a cluster has many nodes of one kind. Nor is
//! the kernel, for nodes of one kind may be updated one after the other. Nor are the cores, for a session records those
//! that it was given, which a scheduler decides task by task.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use bezzel_experiment::calibration::TOO_HIGH;
use bezzel_experiment::{Environment, ExperimentRecord, Row, calibration};
use indexmap::IndexSet;

use crate::number::significant;
use crate::row_statistics::cell::is_counted;

/// A kind of machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MachineKind {
    /// The model of the CPU, if it is known.
    pub cpu_model: Option<String>,
    /// The memory, rounded to GiB: the kernel keeps a small and varying part for itself.
    pub memory_gib: Option<u64>,
}

impl MachineKind {
    /// The kind of the machine of a session.
    pub fn of(session: &Environment) -> Self {
        let gib = |bytes: u64| (bytes + (1 << 29)) >> 30;
        Self { cpu_model: session.cpu_model.clone(), memory_gib: session.memory_bytes.map(gib) }
    }
}

/// The text of a kind, as in `Example CPU with 64 GiB`.
impl fmt::Display for MachineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.cpu_model, self.memory_gib) {
            (Some(model), None) => f.write_str(model),
            (Some(model), Some(gib)) => write!(f, "{model} with {gib} GiB"),
            (None, Some(gib)) => write!(f, "an unknown CPU with {gib} GiB"),
            (None, None) => f.write_str("unknown hardware"),
        }
    }
}

/// The kinds of machine on which a record was measured. Kinds have numbers, in the order of the first
/// rows that [count](is_counted()).
#[derive(Clone, Debug)]
pub struct Machines<'a> {
    environments: &'a [Environment],
    kinds: Vec<MachineKind>,
    /// The numbers of the kinds, by the sessions of these rows. A session without such a row has no part in
    /// comparisons.
    of_sessions: BTreeMap<usize, usize>,
}

impl<'a> Machines<'a> {
    /// The machines of a record.
    pub fn new(record: &'a ExperimentRecord) -> Self {
        let environments = &record.environments[..];
        let mut kinds = IndexSet::new();
        let mut of_sessions = BTreeMap::new();
        for row in record.rows.iter().filter(|row| is_counted(row)) {
            of_sessions
                .entry(row.session)
                .or_insert_with(|| kinds.insert_full(kind(environments, row.session)).0);
        }
        Self { environments, kinds: kinds.into_iter().collect(), of_sessions }
    }

    /// The kinds, each once.
    pub fn kinds(&self) -> &[MachineKind] {
        &self.kinds
    }

    /// The number of the kind on which a row that counts was measured.
    pub fn of(&self, row: &Row) -> Option<usize> {
        self.of_sessions.get(&row.session).copied()
    }

    /// The kind of machine of a session. The unknown kind if there is no such session.
    pub fn kind(&self, session: usize) -> MachineKind {
        kind(self.environments, session)
    }

    /// The sessions of rows that count, in order: the environment of each if it is known, and the number of its kind.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = (Option<&'a Environment>, usize)> {
        let sessions = self.of_sessions.iter();
        sessions.map(move |(&session, &kind)| (self.environments.get(session), kind))
    }
}

fn kind(environments: &[Environment], session: usize) -> MachineKind {
    environments.get(session).map_or_else(MachineKind::default, MachineKind::of)
}

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
