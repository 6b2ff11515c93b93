//! The files of sessions: found, read, and changed as no command changes them.

use std::fs;
use std::path::{Path, PathBuf};

use bezzel_experiment::Row;
use bezzel_experiment::store::{NewEntry, Rows, SessionStart, line_of, session_files};
use serde_json::Value;

/// The files of the sessions in an experiment's folder, in their order.
pub(crate) fn sessions_in(experiment: &Path) -> Vec<PathBuf> {
    session_files(experiment).unwrap().into_iter().map(|file| file.path).collect()
}

/// The file of the only session in an experiment's folder.
#[track_caller]
pub(crate) fn session_in(experiment: &Path) -> PathBuf {
    let [session] = &sessions_in(experiment)[..] else { panic!("one session is expected") };
    session.clone()
}

/// The first lines of the sessions, which are whole.
pub(crate) fn starts_in(experiment: &Path) -> Vec<SessionStart> {
    bezzel_queens::add_kinds();
    let (sessions, _) = Rows::read(experiment).unwrap();
    assert_eq!(sessions.warnings(), [""; 0]);
    sessions.list.into_iter().map(|session| session.start).collect()
}

/// The rows of all sessions, in the order of their lines. Each line has its checksum.
pub(crate) fn rows_in(experiment: &Path) -> Vec<Row> {
    starts_in(experiment);
    let rows = sessions_in(experiment).into_iter().enumerate().flat_map(|(session, path)| {
        let entries = entries_in(&path).into_iter();
        let rows = entries.filter_map(|mut entry| Some(entry.get_mut("row")?.take()));
        rows.map(move |row| Row { session, ..serde_json::from_value(row).unwrap() })
    });
    rows.collect()
}

fn entries_in(session: &Path) -> Vec<Value> {
    let text = fs::read_to_string(session).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Changes the first line and the rows of the only session, with right checksums. Other entries stay.
pub(crate) fn change_session(
    experiment: &Path,
    change: impl FnOnce(&mut SessionStart, &mut Vec<Row>),
) {
    let path = session_in(experiment);
    let (mut start, mut rows) = (starts_in(experiment).remove(0), rows_in(experiment));
    change(&mut start, &mut rows);
    let mut text = line_of(NewEntry::Session(&start));
    text.extend(rows.iter().flat_map(|row| line_of(NewEntry::Row(row))));
    let others = fs::read_to_string(&path).unwrap();
    let is_other =
        |line: &&str| !line.starts_with("{\"row\":") && !line.starts_with("{\"session\":");
    text.extend(others.split_inclusive('\n').filter(is_other).flat_map(str::bytes));
    fs::write(&path, text).unwrap();
}

/// Writes these rows in the place of those of the only session, with right checksums.
pub(crate) fn write_rows(experiment: &Path, rows: &[Row]) {
    change_session(experiment, |_, own| *own = rows.to_vec());
}

/// Replaces a part of the text of the first line of the only session, with a right checksum.
#[track_caller]
pub(crate) fn replace_in_start(experiment: &Path, from: &str, to: &str) {
    change_session(experiment, |start, _| {
        let text = serde_json::to_string(start).unwrap();
        assert!(text.contains(from), "`{from}` is not in {text}");
        *start = serde_json::from_str(&text.replace(from, to)).unwrap();
    });
}

/// Copies the files of the sessions in one folder to another one, which is made.
pub(crate) fn copy_sessions(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in sessions_in(from) {
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}
