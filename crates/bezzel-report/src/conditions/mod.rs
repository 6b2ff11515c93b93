//! The conditions of the runs: limits, isolation, machines, noise, and the number of runs of a cell. A report states
//! them once.

use bezzel_lab::quantity::{grouped, memory};
use bezzel_lab::{Isolation, Limits};
use indexmap::IndexMap;

use crate::distinct::distinct;
use crate::limits;
use crate::material::Material;
use crate::number::whole_or;
use crate::statistics::cell::{Counts, began};
use crate::statistics::replicates::Replicates;

mod measuring;

/// The sentences.
pub(crate) fn conditions(material: &Material<'_>) -> Vec<String> {
    if material.record.rows.is_empty() {
        return Vec::new();
    }
    let has_cells = !material.cells.is_empty();
    let sentences = [
        Some(limits_of_runs(material)),
        isolation(material),
        measuring::machines(material),
        measuring::cores(material),
        measuring::proofs(material).filter(|_| has_cells),
        measuring::noises(material),
        measuring::unchecked(material),
        has_cells.then(|| replicates(material)),
        material.set_alike(),
    ];
    sentences.into_iter().flatten().collect()
}

/// The sentences that a table by itself needs: limits and noise.
pub(crate) fn of_tables(material: &Material<'_>) -> Vec<String> {
    let limits = (!material.record.rows.is_empty()).then(|| limits_of_runs(material));
    limits.into_iter().chain(measuring::noises(material)).collect()
}

/// The limits of the runs.
fn limits_of_runs(material: &Material<'_>) -> String {
    let say = |limits: Limits| {
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
    let all = distinct(material.record.rows.iter().map(|row| row.job.limits));
    let all: Vec<_> = all.into_iter().map(say).collect();
    format!("Limits of a run, its whole process counted: {}.", all.join("; or "))
}

/// The limits and faults that ended runs; nothing if every run has an answer.
pub(crate) fn no_answer(material: &Material<'_>) -> Option<String> {
    let counts = Counts::of(&material.record.rows.iter().collect::<Vec<_>>());
    let ends =
        limits::ends(&counts).into_iter().chain([("by a fault or by themselves", counts.failed)]);
    let ends = ends.filter(|(_, number)| *number > 0);
    let mut ends = ends.map(|(end, number)| format!("{} {end}", grouped(number as u128)));
    let first = ends.next()?.replacen(' ', " ended ", 1);
    let ends = std::iter::once(first).chain(ends).collect::<Vec<_>>().join(", ");
    Some(format!("No answer: the number depends on runs without an answer. Of all runs {ends}."))
}

/// How limits were enforced on the runs that began.
fn isolation(material: &Material<'_>) -> Option<String> {
    let ways = distinct(material.rows(began).into_iter().map(|row| row.isolation));
    let ways = ways.into_iter().map(|way| match way {
        Isolation::Rlimits => {
            "a process of its own for every run, with rlimits, watched from within and from without"
        }
        Isolation::CgroupV2NoMemory => {
            "a process and a control group (version 2, without its memory controller) of its own for \
             every run, with rlimits, watched from within and from without"
        }
        Isolation::CgroupV2 => {
            "a process and a control group (version 2) of its own for every run, with limits of \
             memory kept by the kernel, watched from within and from without"
        }
        Isolation::Benchexec => "as BenchExec enforces it, which measured these runs",
    });
    let ways: Vec<_> = ways.collect();
    (!ways.is_empty()).then(|| format!("Isolation: {}.", ways.join("; ")))
}

/// How many runs a cell has, by what they differ in: for every numbering, of solvers and boards
/// apart where they differ.
fn replicates(material: &Material<'_>) -> String {
    let of_numberings = (0..).zip(&material.numberings).map(|(numbering, name)| {
        let of_solvers = (0..).zip(&material.solvers).filter_map(|(solver, name)| {
            let boards = on_boards(material, numbering, solver);
            (!boards.is_empty()).then_some((name.clone(), boards))
        });
        let of_solvers: Vec<_> = of_solvers.collect();
        let alike = distinct(of_solvers.iter().map(|(_, boards)| boards)).len() == 1;
        let each = of_solvers.iter().map(|(solver, boards)| {
            if alike { boards.clone() } else { format!("{boards} in {solver}") }
        });
        let said = distinct(each).join(", ");
        format!("{name}, {said}")
    });
    let runs = format!("Runs of a cell: {}.", of_numberings.collect::<Vec<_>>().join("; "));
    match material.shuffled_alike() {
        Some(alike) => format!("{runs} Under every numbering {alike} are shuffled."),
        None => runs,
    }
}

/// As in `10 shuffles on 8, 16 and 3 shuffles on torus 12`, the boards left out if all are alike.
fn on_boards(material: &Material<'_>, numbering: usize, solver: usize) -> String {
    let mut numbers: IndexMap<Replicates, Vec<String>> = IndexMap::new();
    for (number, board) in material.instances.iter().enumerate() {
        let cells = material.cells_on(number).iter();
        let cells =
            cells.filter(|cell| cell.place.numbering == numbering && cell.place.solver == solver);
        // What is missing in one encoding's cell the table shows.
        let cells = cells.map(|cell| Replicates::of(&cell.rows));
        if let Some(most) = cells.max_by_key(|cell| cell.number) {
            numbers.entry(most).or_default().push(material.name(board));
        }
    }
    let alike = numbers.len() == 1;
    let of_boards = numbers.iter().map(|(number, boards)| {
        if alike { number.to_string() } else { format!("{number} on {}", boards.join(", ")) }
    });
    of_boards.collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};
    use bezzel_problem::Board;

    use super::*;
    use crate::tests::sample::{seeded, shuffled, skipped, solved};

    fn note(rows: Vec<Row>) -> String {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        replicates(&Material::new(&record, &Registry::new()))
    }

    fn on_boards(boards: [u32; 4]) -> String {
        let mut rows = vec![solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0), shuffled(1, 1.0)];
        for (row, side) in rows.iter_mut().zip(boards) {
            row.job.instance = Board::new(side).unwrap().into();
        }
        note(rows)
    }

    #[test]
    fn shuffles_are_counted_by_their_seeds_and_board_by_board_where_they_differ() {
        assert_eq!(
            on_boards([8, 8, 8, 8]),
            "Runs of a cell: as-generated, 1 run; random, 2 shuffles."
        );
        assert_eq!(
            on_boards([8, 8, 8, 9]),
            "Runs of a cell: as-generated, 1 run; random, 2 shuffles on 8 and 1 shuffle on 9."
        );
    }

    #[test]
    fn seeds_are_counted_as_seeds_and_solver_by_solver_where_they_differ() {
        let mut rows = vec![seeded(1, 1.0), seeded(2, 1.0)];
        assert_eq!(note(rows.clone()), "Runs of a cell: as-generated, 2 seeds.");
        rows.push(solved(1.0));
        rows[2].job.solver = "cadical".into();
        assert_eq!(
            note(rows),
            "Runs of a cell: as-generated, 2 seeds in batsat, 1 run in cadical."
        );
    }

    #[test]
    fn isolation_is_told_of_the_runs_that_began() {
        let told = |rows| {
            let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
            isolation(&Material::new(&record, &Registry::new()))
        };
        let within = |isolation| Row { isolation, ..solved(1.0) };
        let rlimits = told(vec![within(Isolation::Rlimits)]).unwrap();
        let group = told(vec![within(Isolation::CgroupV2)]).unwrap();
        assert_ne!(rlimits, group);
        let both = told(vec![within(Isolation::Rlimits), within(Isolation::CgroupV2)]).unwrap();
        assert!(both.len() > rlimits.len().max(group.len()), "{both}");
        let absent = Row { isolation: Isolation::Rlimits, ..skipped() };
        assert_eq!(told(vec![absent.clone(), within(Isolation::CgroupV2)]), Some(group));
        assert_eq!(told(vec![absent]), None);
    }

    #[test]
    fn limits_are_told_in_the_units_of_configs() {
        let mut row = solved(1.0);
        row.job.limits.memory_bytes = 2 << 30;
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let note = limits_of_runs(&Material::new(&record, &Registry::new()));
        assert!(note.ends_with("10 s of wall time and 2 GiB of memory."), "{note}");
        let mut row = solved(1.0);
        row.job.limits.nodes = Some(5_000_000);
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let note = limits_of_runs(&Material::new(&record, &Registry::new()));
        assert!(note.ends_with("of memory and 5,000,000 nodes of a diagram."), "{note}");
    }
}
