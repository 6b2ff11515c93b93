//! Sessions in the files of a folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{attached, line, row, start};
use crate::results::packing::Packing;
use crate::results::store::{
    EventKind, FILES, FolderClaim, NewEntry, Rows, SessionStart, SessionWriter, StoreError,
    digest_of, line_of, session_files,
};

/// Writes a session of some rows.
fn write(folder: &Path, number: u64, rows: impl IntoIterator<Item = usize>) {
    let mut writer = SessionWriter::create(folder, &start(number), &[]).unwrap();
    rows.into_iter().for_each(|number| writer.append(&row(number)).unwrap());
    writer.append_event(EventKind::Finished).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let files = session_files(folder).unwrap().into_iter();
    files.map(|file| file.path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn sessions_are_read_in_order_and_the_first_row_of_a_job_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(matches!(Rows::read(folder), Err(StoreError::Missing(_))));
    write(folder, 1, [0, 1]);
    write(folder, 2, [1, 2]);
    let mut writer = SessionWriter::create(folder, &start(3), &[]).unwrap();
    writer.append_reading(&row(7)).unwrap();
    let (sessions, rows) = Rows::read(folder).unwrap();
    let starts = sessions.list.iter().map(|session| session.start.environment.started_unix_s);
    assert_eq!(starts.collect::<Vec<_>>(), [1, 2, 3]);
    let running: Vec<bool> = sessions.list.iter().map(|session| session.is_running).collect();
    assert_eq!(running, [false, false, true]);
    let session = |number: usize| rows.by_key[&row(number).key].session;
    assert_eq!([0, 1, 2].map(session), [0, 0, 1]);
    assert_eq!(rows.repeated.len(), 1);
    assert_eq!((rows.by_key.len(), rows.readings.len(), rows.readings[0].session), (3, 1, 2));
    assert!(sessions.warnings().is_empty());
}

#[test]
fn a_session_that_is_there_twice_counts_once_compressed_or_torn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, 1, [0, 1]);
    let [name] = &names(folder)[..] else { panic!("one session") };
    let text = fs::read(folder.join(name)).unwrap();
    fs::write(folder.join("a copy.jsonl"), &text[..text.len() - 90]).unwrap();
    let mut packed =
        Packing::Xz.write(fs::File::create(folder.join(format!("{name}.xz"))).unwrap()).unwrap();
    std::io::Write::write_all(&mut packed, &text).unwrap();
    packed.finish().unwrap();
    let (sessions, rows) = Rows::read(folder).unwrap();
    assert_eq!((sessions.list.len(), rows.by_key.len(), rows.repeated.len()), (1, 2, 0));
    assert_eq!(sessions.warnings().len(), 1, "{:?}", sessions.warnings());
    // The compressed file alone, whole and cut.
    fs::remove_file(folder.join("a copy.jsonl")).unwrap();
    fs::remove_file(folder.join(name)).unwrap();
    assert_eq!(Rows::read(folder).unwrap().1.by_key.len(), 2);
    let path = folder.join(format!("{name}.xz"));
    let packed = fs::read(&path).unwrap();
    fs::write(&path, &packed[..packed.len() - 40]).unwrap();
    let (sessions, _) = Rows::read(folder).unwrap();
    assert!(sessions.warnings()[0].contains("the compressed file is damaged here"), "{sessions:?}");
}

#[test]
fn the_files_of_configs_are_kept_once_and_evidence_is_not_written_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for number in 1..3 {
        SessionWriter::create(folder, &start(number), &attached()).unwrap();
    }
    let kept: Vec<_> = fs::read_dir(folder.join(FILES)).unwrap().collect();
    assert_eq!(kept.len(), attached().len());
    for file in attached() {
        let copy = folder.join(FILES).join(digest_of(&file.bytes));
        assert_eq!(fs::read(copy).unwrap(), file.bytes);
    }
    let other = folder.join("other");
    fs::create_dir_all(&other).unwrap();
    symlink(folder.join("target"), other.join(FILES)).unwrap();
    assert!(SessionWriter::create(&other, &start(1), &attached()).is_err());
    assert!(!folder.join("target").exists());
}

#[test]
fn a_second_whole_session_is_refused_with_the_name_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let claim = FolderClaim::new(folder).unwrap();
    let writer = SessionWriter::create(folder, &start(1), &[]).unwrap();
    let busy = FolderClaim::new(folder).unwrap_err().to_string();
    let expected = format!("another session is running in `{}`", folder.display());
    assert!(busy.starts_with(&expected), "{busy}");
    assert!(busy.contains(&format!("process {} on ", std::process::id())), "{busy}");
    // A session without a claim, as that of a shard, is found by its own lock.
    drop(claim);
    assert!(matches!(FolderClaim::new(folder), Err(StoreError::Busy { .. })));
    drop(writer);
    FolderClaim::new(folder).unwrap();
    assert!(folder.is_dir(), "a folder with a session stays");
}

#[test]
fn a_session_of_a_newer_version_is_refused_by_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2027-01-01T00.00.00Z-here-1.jsonl");
    let newer = line_of(NewEntry::Session(&SessionStart { format: 99, ..start(1) }));
    fs::write(&path, &newer).unwrap();
    let refused = Rows::read(folder.path()).unwrap_err().to_string();
    assert!(refused.contains("is a session of format 99, and this version reads"), "{refused}");
    let unread = String::from_utf8(newer).unwrap().replace("\"command\"", "\"call\"");
    let (body, _) = unread.split_once(",\"checksum\"").unwrap();
    let body = format!("{body}}}").into_bytes();
    fs::write(&path, crate::results::store::checksum::with_checksum(body)).unwrap();
    assert!(matches!(Rows::read(folder.path()), Err(StoreError::Newer { format: 99, .. })));
    // A line of another kind is damage in a session of this version.
    let other = crate::results::store::checksum::with_checksum(b"{\"note\":1}".to_vec());
    let first = line_of(NewEntry::Session(&start(1)));
    fs::write(&path, [first, other, line(&row(1))].concat()).unwrap();
    let (sessions, rows) = Rows::read(folder.path()).unwrap();
    assert_eq!((sessions.damaged.len(), rows.by_key.len()), (1, 1));
}
