//! The machines of each kind together: their number, their runs, and the comparisons that unlike machines refuse. A
//! cluster has thousands of sessions, too many for a line each.

use std::collections::BTreeSet;

use bezzel_lab::Environment;

use crate::distinct::distinct;
use crate::machines::Kind;
use crate::material::Material;
use crate::number::count;
use crate::statistics::cell::counts;

/// So many hosts, or jobs of a scheduler, are named; of more their number is told.
const NAMED: usize = 3;

/// What was run on the machines of one kind.
#[derive(Clone, Default)]
struct Fleet<'a> {
    /// The hosts by their names.
    hosts: BTreeSet<&'a str>,
    sessions: usize,
    /// The sessions that do not tell their host.
    unnamed: usize,
    /// The jobs of schedulers to which sessions belong.
    jobs: BTreeSet<(&'a str, u64)>,
    /// The runs that count.
    runs: usize,
}

impl<'a> Fleet<'a> {
    fn enter(&mut self, session: Option<&'a Environment>) {
        self.sessions += 1;
        let task = session.and_then(|session| session.cluster.as_ref());
        let host = session.and_then(|session| session.host.as_deref());
        match host.or_else(|| task?.node.as_deref()) {
            Some(host) => {
                self.hosts.insert(host);
            }
            None => self.unnamed += 1,
        }
        self.jobs.extend(task.map(|task| (task.scheduler.as_str(), task.job)));
    }

    /// As in `3 machines of kind Example CPU with 64 GiB (n1, n2, n3): 12 sessions, 480 runs, Slurm job
    /// 1234`.
    fn told(&self, kind: &Kind) -> String {
        let machines = match self.hosts.len() {
            0 => kind.to_string(),
            hosts => {
                let least = if self.unnamed > 0 { "at least " } else { "" };
                let names: Vec<&str> = self.hosts.iter().copied().collect();
                let names =
                    if hosts > NAMED { String::new() } else { format!(" ({})", names.join(", ")) };
                format!("{least}{} of kind {kind}{names}", count(hosts, "machine"))
            }
        };
        let (sessions, runs) = (count(self.sessions, "session"), count(self.runs, "run"));
        format!("{machines}: {sessions}, {runs}{}", self.jobs_told())
    }

    fn jobs_told(&self) -> String {
        let (Some((scheduler, first)), Some((_, last))) = (self.jobs.first(), self.jobs.last())
        else {
            return String::new();
        };
        let scheduler = if *scheduler == "slurm" { "Slurm" } else { *scheduler };
        let numbers: Vec<String> = self.jobs.iter().map(|(_, job)| job.to_string()).collect();
        match numbers.len() {
            1 => format!(", {scheduler} job {first}"),
            jobs if jobs <= NAMED => format!(", {scheduler} jobs {}", numbers.join(", ")),
            jobs => format!(", {jobs} {scheduler} jobs from {first} to {last}"),
        }
    }
}

fn fleets<'a>(material: &Material<'a>) -> Vec<Fleet<'a>> {
    let mut fleets = vec![Fleet::default(); material.machines.kinds().len()];
    for (session, kind) in material.machines.sessions() {
        fleets[kind].enter(session);
    }
    let rows = material.record.rows.iter().filter(|row| counts(row));
    for kind in rows.filter_map(|row| material.machines.of(row)) {
        fleets[kind].runs += 1;
    }
    fleets
}

/// How many hosts are known by their names.
pub(crate) fn hosts(material: &Material<'_>) -> usize {
    fleets(material).iter().map(|fleet| fleet.hosts.len()).sum()
}

/// A line for each kind of machine; none where all was measured on one machine, and by no scheduler:
/// then its session tells all of it.
pub(crate) fn lines(material: &Material<'_>) -> Vec<String> {
    let fleets = fleets(material);
    let hosts: usize = fleets.iter().map(|fleet| fleet.hosts.len()).sum();
    let scheduled = fleets.iter().any(|fleet| !fleet.jobs.is_empty());
    if fleets.len() < 2 && hosts < 2 && !scheduled {
        return Vec::new();
    }
    let kinds = material.machines.kinds().iter();
    kinds.zip(&fleets).map(|(kind, fleet)| fleet.told(kind)).collect()
}

/// How many runs that count are of each kind, as in `120 runs on Example CPU with 64 GiB; 40 runs on
/// …`.
fn runs(material: &Material<'_>) -> String {
    let kinds = material.machines.kinds().iter().zip(fleets(material));
    let told = kinds.map(|(kind, fleet)| format!("{} on {kind}", count(fleet.runs, "run")));
    told.collect::<Vec<_>>().join("; ")
}

/// True if solvers ran on machines of several kinds. Then nothing is ranked by time.
pub(crate) fn are_unlike(material: &Material<'_>) -> bool {
    let rows = material.firsts(counts).into_iter();
    distinct(rows.map(|row| material.machines.of(row))).len() > 1
}

/// The sentence for a report on machines of several kinds.
pub(crate) fn warning(material: &Material<'_>) -> Option<String> {
    let refused = if are_unlike(material) {
        ": there is no ranking, pair or effect by time. To get one, measure all of it on machines of one kind, \
         or on each kind under a name of its own (bezzel run --name), and report these apart"
    } else {
        ""
    };
    let (kinds, runs) = (material.machines.kinds().len(), runs(material));
    (kinds > 1).then(|| {
        format!(
            "Times of {kinds} kinds of machine ({runs}) do not compare with each other{refused}."
        )
    })
}

#[cfg(test)]
mod tests;
