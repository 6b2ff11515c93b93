//! Readings of the noise of the machine in a run, and rows that contradict each other.

use std::fs;

use bezzel_experiment::Verdict;
use bezzel_solve::Answer;

use crate::interruptions::workspace::{Workspace, found_in};
use crate::program::{printed, prints};
use crate::session_files::write_rows;

const CONFIG: &str = "\
name: small
problems: [{queens: {size: [6, 8]}}]
encodings: [pairwise]
solvers: [cadical, batsat]
";

#[test]
fn a_run_measures_the_machine_and_says_how_noisy_it_is() {
    let workspace = Workspace::new(CONFIG);
    prints(&workspace.run(), 0, "noise of the machine: ");
    let readings = || found_in(&workspace.experiment()).1.readings;
    let first = readings();
    assert!(first.len() >= 5, "{}", first.len());
    for reading in &first {
        assert_eq!((reading.status, reading.verdict), (Answer::Unsat, Verdict::Verified));
        assert_eq!(reading.solver_stats, first[0].solver_stats);
        assert_eq!(reading.solver_stats.conflicts, Some(12_250), "as the documentation says");
    }
    assert_eq!(workspace.rows().len(), 4, "readings are no rows");
    let report = workspace.path().join("reports/small/report.md");
    assert!(fs::read_to_string(report).unwrap().contains("Noise of the machine"));

    // A run without jobs takes no readings.
    let output = workspace.run();
    assert!(!printed(&output).contains("noise of the machine"), "{}", printed(&output));
    assert_eq!(readings(), first);
}

#[test]
fn rows_that_contradict_each_other_let_a_run_fail_and_stay_as_they_are() {
    let workspace = Workspace::new(CONFIG);
    assert_eq!(workspace.run().status.code(), Some(0));
    // The row of BatSat on the smaller board becomes a wrong answer.
    let mut rows = workspace.rows();
    let lie = rows
        .iter_mut()
        .find(|row| row.job.solver == "batsat" && row.job.instance.size() == 6)
        .unwrap();
    (lie.status, lie.verdict, lie.checked_by) = (Answer::Unsat, Verdict::Unchecked, None);
    lie.places = None;
    write_rows(&workspace.experiment(), &rows);
    let file = workspace.session();
    let text = fs::read_to_string(&file).unwrap();

    let output = workspace.run();
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let printed = printed(&output);
    assert!(printed.contains("WRONG: batsat on 6 with pairwise"), "{printed}");
    assert!(
        printed.contains("CONTRADICTION: board 6: sat says cadical with pairwise"),
        "{printed}"
    );
    assert!(!printed.contains("CONTRADICTION: board 8"), "{printed}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "evidence is never changed");
    let report = fs::read_to_string(workspace.path().join("reports/small/report.md")).unwrap();
    assert!(report.contains("## Answers that contradict each other"));
}
