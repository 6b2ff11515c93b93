use super::*;
use crate::tests::analysed;
use crate::tests::sample::{
    self, at_wall_limit, killed, out_of_memory, shuffled, solved, timed_out, wrong as wrong_row,
};
use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;

#[test]
fn runs_without_a_row_are_missing_and_not_anything_else() {
    let record =
        ExperimentRecord { planned: 3, rows: vec![solved(1.0)], ..ExperimentRecord::default() };
    let registry = Registry::new();
    let ends = run_ends(&Dataset::new(&record, &registry));
    assert_eq!(ends[..3], [("planned", 3), ("missing", 2), ("answered and verified", 1)]);
    assert!(ends[3..].iter().all(|(_, number)| *number == 0));
}

#[test]
fn skipped_runs_are_reported_with_their_reason_and_killed_ones_as_to_be_run_again() {
    let rows = vec![sample::skipped(), sample::skipped(), sample::killed()];
    let record = ExperimentRecord { planned: 3, rows, ..ExperimentRecord::default() };
    let registry = Registry::new();
    let dataset = Dataset::new(&record, &registry);
    let occurring: Vec<_> =
        run_ends(&dataset).into_iter().filter(|(_, number)| *number > 0).collect();
    assert_eq!(
        occurring,
        [
            ("planned", 3),
            ("killed from outside, and run again by the same command", 1),
            ("skipped, since their solver or engine is not installed", 2)
        ]
    );
    assert_eq!(
        failure_reasons(&dataset),
        ["Skipped 2: kissat: kissat is not installed: no program `kissat` is in the search path"]
    );
}

#[test]
fn runs_that_failed_are_reported_with_their_reasons_the_commonest_kinds_by_name() {
    let crashed = |note: Option<&str>| Row {
        termination: Termination::Crashed,
        note: note.map(str::to_owned),
        ..sample::timed_out()
    };
    let reasons_of = |rows| analysed(rows, |of| failure_reasons(of));
    let rows = vec![crashed(Some("by signal 11")), solved(1.0), crashed(Some("by signal 11"))];
    assert_eq!(reasons_of(rows), ["Failed 2: batsat: by signal 11"]);
    assert_eq!(
        reasons_of(vec![crashed(None)]),
        ["Failed 1: batsat: it gave neither an answer nor a reason"]
    );
    assert!(reasons_of(vec![sample::timed_out(), sample::killed(), wrong_row(1.0)]).is_empty());
    let many = (0..20).map(|line| crashed(Some(&format!("a fault in line {line}"))));
    let many = reasons_of(many.collect());
    assert_eq!(many.len(), MAX_REASONS + 1);
    assert_eq!(many[MAX_REASONS], "Failed 12 for other reasons, given in their rows");
}

#[test]
fn a_wrong_answer_is_reported_with_what_finds_it_again() {
    let mut row = wrong_row(1.0);
    row.job.numbering = shuffled(7, 1.0).job.numbering;
    row.note = Some("the pair of 3 is not there".into());
    let record = ExperimentRecord { planned: 1, rows: vec![row], ..ExperimentRecord::default() };
    let registry = Registry::new();
    assert_eq!(
        wrong_answers(&Dataset::new(&record, &registry)),
        [
            "pairwise on instance langford 8, numbering random (seed 7), by batsat: answered sat; the pair \
          of 3 is not there (key 00)"
        ]
    );
}

#[test]
fn each_limit_is_named_with_what_was_used() {
    let rows = [at_wall_limit(1.3), solved(1.0), at_wall_limit(2.04), killed()];
    assert_eq!(
        at_limits(&rows),
        ["2 out of time: 2 at the wall limit, after 1.3 to 2.0 s of 5 s CPU; the core was shared"]
    );
    let mut own = at_wall_limit(4.9);
    own.wall_s = 5.0;
    let rows = [timed_out(), own, at_wall_limit(2.0), out_of_memory()];
    assert_eq!(
        at_limits(&rows),
        [
            "3 out of time: 1 at the CPU limit of 5 s, 2 at the wall limit, after 2.0 to 4.9 s of 5 s \
             CPU; in 1 of them the core was shared",
            "1 at the memory limit of 954 MiB, after 1.0 s of 5 s CPU"
        ]
    );
    assert!(at_limits(&[solved(1.0)]).is_empty());
}
