//! Merging is a union: in any order, repeatedly, and while attempts run.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use bezzel_solve::Answer;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::disagreeing;
use super::{CONFIG_TEXT, row};
use crate::model::environment::Environment;
use crate::model::row::{Row, Termination};
use crate::results::store::{
    AttemptFiles, Damage, MergedRows, Rows, Store, StoreError, attempts, checksum, read_folder,
    readings,
};

/// An existing experiment, and a folder of attempts at its shards.
struct MergeTest {
    folder: tempfile::TempDir,
}

impl MergeTest {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path(), CONFIG_TEXT, &[]).unwrap());
        Self { folder }
    }

    fn experiment(&self) -> &Path {
        self.folder.path()
    }

    fn shards(&self) -> PathBuf {
        self.experiment().join("shards/of-4")
    }

    /// Returns an attempt with these rows and a reading.
    fn attempt(&self, shard: u32, rows: &[Row]) -> AttemptFiles {
        let (mut store, attempt) = Store::begin_attempt(&self.shards(), shard).unwrap();
        let host = Some(format!("node{shard}"));
        let attempt_id = Some(attempt.to_string());
        store
            .begin_session(Environment { attempt: attempt_id, host, ..Environment::default() })
            .unwrap();
        for row in rows {
            store.append(row).unwrap();
        }
        store.append_reading(&row(900)).unwrap();
        let all = attempts(&self.shards()).unwrap();
        all.into_iter().find(|files| files.attempt == attempt).unwrap()
    }

    fn merge(&self, attempts: &[AttemptFiles]) -> MergedRows {
        let (mut store, mut present) = Store::open_to_merge(self.experiment()).unwrap();
        store.merge(attempts, &mut present).unwrap()
    }

    fn rows(&self) -> Rows {
        read_folder(self.experiment()).unwrap().2
    }

    /// Returns for each key, in order, the attempt of the row that counts, and true if the row settles its job.
    fn summary(&self) -> Vec<(String, String, bool)> {
        let (_, sessions, rows) = read_folder(self.experiment()).unwrap();
        let mut summary: Vec<_> = rows
            .by_key
            .values()
            .map(|row| {
                let attempt = sessions[row.session].attempt.clone().unwrap_or_default();
                (row.key.0.clone(), attempt, row.is_settled())
            })
            .collect();
        summary.sort();
        summary
    }
}

fn killed(number: usize) -> Row {
    Row {
        termination: Termination::HostError,
        status: Answer::Unknown,
        places: None,
        ..row(number)
    }
}

#[test]
fn in_whatever_order_and_portions_attempts_are_merged_the_same_rows_count() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..20 {
        let merge_test = MergeTest::new();
        let files: Vec<AttemptFiles> = (0..5)
            .map(|shard| {
                let numbers = (0..8).filter(|_| random.random_bool(0.5)).collect::<Vec<_>>();
                let settled = |&number: &usize| {
                    if number % 3 == 0 { killed(number) } else { row(number) }
                };
                merge_test.attempt(shard, &numbers.iter().map(settled).collect::<Vec<_>>())
            })
            .collect();
        let all = merge_test.merge(&files);
        let expected = merge_test.summary();
        assert!(expected.windows(2).all(|two| two[0].0 != two[1].0));
        // Of the rows that settle a job, the one of the first attempt counts.
        for (key, attempt, settled) in expected.iter().filter(|summary| summary.2) {
            assert!(settled);
            let first = files.iter().find(|files| {
                let text = fs::read_to_string(files.rows()).unwrap();
                text.contains(key.as_str())
            });
            assert_eq!(first.unwrap().attempt.to_string(), *attempt);
        }
        let other = MergeTest::new();
        let mut order: Vec<&AttemptFiles> = files.iter().chain(&files).collect();
        order.shuffle(&mut random);
        let mut added = 0;
        while !order.is_empty() {
            let portion = random.random_range(1..=order.len());
            let some: Vec<AttemptFiles> = order.drain(..portion).cloned().collect();
            added += other.merge(&some).added;
        }
        assert_eq!(added, all.added);
        let settled = |summary: Vec<(String, String, bool)>| {
            summary.into_iter().filter(|summary| summary.2).collect::<Vec<_>>()
        };
        assert_eq!(settled(other.summary()), settled(expected));
        let again = other.merge(&files);
        assert_eq!((again.added, again.readings), (0, 0));
        assert_eq!(readings(other.experiment()).unwrap().len(), 5);
    }
}

#[test]
fn a_row_of_the_experiment_itself_counts_before_those_of_attempts() {
    let merge_test = MergeTest::new();
    let files = merge_test.attempt(1, &[row(1), row(2)]);
    let (mut store, _) = Store::open(merge_test.experiment(), CONFIG_TEXT, &[]).unwrap();
    let session = store.begin_session(Environment::default()).unwrap();
    merge_test.attempt(2, &[]);
    let own = Row { session, started_unix_s: 1e10, ..row(1) };
    store.append(&own).unwrap();
    drop(store);
    assert_eq!(merge_test.merge(std::slice::from_ref(&files)).added, 2);
    assert_eq!(merge_test.rows().by_key[&own.key], own);
}

#[test]
fn a_line_that_is_still_being_written_comes_with_the_next_merge() {
    let merge_test = MergeTest::new();
    let files = merge_test.attempt(1, &[row(1), row(2)]);
    let text = fs::read(files.rows()).unwrap();
    let (max, rest) = text.split_at(text.len() - 40);
    fs::write(files.rows(), max).unwrap();
    let merged = merge_test.merge(std::slice::from_ref(&files));
    assert_eq!((merged.added, merged.damaged.len()), (1, 0));
    assert_eq!(merged.torn, [files.attempt.to_string()]);
    fs::OpenOptions::new().append(true).open(files.rows()).unwrap().write_all(rest).unwrap();
    let merged = merge_test.merge(std::slice::from_ref(&files));
    assert_eq!((merged.added, merged.torn.len()), (1, 0));
    assert_eq!(merge_test.rows().by_key.len(), 2);
}

#[test]
fn a_damaged_row_is_named_and_the_rest_is_merged() {
    let merge_test = MergeTest::new();
    let files = merge_test.attempt(1, &[row(1), row(2), row(3)]);
    let text = fs::read_to_string(files.rows()).unwrap();
    fs::write(files.rows(), text.replacen("\"wall_s\":1.0", "\"wall_s\":0.1", 1)).unwrap();
    let merged = merge_test.merge(std::slice::from_ref(&files));
    assert_eq!(merged.added, 2);
    assert_eq!(merged.damaged, [(files.rows(), 1, Damage::WrongChecksum)]);
}

#[test]
fn zeros_at_the_end_of_an_attempt_are_a_damaged_line() {
    let merge_test = MergeTest::new();
    let (zeroed, half) =
        (merge_test.attempt(1, &[row(1)]), merge_test.attempt(2, &[row(2), row(3)]));
    fs::write(zeroed.rows(), [0; 5_000]).unwrap();
    let text = fs::read(half.rows()).unwrap();
    fs::write(half.rows(), [&text[..text.len() - 40], &[0; 40]].concat()).unwrap();
    let expected = [(zeroed.rows(), 1, Damage::NoRow), (half.rows(), 2, Damage::NoRow)];
    for added in [1, 0] {
        let merged = merge_test.merge(&[zeroed.clone(), half.clone()]);
        assert_eq!((merged.added, &merged.torn), (added, &Vec::new()));
        assert_eq!(merged.damaged, expected);
    }
}

#[test]
fn attempts_whose_rows_are_gone_are_named() {
    let merge_test = MergeTest::new();
    let [gone, empty, merged] =
        [1, 2, 3].map(|shard| merge_test.attempt(shard, &[row(shard as usize)]));
    merge_test.merge(std::slice::from_ref(&merged));
    fs::remove_file(gone.rows()).unwrap();
    fs::write(empty.rows(), "").unwrap();
    fs::remove_file(merged.rows()).unwrap();
    // An attempt without rows that still runs has lost none.
    let at_work = Store::begin_attempt(&merge_test.shards(), 4).unwrap();
    let files = attempts(&merge_test.shards()).unwrap();
    assert_eq!(files.len(), 4);
    let found = merge_test.merge(&files);
    let expected = [gone.attempt.to_string(), empty.attempt.to_string()];
    assert_eq!((found.without_rows, found.left_out), (expected.to_vec(), Vec::new()));
    drop(at_work);
}

#[test]
fn a_row_of_a_session_that_its_attempt_lacks_is_left_out() {
    let merge_test = MergeTest::new();
    let files = merge_test.attempt(1, &[row(1), Row { session: 7, ..row(2) }]);
    let merged = merge_test.merge(std::slice::from_ref(&files));
    assert_eq!(merged.added, 1);
    assert_eq!(merged.damaged, [(files.rows(), 2, Damage::Session)]);
}

#[test]
fn an_attempt_that_cannot_be_read_is_named_and_stops_no_other() {
    let merge_test = MergeTest::new();
    let damage: [&dyn Fn(&AttemptFiles); 5] = [
        &|files| fs::remove_file(files.environment()).unwrap(),
        &|files| fs::write(files.environment(), "[]").unwrap(),
        &|files| fs::write(files.environment(), "{{").unwrap(),
        &|files| {
            fs::remove_file(files.rows()).unwrap();
            fs::create_dir(files.rows()).unwrap();
        },
        &|files| {
            let text = fs::read(files.rows()).unwrap();
            let newer = checksum::line_of(&Row { format: 9, ..row(500) });
            let newer = [&newer[..], &text].concat();
            fs::write(files.rows(), newer).unwrap();
        },
    ];
    let mut files = Vec::new();
    for (number, spoil) in damage.iter().enumerate() {
        files.push(merge_test.attempt(1, &[row(10 * number + 1), row(10 * number + 2)]));
        files.push(merge_test.attempt(2, &[row(100 + number)]));
        spoil(&files[2 * number]);
    }
    let merged = merge_test.merge(&files);
    // All rows of intact attempts, and the readable rows of the attempt that has a row of a newer format.
    assert_eq!(merged.added, damage.len() + 2, "{merged:?}");
    let summary: Vec<(String, Option<u64>)> =
        merged.left_out.iter().map(|left| (left.attempt.clone(), left.rows)).collect();
    let expected = [Some(2), Some(2), Some(2), None, Some(1)];
    let expected = expected.iter().enumerate();
    let expected: Vec<_> =
        expected.map(|(number, rows)| (files[2 * number].attempt.to_string(), *rows)).collect();
    assert_eq!(summary, expected);
    let why: Vec<&str> = merged.left_out.iter().map(|left| left.why.as_str()).collect();
    for (why, says) in why.iter().zip(["no session", "no session", "cannot understand", "", "9"]) {
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn attempts_are_merged_under_numbers_that_no_row_has() {
    let merge_test = MergeTest::new();
    let (mut store, _) = Store::open(merge_test.experiment(), CONFIG_TEXT, &[]).unwrap();
    for number in 0..3 {
        let session = store.begin_session(Environment::default()).unwrap();
        store.append(&Row { session, ..row(number) }).unwrap();
    }
    drop(store);
    fs::write(merge_test.experiment().join("environment.json"), "[]").unwrap();
    let merged = merge_test.merge(&[merge_test.attempt(1, &[row(7)])]);
    assert_eq!((merged.added, merged.unlisted.rows()), (1, 3));
    let (_, sessions, rows) = read_folder(merge_test.experiment()).unwrap();
    assert_eq!(rows.by_key[&row(7).key].session, 3);
    let lost: Vec<bool> = sessions.iter().map(|session| session.lost).collect();
    assert_eq!(lost, [true, true, true, false]);
}

#[test]
fn an_attempt_that_ended_before_it_had_a_session_has_nothing() {
    let merge_test = MergeTest::new();
    drop(Store::begin_attempt(&merge_test.shards(), 1).unwrap());
    let files = attempts(&merge_test.shards()).unwrap();
    assert_eq!(files.len(), 1);
    assert!(files[0].holder().is_none(), "it has ended");
    let merged = merge_test.merge(&files);
    assert_eq!((merged.attempts, merged.added), (1, 0));
}

#[test]
fn attempts_that_contradict_each_other_are_reported_whichever_came_first() {
    for turned in [false, true] {
        let merge_test = MergeTest::new();
        let denial = Row { status: Answer::Unsat, places: None, ..row(1) };
        let mut files =
            vec![merge_test.attempt(1, &[row(1), row(2)]), merge_test.attempt(1, &[denial])];
        if turned {
            files.reverse();
        }
        let (mut store, mut present) = Store::open_to_merge(merge_test.experiment()).unwrap();
        store.merge(&files, &mut present).unwrap();
        drop(store);
        assert_eq!(present.repeated.len(), 1);
        let found = disagreeing(merge_test.experiment(), &present.repeated).unwrap();
        let summary: Vec<_> =
            found.iter().map(|one| (one.kept.answer(), one.other.answer())).collect();
        assert_eq!(summary, [(Answer::Sat, Answer::Unsat)], "the first attempt is kept");
        assert_eq!(merge_test.rows().disagreeing, found);
    }
}

#[test]
fn attempts_that_contradict_each_other_are_reported_behind_one_that_came_to_no_answer() {
    let denial = Row { status: Answer::Unsat, places: None, ..row(1) };
    let late =
        Row { status: Answer::Unknown, termination: Termination::CpuLimit, places: None, ..row(1) };
    let merge_test = MergeTest::new();
    let files = [late, row(1), denial].map(|row| merge_test.attempt(1, &[row]));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let other = MergeTest::new();
        for merge_test in order {
            other.merge(std::slice::from_ref(&files[merge_test]));
        }
        let rows = other.rows();
        assert_eq!(rows.disagreeing.len(), 1, "{order:?}");
        assert_eq!(
            rows.by_key[&row(1).key].termination,
            Termination::CpuLimit,
            "the first attempt counts"
        );
    }
}

#[test]
fn nothing_is_merged_into_what_is_no_experiment_or_at_work() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open_to_merge(folder.path()), Err(StoreError::Missing(_))));
    let merge_test = MergeTest::new();
    let runner = Store::open(merge_test.experiment(), CONFIG_TEXT, &[]).unwrap();
    assert!(matches!(Store::open_to_merge(merge_test.experiment()), Err(StoreError::Busy { .. })));
    drop(runner);
    assert!(Store::open_to_merge(merge_test.experiment()).is_ok());
}
