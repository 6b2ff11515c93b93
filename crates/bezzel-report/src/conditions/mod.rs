//! The conditions of the runs: limits, isolation, machines, noise, and the number of runs of a cell. A report states
//! them once.

use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{Isolation, Limits};
use indexmap::IndexMap;

use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::limits;
use crate::number::whole_or;
use crate::row_statistics::cell::{Counts, has_begun};
use crate::row_statistics::replicates::ReplicateCount;

mod measuring;

pub(crate) use measuring::noise_of_sessions;

/// The sentences.
pub(crate) fn conditions(dataset: &Dataset<'_>) -> Vec<String> {
    if dataset.record.rows.is_empty() {
        return Vec::new();
    }
    let has_cells = !dataset.cells.is_empty();
    let sentences = [
        Some(limits_of_runs(dataset)),
        isolation(dataset),
        measuring::machines(dataset),
        measuring::cores(dataset),
        measuring::proofs(dataset).filter(|_| has_cells),
        measuring::noises(dataset),
        measuring::unchecked(dataset),
        has_cells.then(|| replicates(dataset)),
        dataset.common_settings(),
    ];
    sentences.into_iter().flatten().collect()
}

/// The sentences that a table by itself needs: limits and noise.
pub(crate) fn table_conditions(dataset: &Dataset<'_>) -> Vec<String> {
    let limits = (!dataset.record.rows.is_empty()).then(|| limits_of_runs(dataset));
    limits.into_iter().chain(measuring::noises(dataset)).collect()
}

/// The limits of the runs.
fn limits_of_runs(dataset: &Dataset<'_>) -> String {
    let describe = |limits: Limits| {
        let (cpu, wall) = (whole_or(limits.cpu_s, 3), whole_or(limits.wall_s, 3));
        let of_time = format!("{cpu} s of CPU time, {wall} s of wall time");
        let of_memory = format!("{} of memory", memory(limits.memory_bytes.into()));
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

/// The limits and faults that ended runs; nothing if every run has an answer.
pub(crate) fn no_answer(dataset: &Dataset<'_>) -> Option<String> {
    let counts = Counts::of(&dataset.record.rows.iter().collect::<Vec<_>>());
    let ends = limits::limit_counts(&counts)
        .map(|(end, number)| (limits::end_words(end), number))
        .into_iter()
        .chain([("by a fault or by the solver", counts.failed)]);
    let ends = ends.filter(|(_, number)| *number > 0);
    let mut ends = ends.map(|(end, number)| format!("{} {end}", grouped(number as u128)));
    let first = ends.next()?.replacen(' ', " ended ", 1);
    let ends = std::iter::once(first).chain(ends).collect::<Vec<_>>().join(", ");
    Some(format!("No answer: the value depends on runs without an answer. Of all runs, {ends}."))
}

/// The enforcement of limits on the runs that began.
fn isolation(dataset: &Dataset<'_>) -> Option<String> {
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

/// The number of runs of a cell, by the property in which they differ: for every numbering, separately for solvers and
/// instances where they differ.
fn replicates(dataset: &Dataset<'_>) -> String {
    let of_numberings = (0..).zip(&dataset.numberings).map(|(numbering, name)| {
        let of_solvers = (0..).zip(&dataset.solvers).filter_map(|(solver, name)| {
            let instances = on_instances(dataset, numbering, solver);
            (!instances.is_empty()).then_some((name.clone(), instances))
        });
        let of_solvers: Vec<_> = of_solvers.collect();
        let alike = distinct(of_solvers.iter().map(|(_, instances)| instances)).len() == 1;
        let each = of_solvers.iter().map(|(solver, instances)| {
            if alike { instances.clone() } else { format!("{instances} in {solver}") }
        });
        let counts = distinct(each).join(", ");
        format!("{name}, {counts}")
    });
    format!(
        "Runs of a cell: {}. A numbering is the order of the variables; a random numbering permutes \
         them.",
        of_numberings.collect::<Vec<_>>().join("; ")
    )
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

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    use super::*;
    use crate::tests::sample::{of_size, seeded, shuffled, skipped, solved};

    fn note(rows: Vec<Row>) -> String {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        replicates(&Dataset::new(&record, &Registry::new()))
    }

    fn on_instances(instances: [u32; 4]) -> String {
        let mut rows = vec![solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0), shuffled(1, 1.0)];
        for (row, size) in rows.iter_mut().zip(instances) {
            *row = of_size(size, row.clone());
        }
        note(rows)
    }

    #[test]
    fn shuffles_are_counted_by_their_seeds_and_instance_by_instance_where_they_differ() {
        let alike = "Runs of a cell: as-generated, 1 run; random, 2 shuffles. A numbering is";
        assert!(on_instances([8, 8, 8, 8]).starts_with(alike));
        let differing = "Runs of a cell: as-generated, 1 run; random, 2 shuffles on langford 8 and 1 shuffle on \
             langford 9. A";
        assert!(on_instances([8, 8, 8, 9]).starts_with(differing));
    }

    #[test]
    fn seeds_are_counted_as_seeds_and_solver_by_solver_where_they_differ() {
        let mut rows = vec![seeded(1, 1.0), seeded(2, 1.0)];
        assert!(note(rows.clone()).starts_with("Runs of a cell: as-generated, 2 seeds. A"));
        rows.push(solved(1.0));
        rows[2].job.solver = "cadical".into();
        let differing = "Runs of a cell: as-generated, 2 seeds in batsat, 1 run in cadical. A";
        assert!(note(rows).starts_with(differing));
    }

    #[test]
    fn isolation_is_reported_of_the_runs_that_began() {
        let isolation_of = |rows| {
            let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
            isolation(&Dataset::new(&record, &Registry::new()))
        };
        let within = |isolation| Row { isolation, ..solved(1.0) };
        let rlimits = isolation_of(vec![within(Isolation::Rlimits)]).unwrap();
        let group = isolation_of(vec![within(Isolation::CgroupV2)]).unwrap();
        assert_ne!(rlimits, group);
        let both =
            isolation_of(vec![within(Isolation::Rlimits), within(Isolation::CgroupV2)]).unwrap();
        assert!(both.len() > rlimits.len().max(group.len()), "{both}");
        let absent = Row { isolation: Isolation::Rlimits, ..skipped() };
        assert_eq!(isolation_of(vec![absent.clone(), within(Isolation::CgroupV2)]), Some(group));
        assert_eq!(isolation_of(vec![absent]), None);
    }

    #[test]
    fn limits_are_reported_in_the_units_of_configs() {
        let mut row = solved(1.0);
        row.job.limits.memory_bytes = 2 << 30;
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let note = limits_of_runs(&Dataset::new(&record, &Registry::new()));
        assert!(note.ends_with("10 s of wall time and 2 GiB of memory."), "{note}");
        let mut row = solved(1.0);
        row.job.limits.nodes = Some(5_000_000);
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let note = limits_of_runs(&Dataset::new(&record, &Registry::new()));
        assert!(note.ends_with("of memory and 5,000,000 nodes of a diagram."), "{note}");
    }
}
