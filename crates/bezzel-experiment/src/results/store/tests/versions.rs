//! A new version of a config, under every fault.

use std::sync::Arc;

use super::model::{FaultKind, InjectedFault, MemoryDisk};
use super::{CONFIG_TEXT, attached, folder, row};
use crate::results::store::{Attached, CONFIG, ROWS, Store, StoreError, VERSIONS};

const SECOND: &str = "name: t # the second\n";
const THIRD: &str = "name: t # the third\n";

/// The files of the second config: one of the same name with another text, and a new one.
fn second() -> Vec<Attached> {
    let file = |path: &str, text: &str| Attached { path: path.into(), bytes: text.into() };
    vec![file("hard.txt", "x .\n. ."), file("more/new.txt", ". . .")]
}

/// Returns a disk with an experiment that has a row under the first config.
fn begun() -> MemoryDisk {
    let disk = MemoryDisk::default();
    crate::results::store::whole::make_folder(&disk, &folder()).unwrap();
    let (mut store, _) =
        Store::open_on(Arc::new(disk.clone()), &folder(), CONFIG_TEXT, &attached()).unwrap();
    store.append(&row(1)).unwrap();
    drop(store);
    disk.keep_all();
    disk.restart();
    disk
}

/// Replaces the first config by the second.
fn renew(disk: &MemoryDisk) -> Result<(), StoreError> {
    let (store, _) = Store::open_on(Arc::new(disk.clone()), &folder(), SECOND, &second())?;
    store.renew((CONFIG_TEXT, &attached()), SECOND, &second())
}

fn text(disk: &MemoryDisk, path: &str) -> Option<String> {
    disk.text(&folder().join(path)).map(|text| String::from_utf8(text).unwrap())
}

/// True if a folder within that of the experiment has a config with these files, whole.
fn has(disk: &MemoryDisk, within: &str, config: &str, files: &[Attached]) -> bool {
    text(disk, &format!("{within}{CONFIG}")).as_deref() == Some(config)
        && files.iter().all(|file| {
            text(disk, &format!("{within}{}", file.path))
                .is_some_and(|text| text.into_bytes() == file.bytes)
        })
}

#[test]
fn the_version_before_is_kept_with_its_files_and_each_has_a_number() {
    let disk = begun();
    renew(&disk).unwrap();
    assert!(has(&disk, "", SECOND, &second()));
    assert!(has(&disk, &format!("{VERSIONS}/1/"), CONFIG_TEXT, &attached()));
    let (store, _) = Store::open_on(Arc::new(disk.clone()), &folder(), THIRD, &[]).unwrap();
    store.renew((SECOND, &second()), THIRD, &[]).unwrap();
    // The first config, used again, becomes a fourth version.
    store.renew((THIRD, &[]), CONFIG_TEXT, &attached()).unwrap();
    for (number, config, files) in
        [(1, CONFIG_TEXT, attached()), (2, SECOND, second()), (3, THIRD, vec![])]
    {
        assert!(has(&disk, &format!("{VERSIONS}/{number}/"), config, &files), "{number}");
    }
    assert!(has(&disk, "", CONFIG_TEXT, &attached()));
    assert_eq!(text(&disk, &format!("{VERSIONS}/4/{CONFIG}")), None);
}

#[test]
fn files_of_a_version_whose_writing_was_interrupted_are_kept_in_no_version() {
    let disk = begun();
    renew(&disk).unwrap();
    let (operations, third) =
        (disk.operations(), vec![Attached { path: "hard.txt".into(), bytes: "Q".into() }]);
    let mut mixed = 0;
    for at in 0..operations {
        let disk = begun();
        disk.plan(InjectedFault { at, kind: FaultKind::After, dead: true });
        let _ = renew(&disk);
        disk.restart();
        if text(&disk, CONFIG).as_deref() != Some(CONFIG_TEXT) {
            continue;
        }
        // Another config than the interrupted one comes next, with the files as they are then.
        let now =
            |file: Attached| Attached { bytes: text(&disk, &file.path).unwrap().into(), ..file };
        let there: Vec<_> = attached().into_iter().map(now).collect();
        mixed += usize::from(there != attached());
        let (store, _) = Store::open_on(Arc::new(disk.clone()), &folder(), THIRD, &third).unwrap();
        store.renew((CONFIG_TEXT, &there), THIRD, &third).unwrap();
        assert!(has(&disk, "", THIRD, &third), "{at}");
        assert!(has(&disk, &format!("{VERSIONS}/1/"), CONFIG_TEXT, &attached()), "{at}");
        assert_eq!(text(&disk, &format!("{VERSIONS}/2/{CONFIG}")), None, "{at}");
    }
    assert!(mixed > 0);
}

#[test]
fn a_version_that_was_changed_after_it_was_written_is_kept() {
    let third = "name: t # the third, with other ends of lines\r\n";
    let disk = begun();
    renew(&disk).unwrap();
    // The folder of the version before is lost, or the present config is another text than was written.
    for is_lost in [true, false] {
        let (store, _) =
            Store::open_on(Arc::new(disk.clone()), &folder(), SECOND, &second()).unwrap();
        let (before, number) = if is_lost { (SECOND, 2) } else { (third, 3) };
        let next = if is_lost { THIRD } else { CONFIG_TEXT };
        store.renew((before, &second()), next, &second()).unwrap();
        assert!(has(&disk, &format!("{VERSIONS}/{number}/"), before, &second()), "{number}");
        assert!(has(&disk, "", next, &second()), "{number}");
    }
}

#[test]
fn whatever_operation_fails_no_version_is_lost_and_the_next_try_succeeds() {
    let disk = begun();
    renew(&disk).unwrap();
    let operations = disk.operations();
    assert!(operations > 40, "{operations}");
    let rows = text(&disk, ROWS);
    for at in 0..operations {
        for kind in [FaultKind::Refused, FaultKind::Short, FaultKind::After] {
            for (dead, cut) in
                [(false, None), (true, None), (true, Some(None)), (true, Some(Some(1)))]
            {
                let disk = begun();
                disk.plan(InjectedFault { at, kind, dead });
                let done = renew(&disk).is_ok();
                match cut {
                    None => disk.restart(),
                    Some(seed) => disk.cut(seed),
                }
                let case = format!("operation {at}, {kind:?}, dead {dead}, cut {cut:?}");
                let kept = has(&disk, &format!("{VERSIONS}/1/"), CONFIG_TEXT, &attached());
                let is_second = text(&disk, CONFIG).as_deref() == Some(SECOND);
                assert!(is_second || text(&disk, CONFIG).as_deref() == Some(CONFIG_TEXT), "{case}");
                assert!(!done || is_second, "{case}");
                if is_second {
                    assert!(kept && has(&disk, "", SECOND, &second()), "{case}");
                } else {
                    assert!(kept || has(&disk, "", CONFIG_TEXT, &attached()), "{case}");
                    renew(&disk).unwrap();
                }
                assert!(has(&disk, "", SECOND, &second()), "{case}");
                assert!(has(&disk, &format!("{VERSIONS}/1/"), CONFIG_TEXT, &attached()), "{case}");
                assert_eq!(text(&disk, &format!("{VERSIONS}/2/{CONFIG}")), None, "{case}");
                assert_eq!(text(&disk, ROWS), rows, "{case}");
                // The next version keeps this one.
                let (store, _) =
                    Store::open_on(Arc::new(disk.clone()), &folder(), SECOND, &second()).unwrap();
                store.renew((SECOND, &second()), THIRD, &[]).unwrap();
                assert!(has(&disk, &format!("{VERSIONS}/2/"), SECOND, &second()), "{case}");
            }
        }
    }
}
