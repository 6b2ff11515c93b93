//! Conditions of the runs in sentences: limits, isolation, cores, proofs, noise, and the number of runs of a cell.

use bezzel_experiment::calibration::{Noise, TOO_HIGH, noise};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{Isolation, Limits, Row};
use bezzel_solve::ProofFormat;
use indexmap::IndexMap;
use serde_json::Value as Json;

use crate::dataset::Dataset;
use crate::label::with_solver_names;
use crate::number::{count, date, distinct, whole_or};
use crate::row_statistics::cell::{has_begun, was_run};
use crate::row_statistics::replicates::ReplicateCount;

/// The largest number of sessions whose noise is listed. The readings of all sessions are in the evidence.
const SESSIONS: usize = 12;

/// The definition of noise, and its effect on verdicts.
const NOISE: &str = "Noise is the interquartile range divided by the median of the CPU times of a fixed \
                     formula, which is solved between the runs. An effect on times counts only if its \
                     interval excludes 1 by more than the noise of the sessions that measured it.";

/// The limits of the runs.
pub(crate) fn limits(dataset: &Dataset<'_>) -> String {
    let describe = |limits: Limits| {
        let (cpu, wall) = (whole_or(limits.cpu_s, 3), whole_or(limits.wall_s, 3));
        let of_time = format!("{cpu} s of CPU time, {wall} s of wall time");
        // The memory limit of an imported table is not known.
        let of_memory = match limits.memory_bytes {
            0 => "unknown memory".to_owned(),
            bytes => format!("{} of memory", memory(bytes.into())),
        };
        match limits.nodes {
            None => format!("{of_time} and {of_memory}"),
            Some(nodes) => {
                format!("{of_time}, {of_memory} and {} nodes of a diagram", grouped(nodes.into()))
            }
        }
    };
    let all = distinct(dataset.record.rows.iter().map(|row| row.job.limits));
    let all: Vec<_> = all.into_iter().map(describe).collect();
    format!("Limits of a run, for its whole process: {}.", all.join("; or "))
}

/// The enforcement of limits on the runs that began.
pub(crate) fn isolation(dataset: &Dataset<'_>) -> Option<String> {
    if dataset.record.is_imported() {
        return None;
    }
    let ways = distinct(dataset.rows(has_begun).into_iter().map(|row| row.isolation));
    let ways = ways.into_iter().map(|way| match way {
        Isolation::Rlimits => {
            "each run has its own process and rlimits; the process and the runner check the limits"
        }
        Isolation::CgroupV2NoMemory => {
            "each run has its own process, rlimits and its own control group (version 2, without \
             the memory controller); the process and the runner check the limits"
        }
        Isolation::CgroupV2 => {
            "each run has its own process and its own control group (version 2); the kernel enforces \
             the limit of memory, and the process and the runner check the limits"
        }
    });
    let ways: Vec<_> = ways.collect();
    (!ways.is_empty()).then(|| format!("Isolation: {}.", ways.join(". Or ")))
}

/// The number of runs at the same time, and their cores.
pub(crate) fn cores(dataset: &Dataset<'_>) -> Option<String> {
    let environments = &dataset.record.environments;
    let together = match environments.iter().map(|environment| environment.parallel).max()? {
        0 | 1 => "one at a time".to_owned(),
        max => format!("up to {max} at a time"),
    };
    let rows = dataset.rows(has_begun);
    rows.first()?;
    let mut cores: Vec<usize> = distinct(rows.iter().filter_map(|row| row.core));
    cores.sort_unstable();
    let names: Vec<_> = cores.iter().map(usize::to_string).collect();
    let bound = match (&names[..], rows.iter().all(|row| row.core.is_some())) {
        ([], _) => "not bound to a core".to_owned(),
        ([core], true) => format!("bound to core {core}"),
        ([core], false) => format!("some of them bound to core {core}"),
        (_, true) => format!("each bound to one of the cores {}", names.join(", ")),
        (_, false) => format!("some of them bound to one of the cores {}", names.join(", ")),
    };
    Some(format!("Jobs: {together}, {bound}."))
}

/// The solvers that write a proof while they solve. Their times include the writing.
pub(crate) fn proofs(dataset: &Dataset<'_>) -> Option<String> {
    // The solvers that write proofs of a format, and those that write none. A solver that never ran wrote no proof.
    let mut writers: IndexMap<Option<ProofFormat>, Vec<String>> = IndexMap::new();
    for (number, solver) in dataset.solvers.iter().enumerate() {
        let cells = dataset.cells.iter().filter(|cell| cell.index.solver == number);
        if let Some(row) = cells.flat_map(|cell| &cell.rows).find(|row| has_begun(row)) {
            writers
                .entry(row.job.proof.map(ProofFormat::of_solver))
                .or_default()
                .push(with_solver_names(solver));
        }
    }
    if writers.keys().all(Option::is_none) {
        return (!writers.is_empty()).then(|| "Proofs: none were written.".into());
    }
    // Those that write none come last.
    writers.sort_by_key(|format, _| format.is_none());
    let is_one_format = writers.len() == 1;
    let parts = writers.iter().map(|(format, solvers)| {
        let (writes, its) = if solvers.len() == 1 { ("writes", "its") } else { ("write", "their") };
        let solvers = if is_one_format && solvers.len() > 2 {
            "all solvers".to_owned()
        } else {
            solvers.join(", ")
        };
        match format {
            Some(format) => {
                let format = format.to_string().to_uppercase();
                format!("{solvers} {writes} {format} proofs, and {its} times include the writing")
            }
            None => format!("{solvers} {writes} none"),
        }
    });
    Some(format!("Proofs: {}.", parts.collect::<Vec<_>>().join("; ")))
}

/// The noise of the machine.
pub(crate) fn noise_of_machine(noises: &[Noise]) -> Option<String> {
    let text = match noises {
        [] => return None,
        [noise] => noise.to_string(),
        noises => of_several_sessions(noises),
    };
    Some(format!("Noise of the machine: {text}. {NOISE}"))
}

/// The noise of each session, as a field of the environment. None unless there are 2 to `SESSIONS` sessions.
pub(crate) fn noise_of_sessions(dataset: &Dataset<'_>) -> Option<(String, String)> {
    let noises = noise(&dataset.record.readings);
    let sessions = noises.iter().map(|noise| format!("session {}, {noise}", noise.session));
    let is_listed = (2..=SESSIONS).contains(&noises.len());
    is_listed.then(|| ("noise".to_owned(), sessions.collect::<Vec<_>>().join("; ")))
}

/// The range and the median of the noise of several sessions, and the number of sessions with each warning.
fn of_several_sessions(noises: &[Noise]) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut spreads: Vec<f64> = noises.iter().filter_map(Noise::spread).collect();
    spreads.sort_by(f64::total_cmp);
    let known = spreads.len();
    let range = match &spreads[..] {
        [] => None,
        [spread] => Some(format!("{} in 1 session", percent(*spread))),
        [least, .., largest] => {
            let median = f64::midpoint(spreads[(known - 1) / 2], spreads[known / 2]);
            let [least, largest, median] = [*least, *largest, median].map(percent);
            let sessions = count(known, "session");
            Some(format!("from {least} to {largest} in {sessions}, with a median of {median}"))
        }
    };
    let number = |is: fn(&Noise) -> bool| noises.iter().filter(|noise| is(noise)).count();
    let flagged = [
        (number(|noise| noise.spread().is_none()), "there are too few readings".to_owned()),
        (number(Noise::is_too_high), format!("it is above {}", percent(TOO_HIGH))),
        (number(Noise::is_shared), "the core was shared".to_owned()),
        (number(|noise| !noise.same_effort), "the effort differs between readings".to_owned()),
    ];
    let flagged = flagged.iter().filter(|(sessions, _)| *sessions > 0);
    let flagged =
        flagged.map(|(sessions, flag)| format!("{flag} in {}", count(*sessions, "session")));
    range.into_iter().chain(flagged).collect::<Vec<_>>().join("; ")
}

/// The number of runs of a cell, by the property in which they differ: for every numbering, separately for solvers and
/// instances where they differ.
pub(crate) fn replicates(dataset: &Dataset<'_>) -> String {
    let of_numberings = (0..).zip(&dataset.numberings).map(|(numbering, name)| {
        let of_solvers = (0..).zip(&dataset.solvers).filter_map(|(solver, name)| {
            let instances = on_instances(dataset, numbering, solver);
            (!instances.is_empty()).then_some((name, instances))
        });
        let of_solvers: Vec<_> = of_solvers.collect();
        let alike = distinct(of_solvers.iter().map(|(_, instances)| instances)).len() == 1;
        let each = of_solvers.iter().map(|(solver, instances)| {
            let solver = with_solver_names(solver);
            if alike { instances.clone() } else { format!("{instances} in {solver}") }
        });
        format!("{name}, {}", distinct(each).join(", "))
    });
    let runs = format!(
        "Runs of a cell: {}. A numbering is the order of the variables; a random numbering permutes \
         them.",
        of_numberings.collect::<Vec<_>>().join("; ")
    );
    runs
}

/// The numbers by instances, as in `10 shuffles on 8, 16 and 3 shuffles on torus 12`. The instances are left out if all
/// are alike.
fn on_instances(dataset: &Dataset<'_>, numbering: usize, solver: usize) -> String {
    let mut numbers: IndexMap<ReplicateCount, Vec<String>> = IndexMap::new();
    for (number, instance) in dataset.instances.iter().enumerate() {
        let cells = dataset.cells_on(number).iter();
        let cells =
            cells.filter(|cell| cell.index.numbering == numbering && cell.index.solver == solver);
        // The table shows the runs that are missing in one encoding's cell.
        let cells = cells.map(|cell| ReplicateCount::of(&cell.rows));
        if let Some(largest) = cells.max_by_key(|cell| cell.number) {
            numbers.entry(largest).or_default().push(dataset.name(instance));
        }
    }
    let alike = numbers.len() == 1;
    let of_instances = numbers.iter().map(|(number, instances)| {
        if alike { number.to_string() } else { format!("{number} on {}", instances.join(", ")) }
    });
    of_instances.collect::<Vec<_>>().join(" and ")
}

/// The largest number of listed values of a field. If there are more, their number is stated.
const MAX_VALUES: usize = 3;
/// The largest number of listed sessions of a value. If there are more, their number is stated.
const MAX_SESSIONS: usize = 12;

/// The environments of all sessions: each field with its value, or with its values and their sessions where they
/// differ.
pub(crate) fn environment(dataset: &Dataset<'_>) -> Vec<(String, String)> {
    let environments = &dataset.record.environments;
    let mut values: IndexMap<String, IndexMap<String, Vec<String>>> = IndexMap::new();
    for (number, environment) in environments.iter().enumerate() {
        let json = serde_json::to_value(environment).unwrap_or(Json::Null);
        let mut fields = Vec::new();
        flatten("", &json, &mut fields);
        for (name, value) in fields {
            values.entry(name).or_default().entry(value).or_default().push(number.to_string());
        }
    }
    let merged = values.into_iter().map(|(name, of_sessions)| {
        let is_one = of_sessions.len() == 1 && of_sessions[0].len() == environments.len();
        let of = |(value, sessions): (&String, &Vec<String>)| match sessions.len() {
            1 => format!("{value} (session {})", sessions[0]),
            ..=MAX_SESSIONS => format!("{value} (sessions {})", sessions.join(", ")),
            more => format!("{value} ({})", count(more, "session")),
        };
        let value = match (is_one, of_sessions.len()) {
            (true, _) => of_sessions.keys().next().cloned().unwrap_or_default(),
            (false, ..=MAX_VALUES) => of_sessions.iter().map(of).collect::<Vec<_>>().join("; "),
            (false, number) => {
                let ends = [of_sessions.first(), of_sessions.last()].into_iter().flatten().map(of);
                format!("{number} values, from {}", ends.collect::<Vec<_>>().join(" to "))
            }
        };
        (name, value)
    });
    merged.collect()
}

fn flatten(name: &str, json: &Json, fields: &mut Vec<(String, String)>) {
    let value = match json {
        Json::Object(object) => {
            // Options are many and short: on one line.
            if name.ends_with(" options") {
                // All of them may differ from row to row.
                if object.is_empty() {
                    return;
                }
                let options = object.iter().map(|(key, value)| format!("{key}={}", text(value)));
                fields.push((name.to_owned(), options.collect::<Vec<_>>().join(", ")));
                return;
            }
            for (key, value) in object {
                let name = if name.is_empty() { key.clone() } else { format!("{name} {key}") };
                flatten(&name, value, fields);
            }
            return;
        }
        Json::Array(array) => array.iter().map(text).collect::<Vec<_>>().join(", "),
        other => text(other),
    };
    let number = json.as_u64();
    let (name, value) = match (name.strip_suffix("_bytes"), name.strip_suffix("_unix_s"), number) {
        (Some(name), _, Some(number)) => (name, memory(number.into())),
        (_, Some(name), Some(number)) => (name, date(number)),
        _ => (name, value.clone()),
    };
    fields.push((name.replace('_', " "), value));
}

fn text(json: &Json) -> String {
    match json {
        Json::Null => "not known".into(),
        Json::Bool(true) => "yes".into(),
        Json::Bool(false) => "no".into(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A sentence that names the solvers whose times include writing a proof. Empty if there are none.
pub(crate) fn proofs_note(dataset: &Dataset<'_>, rows: &[&Row]) -> String {
    let with = rows.iter().filter(|row| row.job.proof.is_some() && was_run(row));
    let with = distinct(with.map(|row| with_solver_names(&dataset.solver(row))));
    match &with[..] {
        [] => String::new(),
        // The conditions list the solvers.
        with if with.len() > 2 && rows.iter().all(|row| row.job.proof.is_some()) => {
            "All times include proof writing.".to_owned()
        }
        with => format!("The times of {} include proof writing.", with.join(", ")),
    }
}

#[cfg(test)]
mod tests;
