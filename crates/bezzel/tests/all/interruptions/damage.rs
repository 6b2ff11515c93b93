//! Files of sessions that were cut, reordered, doubled or changed: the same command runs the jobs whose rows are lost,
//! and then a reader finds the rows of an undisturbed run.

use std::fs;

use crate::interruptions::workspace::{Workspace, are_kept, row_lines};
use crate::program::printed;

/// A change of a session, given the lines of its file: the change; the number of jobs that are run again; and a part of
/// the output of the run.
type Change = (fn(&[&str]) -> String, usize, &'static str);

/// The first line, 16 rows and the end are the lines of the session.
const CHANGES: [Change; 6] = [
    // A kill, a full disk.
    (
        |lines| [&lines[..6].concat(), &lines[6][..99]].concat(),
        11,
        "is torn, and its 99 bytes are skipped",
    ),
    (|lines| lines[0][..99].into(), 16, "is torn, and its 99 bytes are skipped"),
    // Order and number make no difference.
    (|lines| lines.iter().rev().copied().collect(), 0, "every job has its row"),
    (|lines| lines.iter().map(|line| line.repeat(2)).collect(), 0, "every job has its row"),
    // Changed numbers, in a row and in the first line.
    (
        |lines| lines.concat().replacen("\"wall_s\":", "\"wall_s\":1", 1),
        1,
        "1 damaged line skipped, the first is line 2 of ",
    ),
    (
        |lines| lines.concat().replacen("\"started_unix_s\":", "\"started_unix_s\":1", 1),
        16,
        "is left out",
    ),
];

/// The names under which the session is written: one of a later time than that of any test, as if the clock had been
/// set back since; or two names.
const NAMES: [&[&str]; 2] = [
    &["2999-12-31T23.59.58Z-here-7.jsonl"],
    &["2026-01-01T00.00.00Z-here-7.jsonl", "2026-01-01T00.00.00Z-here-7-copy.jsonl"],
];

#[test]
fn after_the_same_command_a_reader_finds_the_rows_of_an_undisturbed_run() {
    let workspace = Workspace::small(1);
    assert_eq!(workspace.run().status.code(), Some(0));
    let (session, expected) =
        (fs::read_to_string(workspace.session()).unwrap(), workspace.results());
    let lines: Vec<&str> = session.split_inclusive('\n').collect();
    assert_eq!((lines.len(), expected.len()), (18, 16));
    for (number, (change, lost, says)) in CHANGES.into_iter().enumerate() {
        let experiment = workspace.experiment();
        fs::remove_dir_all(&experiment).unwrap();
        fs::create_dir(&experiment).unwrap();
        for name in NAMES[number % 2] {
            fs::write(experiment.join(name), change(&lines)).unwrap();
        }
        let (changed, rows) = (workspace.files(), row_lines(&experiment));
        let output = workspace.run();
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(0), "{number}: {text}");
        assert!(text.contains(says), "{number}: {text}");
        assert_eq!(workspace.results(), expected, "{number}");
        assert_eq!(row_lines(&experiment) - rows, lost, "{number}");
        are_kept(&changed, &experiment);
        let last = workspace.files().into_keys().next_back().unwrap();
        assert_eq!(changed.contains_key(&last), lost == 0, "a new session is after the others");
    }
}
