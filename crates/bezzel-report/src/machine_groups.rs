//! The machines of each kind together: their number, their runs, and the comparisons that are refused for unlike
//! machines. A cluster has thousands of sessions, too many for a line each.

use std::collections::BTreeSet;

use bezzel_experiment::Environment;

use crate::dataset::Dataset;
use crate::machines::MachineKind;
use crate::number::{count, distinct};
use crate::row_statistics::cell::is_counted;

/// The largest number of hosts that are named. If there are more, their number is stated.
const MAX_NAMES: usize = 3;

/// The runs on the machines of one kind.
#[derive(Clone, Default)]
struct MachineGroup<'a> {
    /// The hosts by their names.
    hosts: BTreeSet<&'a str>,
    sessions: usize,
    /// The number of sessions without a host name.
    unnamed: usize,
    /// The number of runs that count.
    runs: usize,
}

impl<'a> MachineGroup<'a> {
    fn add_session(&mut self, session: Option<&'a Environment>) {
        self.sessions += 1;
        match session.and_then(|session| session.host.as_deref()) {
            Some(host) => {
                self.hosts.insert(host);
            }
            None => self.unnamed += 1,
        }
    }

    /// The group in words, as in `3 machines of kind Example CPU with 64 GiB (n1, n2, n3): 12 sessions, 480 runs`.
    fn summary(&self, kind: &MachineKind) -> String {
        let machines = match self.hosts.len() {
            0 => kind.to_string(),
            hosts => {
                let least = if self.unnamed > 0 { "at least " } else { "" };
                let names: Vec<&str> = self.hosts.iter().copied().collect();
                let names = if hosts > MAX_NAMES {
                    String::new()
                } else {
                    format!(" ({})", names.join(", "))
                };
                format!("{least}{} of kind {kind}{names}", count(hosts, "machine"))
            }
        };
        let (sessions, runs) = (count(self.sessions, "session"), count(self.runs, "run"));
        format!("{machines}: {sessions}, {runs}")
    }
}

fn machine_groups<'a>(dataset: &Dataset<'a>) -> Vec<MachineGroup<'a>> {
    let mut machine_groups = vec![MachineGroup::default(); dataset.machines.kinds().len()];
    for (session, kind) in dataset.machines.sessions() {
        machine_groups[kind].add_session(session);
    }
    let rows = dataset.record.rows.iter().filter(|row| is_counted(row));
    for kind in rows.filter_map(|row| dataset.machines.of(row)) {
        machine_groups[kind].runs += 1;
    }
    machine_groups
}

/// The number of hosts with known names.
pub(crate) fn hosts(dataset: &Dataset<'_>) -> usize {
    machine_groups(dataset).iter().map(|group| group.hosts.len()).sum()
}

/// A line for each kind of machine. Empty if all was measured on one machine: then its session contains all of it.
pub(crate) fn lines(dataset: &Dataset<'_>) -> Vec<String> {
    let machine_groups = machine_groups(dataset);
    let hosts: usize = machine_groups.iter().map(|group| group.hosts.len()).sum();
    if machine_groups.len() < 2 && hosts < 2 {
        return Vec::new();
    }
    let kinds = dataset.machines.kinds().iter();
    kinds.zip(&machine_groups).map(|(kind, group)| group.summary(kind)).collect()
}

/// The number of runs that count on each kind, as in `120 runs on Example CPU with 64 GiB; 40 runs on …`.
fn runs(dataset: &Dataset<'_>) -> String {
    let kinds = dataset.machines.kinds().iter().zip(machine_groups(dataset));
    let parts = kinds.map(|(kind, group)| format!("{} on {kind}", count(group.runs, "run")));
    parts.collect::<Vec<_>>().join("; ")
}

/// True if solvers ran on machines of several kinds. Then nothing is ranked by time.
pub fn machines_differ(dataset: &Dataset<'_>) -> bool {
    let rows = dataset.firsts(is_counted).into_iter();
    distinct(rows.map(|row| dataset.machines.of(row))).len() > 1
}

/// The sentence for a report on machines of several kinds.
pub(crate) fn warning(dataset: &Dataset<'_>) -> Option<String> {
    let refused = if machines_differ(dataset) {
        ", so there is no ranking, pair or effect by time. Measure everything on machines of one kind, \
         or on each kind under a separate name (bezzel run --name) with a separate report"
    } else {
        ""
    };
    let (kinds, runs) = (dataset.machines.kinds().len(), runs(dataset));
    (kinds > 1)
        .then(|| format!("Times of {kinds} kinds of machine ({runs}) are not comparable{refused}."))
}

#[cfg(test)]
mod tests;
