//! Machines: a report on unlike ones, and one on thousands of similar ones.

use std::fs;
use std::path::Path;

use bezzel_experiment::ExperimentRecord;
use bezzel_queens::report::render;

use crate::report::sample;

/// The page and the Markdown of the record.
fn rendered(record: &ExperimentRecord, folder: &Path) -> (String, String) {
    let paths = render(record, folder, "bezzel report machines").unwrap();
    let read = |path| fs::read_to_string(path).expect("the file was just written");
    (read(paths.index), read(paths.markdown))
}

#[test]
fn of_unlike_machines_a_report_has_no_ranking_by_time_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    for row in &mut record.rows {
        row.solver_stats.conflicts = Some(100 * u64::from(row.job.instance.size()));
    }
    let ids = ["ranking-time", "pairs-time", "effects-time", "ranking-conflicts"];
    let (_, markdown) = rendered(&record, folder.path());
    let has = |id: &str| {
        let files = fs::read_dir(folder.path()).unwrap();
        let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.any(|name| name.starts_with(&format!("table-{id}")))
    };
    assert_eq!(ids.map(has), [true; 4]);
    assert!(markdown.contains("All times are of one machine"), "{markdown}");

    let mut other = record.environments[0].clone();
    other.cpu_model = Some("Other CPU".into());
    record.environments.push(other);
    for (place, row) in record.rows.iter_mut().enumerate() {
        row.session = place % 2;
    }
    let (page, markdown) = rendered(&record, folder.path());
    assert_eq!(ids.map(has), [false, false, false, true]);
    let expected = "Times of 2 kinds of machine (9 runs on Example CPU with 7 GiB; 9 runs on Other CPU with 7 \
                GiB) are not comparable, so there is no ranking, pair or effect by time.";
    for text in [&page, &markdown] {
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("Machines: Example CPU with 7 GiB: 1 session, 9 runs; Other CPU"));
        assert!(!text.contains("All times are of") && !text.contains("Ranking by CPU time"));
    }
}
