//! Tasks without a solver.

use super::schema::fits_schema;
use super::*;
use crate::model::job::{NO_SOLVER, Task};

const SIZE: &str = "name: s\nboards: [{size: 6}]\nencodings: [pairwise]\n";

#[test]
fn a_measure_needs_encodings_and_neither_solvers_nor_engines() {
    let text = format!("{SIZE}task: [size, propagate]\nrepeats: 2\n");
    assert!(fits_schema(&text));
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let arms: Vec<_> = config.matrix.arms.iter().map(|arm| (arm.label(), arm.task)).collect();
    let none = || NO_SOLVER.to_owned();
    assert_eq!(arms, [(none(), Task::Size), (none(), Task::Propagate)]);
    assert!(!config.matrix.arms[0].is_solver() && !config.matrix.arms[0].is_engine());
}

#[test]
fn all_kinds_of_tasks_stand_together_each_with_what_it_needs() {
    let text = format!(
        "{SIZE}task: [size, solve, count]\nnumberings: [as-generated, random]\nsolvers: cadical\n\
         engines: blocking\nexclude: [{{task: size, board: 6}}]\n"
    );
    assert!(fits_schema(&text));
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let arms: Vec<_> = config.matrix.arms.iter().map(|arm| (arm.label(), arm.task)).collect();
    let of = |id: &str, task| (id.to_owned(), task);
    assert_eq!(
        arms,
        [of("cadical", Task::Solve), of("blocking", Task::Count), of(NO_SOLVER, Task::Size)]
    );
}

#[test]
fn an_inclusion_may_measure_beside_a_matrix_that_solves() {
    let matrix = format!("{SIZE}solvers: cadical\nnumberings: random\n");
    let text = format!("{matrix}include: [{{task: size, boards: {{size: 9}}}}]\n");
    assert!(fits_schema(&text));
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let included = &config.include[0];
    assert_eq!(included.arms.len(), 1);
    assert_eq!(included.arms[0].task, Task::Size);
    assert!(included.numberings.iter().all(NumberingEntry::is_as_generated));
    // A config that names solvers alone means the tasks of solvers.
    let both = format!("{SIZE}task: [solve, size]\nsolvers: cadical\n");
    let config = parse(&format!("{both}include: [{{solvers: batsat}}]\n")).unwrap();
    let arms: Vec<_> = config.include[0].arms.iter().map(|arm| arm.task).collect();
    assert_eq!(arms, [Task::Solve]);
}

#[test]
fn prefixes_are_drawn_around_solutions_and_without() {
    let text = "name: p\ntask: propagate\nencodings: [pairwise]\nboards:\n  - {size: 8, generate: \
         {kind: prefix, queens: [2, 3], planted: uniform, seeds: [1, 2, 4]}}\n  - {size: 8, generate: \
         {kind: prefix, queens: 2, seeds: 1..3}}\n";
    assert!(fits_schema(text));
    let config = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let boards = &config.matrix.instances;
    assert_eq!(boards.len(), 9);
    for (place, entry) in boards.iter().enumerate() {
        let rows: Vec<u32> =
            entry.instance.board().unwrap().placed().iter().map(|queen| queen.row).collect();
        let expected: Vec<u32> = if (3..6).contains(&place) { vec![0, 1, 2] } else { vec![0, 1] };
        assert_eq!(rows, expected, "{}", entry.instance);
    }
}
