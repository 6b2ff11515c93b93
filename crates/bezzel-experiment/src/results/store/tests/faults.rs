//! Each operation on the disk fails in turn, in each way, with or without a power failure.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::model::{FaultKind, InjectedFault, MemoryDisk};
use super::{attached, folder, read, row, start};
use crate::model::row::Row;
use crate::results::store::{
    FILES, SessionName, SessionStart, SessionWriter, StoreError, digest_of, whole,
};

/// The data that the store has acknowledged.
#[derive(Default)]
struct Acknowledged {
    starts: Vec<SessionStart>,
    rows: Vec<Row>,
}

/// Begins a session at a moment.
fn create(disk: &MemoryDisk, number: u64) -> Result<SessionWriter, StoreError> {
    let last = sessions(disk).pop().and_then(|path| {
        let stem = path.file_stem()?.to_str()?.to_owned();
        Some(SessionName::of_file(&stem))
    });
    let (disk, now) = (Arc::new(disk.clone()), Duration::from_secs(1_800_000_007));
    whole::make_folder(disk.as_ref(), &folder())?;
    SessionWriter::create_on(disk, &folder(), last, now, &start(number), &attached())
}

/// The files of sessions, in the order of their names.
fn sessions(disk: &MemoryDisk) -> Vec<PathBuf> {
    let mut paths = disk.paths();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths
}

/// Runs two sessions, each of which adds three rows, until an operation fails.
fn run(disk: &MemoryDisk, acknowledged: &mut Acknowledged) -> Result<(), StoreError> {
    for session in 0..2 {
        let mut writer = create(disk, session)?;
        acknowledged.starts.push(start(session));
        for number in 0..3 {
            let row = row(session as usize * 3 + number);
            writer.append(&row)?;
            acknowledged.rows.push(row);
        }
    }
    Ok(())
}

/// Returns a disk with the folder of experiments.
fn fresh() -> MemoryDisk {
    let disk = MemoryDisk::default();
    whole::make_folder(&disk, Path::new("experiments")).unwrap();
    disk.keep_all();
    disk.restart();
    disk
}

/// The event after the fault.
#[derive(Clone, Copy, Debug)]
enum Then {
    /// The runner is started again.
    Restart,
    /// The power fails first. The seed determines which of the unsynced bytes remain.
    Cut(Option<u64>),
}

const AFTERWARDS: [Then; 6] = [
    Then::Restart,
    Then::Cut(None),
    Then::Cut(Some(1)),
    Then::Cut(Some(2)),
    Then::Cut(Some(3)),
    Then::Cut(Some(4)),
];

fn go_on(disk: &MemoryDisk, then: Then) {
    match then {
        Then::Restart => disk.restart(),
        Then::Cut(seed) => disk.cut(seed),
    }
}

/// Compares the files with the acknowledged data, and returns the rows that are there.
fn examine(disk: &MemoryDisk, acknowledged: &Acknowledged) -> Vec<Row> {
    let (mut starts, mut rows) = (Vec::new(), Vec::new());
    for path in sessions(disk) {
        let (found, of_file) = read(&disk.text(&path).unwrap());
        starts.extend(found.list.into_iter().map(|session| session.start));
        assert!(of_file.disagreeing.is_empty());
        rows.extend(of_file.by_key.into_values());
    }
    for start in &acknowledged.starts {
        let is_it = |found: &&SessionStart| found.environment == start.environment;
        assert_eq!(starts.iter().filter(is_it).count(), 1, "a session was lost");
    }
    if !starts.is_empty() {
        // A session that is there has all of its files.
        for file in attached() {
            let copy = folder().join(FILES).join(digest_of(&file.bytes));
            assert_eq!(disk.text(&copy).as_deref(), Some(&*file.bytes), "{}", file.path);
        }
    }
    for row in &acknowledged.rows {
        // A row whose removal was not stored may come back, and then two sessions have it.
        assert!(rows.contains(row), "a row was lost");
    }
    for found in &rows {
        let number = usize::from_str_radix(&found.key.0, 16).unwrap();
        assert_eq!(*found, row(number), "a row was made up");
    }
    rows
}

/// Examines the files, adds the missing rows in another session, and examines them again.
fn recover(disk: &MemoryDisk, acknowledged: &Acknowledged) {
    let found = examine(disk, acknowledged);
    let before: Vec<_> =
        sessions(disk).into_iter().map(|path| (disk.text(&path).unwrap(), path)).collect();
    let mut writer = create(disk, 9).unwrap();
    let mut missing: Vec<Row> = (0..6).map(row).collect();
    missing.retain(|row| !found.contains(row));
    for row in &missing {
        writer.append(row).unwrap();
    }
    drop(writer);
    assert_eq!(examine(disk, acknowledged).len(), 6, "a row was written twice");
    for (text, path) in before {
        assert_eq!(disk.text(&path), Some(text), "the file of another session was changed");
    }
    // The added rows now survive a power failure, after any earlier fault.
    disk.cut(None);
    examine(disk, &Acknowledged { starts: vec![start(9)], rows: missing });
}

#[test]
fn whatever_operation_fails_nothing_acknowledged_is_lost_or_counted_twice() {
    let disk = fresh();
    run(&disk, &mut Acknowledged::default()).unwrap();
    let operations = disk.operations();
    assert!(operations > 40, "{operations}");
    let mut tried = 0;
    let mut stopped = 0;
    for at in 0..operations {
        for kind in [FaultKind::Refused, FaultKind::Short, FaultKind::After] {
            for dead in [false, true] {
                for then in AFTERWARDS {
                    let disk = fresh();
                    disk.plan(InjectedFault { at, kind, dead });
                    let mut acknowledged = Acknowledged::default();
                    stopped += usize::from(run(&disk, &mut acknowledged).is_err());
                    go_on(&disk, then);
                    let recovered = std::panic::AssertUnwindSafe(|| recover(&disk, &acknowledged));
                    assert!(
                        std::panic::catch_unwind(recovered).is_ok(),
                        "operation {at}, {kind:?}, dead {dead}, then {then:?}"
                    );
                    tried += 1;
                }
            }
        }
    }
    // A file of the config that cannot be looked up is written again.
    assert!(stopped * 10 > tried * 8, "{stopped} of {tried}");
    assert_eq!(tried, operations * 3 * 2 * AFTERWARDS.len());
}

#[test]
fn after_a_failed_sync_nothing_more_is_taken() {
    let disk = fresh();
    let mut writer = create(&disk, 1).unwrap();
    writer.append(&row(0)).unwrap();
    // The operations are identity, write and sync.
    disk.plan(InjectedFault { at: 2, kind: FaultKind::Refused, dead: false });
    let failed = writer.append(&row(1)).unwrap_err();
    assert!(matches!(failed, StoreError::Append { .. }), "{failed}");
    let message = failed.to_string();
    assert!(message.starts_with("cannot keep a line in `experiments/t/20"), "{message}");
    let again = writer.append(&row(1)).unwrap_err();
    assert!(matches!(again, StoreError::Closed(_)), "a sync was tried again: {again}");
    let text = disk.text(&sessions(&disk)[0]).unwrap();
    assert_eq!(read(&text).1.by_key.len(), 1, "what failed was taken back");
}

#[test]
fn rows_added_to_a_file_that_is_gone_are_not_called_kept() {
    let disk = fresh();
    let mut writer = create(&disk, 1).unwrap();
    writer.append(&row(0)).unwrap();
    disk.remove(&sessions(&disk)[0]);
    let gone = writer.append(&row(1)).unwrap_err();
    assert!(matches!(gone, StoreError::Gone(_)), "{gone}");
}
