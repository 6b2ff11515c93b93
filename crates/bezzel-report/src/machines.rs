//! Machines: the kind of machine on which each row was measured.
//!
//! A *kind* is a model of CPU with an amount of memory, rounded to GiB. These determine the time of the same work, as
//! far as sessions record it. The name of the host is not part of it, for a cluster has many nodes of one kind. Nor is
//! the kernel, for nodes of one kind may be updated one after the other. Nor are the cores, for a session records those
//! that it was given, which a scheduler decides task by task.

use std::collections::BTreeMap;
use std::fmt;

use bezzel_experiment::{Environment, ExperimentRecord, Row};

use crate::row_statistics::cell::is_counted;
use indexmap::IndexSet;

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
