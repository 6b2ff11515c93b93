//! Readings of the machine are stored in the same way as rows.

use std::path::Path;
use std::sync::Arc;

use super::model::{FaultKind, InjectedFault, MemoryDisk};
use super::{CONFIG_TEXT, folder, row};
use crate::model::row::Row;
use crate::results::store::{CALIBRATION, Line, LineContent, Lines, Store, StoreError};

/// Returns a disk with an experiment, and its store.
fn begun() -> (MemoryDisk, Store) {
    let disk = MemoryDisk::default();
    let (store, _) = Store::open_on(Arc::new(disk.clone()), &folder(), CONFIG_TEXT, &[]).unwrap();
    disk.keep_all();
    (disk, store)
}

fn kept(disk: &MemoryDisk) -> Vec<Row> {
    let text = disk.text(&folder().join(CALIBRATION)).unwrap_or_default();
    let lines = Lines::<_, Row>::new(&text[..], Path::new(CALIBRATION));
    let row = |line: Result<Line, StoreError>| match line.unwrap().content {
        LineContent::Row(row, _) => Some(*row),
        _ => None,
    };
    lines.filter_map(row).collect()
}

#[test]
fn whatever_operation_fails_no_acknowledged_reading_is_lost_or_made_up() {
    let (disk, mut store) = begun();
    let before = disk.operations();
    (0..3).for_each(|number| store.append_reading(&row(number)).unwrap());
    let operations = disk.operations() - before;
    assert!(operations >= 12, "{operations}");
    for at in 0..operations {
        for kind in [FaultKind::Refused, FaultKind::Short, FaultKind::After] {
            for cut in [None, Some(1), Some(2), Some(3)] {
                let (disk, mut store) = begun();
                disk.plan(InjectedFault { at, kind, dead: false });
                let added = (0..3).take_while(|&number| store.append_reading(&row(number)).is_ok());
                let added: Vec<Row> = added.map(row).collect();
                drop(store);
                disk.cut(cut);
                let what = format!("operation {at}, {kind:?}, cut {cut:?}");
                let found = kept(&disk);
                assert!(found.starts_with(&added), "{what}");
                let written: Vec<Row> = (0..3).map(row).collect();
                assert!(written.starts_with(&found), "{what}");

                let (mut store, _) =
                    Store::open_on(Arc::new(disk.clone()), &folder(), CONFIG_TEXT, &[]).unwrap();
                store.append_reading(&row(9)).unwrap();
                let after = kept(&disk);
                // A reading that lacks only its line end becomes valid when the end is written.
                let whole = after.len() - 1;
                assert!(whole >= found.len() && written.starts_with(&after[..whole]), "{what}");
                assert_eq!(after[whole], row(9), "{what}");
            }
        }
    }
}

#[test]
fn a_store_that_could_not_keep_a_reading_takes_no_row() {
    let (disk, mut store) = begun();
    disk.plan(InjectedFault { at: 2, kind: FaultKind::Refused, dead: false });
    let failed = store.append_reading(&row(0)).unwrap_err();
    assert!(matches!(failed, StoreError::Io { .. }), "{failed}");
    assert!(matches!(store.append(&row(1)), Err(StoreError::Closed(_))));
}

#[test]
fn an_experiment_from_before_there_were_readings_has_none() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(crate::results::store::readings(folder.path()).unwrap(), []);
}
