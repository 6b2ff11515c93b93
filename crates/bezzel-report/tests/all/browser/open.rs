//! A report in a folder of its own, opened in Chromium.

use std::path::Path;

use bezzel_chromium::{Page, Screen};
use bezzel_experiment::ExperimentRecord;
use bezzel_report::Paths;
use tempfile::TempDir;

use crate::report::sample;

/// The small record's report, and the index beside it.
pub(crate) fn report() -> (TempDir, Paths) {
    report_of(&sample::small())
}

/// A record's report, and the index beside it.
pub(crate) fn report_of(record: &ExperimentRecord) -> (TempDir, Paths) {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports");
    let command = format!("bezzel report {}", record.name);
    let paths = bezzel_report::render(record, &reports.join(&record.name), &command).unwrap();
    bezzel_report::index(&reports).unwrap();
    (folder, paths)
}

/// Opens a file on a screen of this kind. None without Chromium.
pub(crate) fn opened(file: &Path, screen: Screen) -> Option<Page> {
    Page::open(&format!("file://{}", file.display()), screen)
}
