//! Formulas that are measured and not solved, by real workers, judged by the runner.

use bezzel_encode::{Propagation, Registry};
use bezzel_experiment::measure::PropagationShare;
use bezzel_experiment::{EvidenceKind, Job, Row, Task, Termination, Verdict};
use bezzel_queens::{Board, Recipe, Square};
use bezzel_solve::Answer;

use crate::workers::{job, rows};

/// The ids of all encodings that consist of clauses alone.
fn encodings() -> Vec<String> {
    let infos = bezzel_queens::register(Registry::standard())
        .infos()
        .into_iter()
        .filter(|info| !info.cardinality);
    infos.map(|info| info.id).collect()
}

#[test]
fn eight_queens_have_the_published_size_and_bryants_circuits_their_exact_operations() {
    let ids = ["pairwise", "bryant-circuit", "bryant-circuit:binary"];
    let jobs = ids.map(|id| job(Board::new(8).unwrap(), id, Task::Size));
    let rows = rows(&jobs);
    let operations = |row: &Row| {
        row.circuit.as_ref().map(|all| all.iter().map(|section| section.built).sum::<u64>())
    };
    let printed: Vec<_> =
        rows.iter().map(|row| (row.formula.as_ref().unwrap().clauses, operations(row))).collect();
    assert_eq!(printed, [(744, None), (1_696, Some(565)), (1_600, Some(533))]);
    for row in &rows {
        assert_eq!(
            (row.termination, row.verdict, row.status),
            (Termination::Finished, Verdict::Verified, Answer::Unknown)
        );
        assert_eq!(row.checked_by.as_ref().unwrap().kind, EvidenceKind::ClosedForm);
        assert!(row.generate_cpu_s.is_some() && row.memory_peak_bytes.is_some());
        assert!(row.solve_cpu_s.is_none() && row.clause_digest.is_none() && row.solved());
    }
}

/// Unit propagation of these encodings finds nothing that is not so. Returns the number of jobs with complete
/// propagation.
fn propagation_is_right(ids: &[String]) -> usize {
    let board = Board::new(6).unwrap();
    let given = |squares: &[Square]| board.clone().with_placed(squares.iter().copied()).unwrap();
    let boards = [
        // The beginning of 2 4 6 1 3 5, the one solution with these.
        given(&[Square::new(0, 1), Square::new(1, 3)]),
        given(&[Square::new(0, 1)]),
        // No solution has a queen in a corner.
        given(&[Square::new(0, 0)]),
    ];
    let jobs: Vec<Job> = ids
        .iter()
        .flat_map(|id| boards.iter().map(|board| job(board.clone(), id, Task::Propagate)))
        .collect();
    let registry = bezzel_queens::register(Registry::standard());
    let mut complete = 0;
    for row in rows(&jobs) {
        let name = format!("{} on {}", row.job.encoding, row.job.instance);
        assert_eq!(
            (row.termination, row.verdict),
            (Termination::Finished, Verdict::Verified),
            "{name}: {row:?}"
        );
        let propagation = row.propagation.as_ref().unwrap();
        let truth = propagation.truth.as_ref().unwrap();
        let info = registry.find(&row.job.encoding).unwrap().info();
        // Complete propagation finds every square that a given queen attacks.
        if info.propagation == Propagation::Complete
            && truth.solvable
            && let Some(share) = PropagationShare::of(&row.job.instance, propagation)
        {
            complete += 1;
            assert_eq!(share.attacked_found, share.attacked, "{name}");
            assert!(share.attacked > 0);
        }
    }
    complete
}

#[test]
fn propagation_of_some_encodings_finds_nothing_that_is_not_so() {
    let ids: Vec<String> = encodings().into_iter().step_by(10).collect();
    assert!(propagation_is_right(&ids) > 0);
}

#[test]
#[ignore = "second tier: it runs workers for every encoding"]
fn propagation_of_every_encoding_finds_nothing_that_is_not_so() {
    let ids = encodings();
    assert!(ids.len() > 30);
    assert!(propagation_is_right(&ids) > 10);
}

#[test]
fn propagation_keeps_up_with_twenty_rows_of_pairs() {
    let board = Recipe::Prefix { queens: 8 }.draw(&Board::new(20).unwrap(), None, 1, 0).unwrap();
    let [row] = &rows(&[job(board, "pairwise", Task::Propagate)])[..] else { panic!("one row") };
    assert_eq!(
        (row.termination, row.verdict),
        (Termination::Finished, Verdict::Verified),
        "{row:?}"
    );
}
