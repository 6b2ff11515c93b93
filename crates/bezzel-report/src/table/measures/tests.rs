use bezzel_encode::{Constraints, Registry};
use bezzel_experiment::{ExperimentRecord, NO_ENCODING};

use super::*;
use crate::tests::analysed;
use crate::tests::sample::{counted, measured, of_size, propagated, sized, solved, timed_out};

#[test]
fn every_measurement_is_a_line_and_a_wrong_one_has_no_numbers() {
    let truth = "xQxx/xxxQ/Qxxx/xxQx";
    let mut wrong = sized("pairwise", 8, measured(64, 745, 1584));
    wrong.verdict = Verdict::Wrong;
    let rows = vec![
        sized("pairwise", 8, measured(64, 744, 1584)),
        propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(truth)),
        wrong,
        solved(1.0),
    ];
    let planned = rows.len();
    let record = ExperimentRecord { planned, rows, ..ExperimentRecord::default() };
    let csv = measurements(&Dataset::new(&record, &Registry::new())).unwrap().csv();
    let lines: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0].starts_with("size,langford 8,langford,pairwise,finished,verified,64,744,1584,"),
        "{csv}"
    );
    assert!(lines[1].contains(",no,yes,15,9,9,3,"), "{csv}");
    assert!(lines[2].ends_with("finished,wrong,,,,,,,,,,,,"), "{csv}");
}

#[test]
fn settings_of_all_encodings_are_stated_below_and_in_no_line() {
    let mut row = sized("pairwise", 8, measured(64, 736, 1520));
    row.job.settings.constraints = Some(Constraints::NoColumnAlo);
    let table = analysed(vec![row], |of| measurements(of)).unwrap();
    assert_eq!(table.rows[0][3].read(), "pairwise");
    assert!(table.notes[1].starts_with("All encodings state the set no-column-alo: "), "{table:?}");
}

#[test]
fn a_count_until_a_limit_is_reported_as_incomplete() {
    let mut late = of_size(9, counted("blocking", "pairwise", 5.0));
    late.termination = timed_out().termination;
    let all = late.all.as_mut().unwrap();
    (all.count, all.whole) = (7_u32.into(), false);
    let rows = vec![counted("backtrack", NO_ENCODING, 0.25), late];
    let table = analysed(rows, |of| engine_cells(of));
    let read: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| [0, 1, 2, 3, 5, 7, 10].map(|at| row[at].read()).to_vec())
        .collect();
    assert_eq!(
        read,
        [
            ["count", "langford 8", "backtrack", "the instance", "1", "92", "0.250"],
            ["count", "langford 9", "blocking", "pairwise", "0", "7+", "no answer"],
        ]
    );
}
