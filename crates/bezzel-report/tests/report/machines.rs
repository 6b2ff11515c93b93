//! Machines: what a report says of unlike ones, and what it leaves out where it is asked to.

use std::fs;
use std::path::Path;

use bezzel_encode::Registry;
use bezzel_lab::{ClusterTask, ExperimentRecord};
use bezzel_report::{Request, render_watched};

use crate::sample;

/// The page and the Markdown of the record.
fn render(record: &ExperimentRecord, folder: &Path, same_machines: bool) -> (String, String) {
    let request = Request { command: "bezzel report machines", same_machines };
    let registry = Registry::standard();
    let paths = render_watched(record, &registry, folder, request, &mut |_| {}).unwrap();
    let read = |path| fs::read_to_string(path).expect("the file was just written");
    (read(paths.index), read(paths.markdown))
}

#[test]
fn of_one_machine_nothing_is_left_out_and_every_file_stays_the_same() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (folder, same_machines) in folders.iter().zip([false, true]) {
        render(&sample::small(), folder.path(), same_machines);
    }
    let mut files = 0;
    for file in fs::read_dir(folders[0].path()).unwrap() {
        let name = file.unwrap().file_name();
        let [plain, same] = folders.each_ref().map(|folder| fs::read(folder.path().join(&name)));
        assert!(plain.unwrap() == same.unwrap(), "{name:?} has changed");
        files += 1;
    }
    assert_eq!(files, fs::read_dir(folders[1].path()).unwrap().count());
}

#[test]
fn unlike_machines_are_told_and_left_out_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    let mut other = record.environments[0].clone();
    other.cpu_model = Some("Other CPU".into());
    record.environments.push(other);
    for (place, row) in record.rows.iter_mut().enumerate() {
        row.session = place % 2;
    }
    let (page, markdown) = render(&record, folder.path(), false);
    let runs = "9 runs on Example CPU with 7 GiB; 9 runs on Other CPU with 7 GiB";
    for text in [&page, &markdown] {
        assert!(text.contains("Times of unlike machines are compared ("), "{text}");
        assert!(text.contains(runs));
        assert!(text.contains("Unlike machines: in 3 of 3 pairs of encodings on a board"));
        assert!(text.contains("Machines: Example CPU with 7 GiB: 1 session, 9 runs; Other CPU"));
        assert!(!text.contains("All times are of"));
        assert!(!text.contains("Left out of rankings by time"));
    }
    let (page, markdown) = render(&record, folder.path(), true);
    for text in [&page, &markdown] {
        // As generated one run on each of three boards; of shuffles two, two, and one whose rival is
        // unchecked.
        assert!(text.contains("Left out of rankings by time: 8 runs, on another kind"), "{text}");
        assert!(
            text.contains("that of most encodings; 4 runs on others are left out here."),
            "{text}"
        );
        assert!(text.contains("Times come from unlike machines"));
        assert!(!text.contains("Times of unlike machines are compared"));
    }
}

#[test]
fn thousands_of_sessions_are_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    let first = record.environments[0].clone();
    record.environments = (0..3000)
        .map(|task| {
            let mut session = first.clone();
            session.host = Some(format!("node{}", task % 250));
            let scheduler = "slurm".to_owned();
            session.cluster = Some(ClusterTask {
                scheduler,
                job: 4711,
                task: Some(task),
                ..ClusterTask::default()
            });
            session
        })
        .collect();
    for (place, row) in record.rows.iter_mut().enumerate() {
        row.session = 101 * place;
    }
    let (page, markdown) = render(&record, folder.path(), false);
    let line = "18 machines of kind Example CPU with 7 GiB: 18 sessions, 18 runs, Slurm job 4711";
    for text in [&page, &markdown] {
        assert!(text.contains(line), "{text}");
        assert!(text.contains("2,988 more sessions are not shown"));
        assert!(text.contains("All times are of 18 machines of one kind (Example CPU with 7 GiB)"));
    }
    assert_eq!(markdown.matches("## Session ").count(), 12);
}
