//! Differences between the conditions of measurement of two records.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::calibration::{Noise, noise};
use bezzel_experiment::environment::Environment;
use bezzel_experiment::quantity::memory;
use bezzel_experiment::{Isolation, Limits, NO_ENCODING, Row, StoredResults};
use serde::Serialize;

use super::pair::RowPair;

/// A condition with different values in both records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConditionChange {
    /// The name of the condition: `CPU`, `version of cadical`, `revision of product`.
    pub what: String,
    /// The values in A: every value with which its rows were measured.
    pub a: Vec<String>,
    /// The values in B.
    pub b: Vec<String>,
}

/// The speed of two machines by the readings of one fixed formula. The readings are the same work every time, and no
/// part of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpeedRatio {
    /// The number of readings of A.
    pub readings_a: usize,
    /// The number of readings of B.
    pub readings_b: usize,
    /// Their median time in B divided by that in A.
    pub ratio: f64,
}

/// The values of each condition of a record.
type Conditions = BTreeMap<String, BTreeSet<String>>;

/// The differences between the sessions of both records, and between the rows that both have.
pub(super) fn changes(
    a: &StoredResults,
    b: &StoredResults,
    pairs: &[RowPair<'_>],
) -> Vec<ConditionChange> {
    let machines = |record: &StoredResults| merged(record.sessions().into_iter().flat_map(machine));
    let mut changes = differences(&machines(a), &machines(b));
    let in_a = merged(pairs.iter().flat_map(|pair| of_row(pair.a)));
    let in_b = merged(pairs.iter().flat_map(|pair| of_row(pair.b)));
    changes.extend(differences(&in_a, &in_b));
    changes
}

/// All values of each condition. An empty set for a condition that rows do not record.
fn merged(facts: impl Iterator<Item = (String, Option<String>)>) -> Conditions {
    let mut conditions = Conditions::new();
    for (what, value) in facts {
        conditions.entry(what).or_default().extend(value);
    }
    conditions
}

fn differences(a: &Conditions, b: &Conditions) -> Vec<ConditionChange> {
    let none = BTreeSet::new();
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let pairs = names.into_iter().map(|what| {
        let of = |conditions: &'_ Conditions| {
            conditions.get(what).unwrap_or(&none).iter().cloned().collect()
        };
        ConditionChange { what: what.clone(), a: of(a), b: of(b) }
    });
    pairs.filter(|change| change.a != change.b).collect()
}

fn machine(session: &Environment) -> Vec<(String, Option<String>)> {
    let Environment { build, cpu_model, cores, memory_bytes, kernel, system, .. } = session;
    let dirty = if build.git_dirty == Some(true) { ", with changes" } else { "" };
    let revision = build.git_revision.as_ref();
    let facts = [
        ("Bezzel", Some(build.version.clone())),
        ("git revision", revision.map(|revision| format!("{revision}{dirty}"))),
        ("compiler", build.rustc.clone()),
        ("build", Some(if build.optimised { "optimised" } else { "not optimised" }.to_owned())),
        ("CPU", cpu_model.clone()),
        ("cores", cores.map(|cores| cores.to_string())),
        ("memory", memory_bytes.map(|bytes| memory(bytes.into()))),
        ("kernel", kernel.clone()),
        ("system", system.clone()),
        ("jobs at a time", Some(session.parallel.to_string())),
    ];
    let solvers = session.solvers.iter().filter_map(|(solver, built)| {
        let digest = built.digest.as_ref()?.chars().take(16).collect();
        Some((format!("file of {solver}"), Some(digest)))
    });
    facts.into_iter().map(|(what, fact)| (what.to_owned(), fact)).chain(solvers).collect()
}

fn of_row(row: &Row) -> Vec<(String, Option<String>)> {
    let job = &row.job;
    let Limits { cpu_s, wall_s, memory_bytes, nodes } = job.limits;
    let mut facts = vec![
        (format!("version of {}", job.solver), Some(row.solver_version.clone())),
        ("limit of CPU time".to_owned(), Some(format!("{cpu_s} s"))),
        ("limit of wall time".to_owned(), Some(format!("{wall_s} s"))),
        ("limit of memory".to_owned(), Some(memory(memory_bytes.into()))),
        ("isolation".to_owned(), Some(isolation(row.isolation).to_owned())),
        ("limit of nodes".to_owned(), nodes.map(|nodes| nodes.to_string())),
    ];
    if job.encoding != NO_ENCODING {
        let revision = row.encoding_revision.to_string();
        facts.push((format!("revision of {}", job.encoding), Some(revision)));
    }
    facts
}

fn isolation(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::Rlimits => "rlimits",
        Isolation::CgroupV2NoMemory => "cgroup v2 without memory",
        Isolation::CgroupV2 => "cgroup v2",
    }
}

/// The ratio of the readings, if both records have readings of the same formula in the same version.
pub(super) fn speed_ratio(a: &StoredResults, b: &StoredResults) -> Option<SpeedRatio> {
    let key = &b.readings.last()?.key;
    let of = |measured: &StoredResults| {
        let rows = measured.readings.iter().filter(|row| row.key == *key);
        // The readings of all sessions are pooled.
        let rows: Vec<Row> = rows.cloned().map(|row| Row { session: 0, ..row }).collect();
        let all: Option<Noise> = noise(&rows).pop();
        all.and_then(|noise| Some((noise.readings, noise.median_s?)))
    };
    let ((readings_a, in_a), (readings_b, in_b)) = (of(a)?, of(b)?);
    (in_a > 0.0).then(|| SpeedRatio { readings_a, readings_b, ratio: in_b / in_a })
}
