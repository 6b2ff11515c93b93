//! Reports over several kinds of problems.

use bezzel_experiment::{ExperimentRecord, Row};
use bezzel_problem::kind::langford::Langford;
use bezzel_problem::kind::pigeonhole::Pigeonhole;
use bezzel_problem::{Instance, Search};
use bezzel_solve::Answer;

use crate::report::sample;

/// The rows of the large record with an instance of another kind in place of each board.
fn record() -> ExperimentRecord {
    let mut record = sample::wide();
    let mut of_boards: Vec<(Instance, Instance)> = Vec::new();
    record.families.clear();
    for row in &mut record.rows {
        let board = row.job.instance.clone();
        let known = of_boards.iter().find(|(known, _)| *known == board);
        let instance = if let Some((_, instance)) = known {
            instance.clone()
        } else {
            let number = of_boards.len() as u32 / 2 + 1;
            let instance: Instance = match of_boards.len() % 2 {
                0 => Langford::new(4 * number).unwrap().into(),
                _ => Pigeonhole::new(4 + number, 4 + number).unwrap().into(),
            };
            of_boards.push((board, instance.clone()));
            instance
        };
        let found = Search::new(&instance.problem()).first(20_000_000).unwrap_or_default();
        (row.places, row.job.instance) = (None, instance);
        if let Some(found) = found.filter(|_| row.status == Answer::Sat) {
            row.set_solution(&found);
        }
    }
    record
}

#[test]
fn a_report_speaks_of_instances_and_never_joins_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let record = record();
    let kinds = |row: &Row| row.job.instance.kind();
    assert!(record.rows.iter().any(|row| kinds(row) == "langford"));
    let paths =
        bezzel_queens::report::render(&record, folder.path(), "bezzel report kinds").unwrap();
    let text = std::fs::read_to_string(paths.markdown).unwrap();
    let boards: Vec<&str> =
        text.lines().filter(|line| line.to_lowercase().contains("board")).collect();
    assert_eq!(boards, [""; 0]);
    assert!(!text.contains(" a instance"), "{text}");
    assert!(paths.figures.iter().any(|figure| figure.id == "instances"));
}
