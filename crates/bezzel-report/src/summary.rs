//! The data of a report for the index of all reports: `summary.json` and `thumbnail.png` in its folder. So the index
//! needs no evidence.

use std::path::Path;

use bezzel_experiment::{BackendKind, Row, Verdict, input};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::files;
use crate::number::date;
use crate::render;
use crate::report::Report;

/// The name of the file.
const FILE: &str = "summary.json";
/// The name of the small picture.
const THUMBNAIL: &str = "thumbnail.png";
/// The largest width and height of the picture, in pixels. The index scales the picture to the width of its card.
const SIZE: (u32, u32) = (640, 960);
/// The version of the format of this file.
const VERSION: u32 = 1;
/// The size limit of a summary, in bytes. A larger file is not read.
const MAX_TEXT: u64 = 1 << 18;
/// The size limit of a picture, in bytes.
const MAX_PICTURE: u64 = 1 << 20;

/// The part of the index in which a report is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReportGroup {
    /// It compares its record with results of a source document.
    Documents,
    /// It compares encodings on boards.
    #[default]
    Encodings,
    /// It has other kinds of problems.
    Problems,
    /// Its runs find all solutions, or their number.
    Counting,
}

impl ReportGroup {
    /// The groups, in the order of the index.
    pub(crate) const ALL: [Self; 4] =
        [Self::Documents, Self::Encodings, Self::Problems, Self::Counting];

    /// The group of a report.
    fn of(report: &Report<'_>) -> Self {
        let rows = &report.record.rows;
        let counts = |row: &Row| row.job.task.backend() == Some(BackendKind::Engine);
        if !report.sources.is_empty() {
            Self::Documents
        } else if !rows.is_empty() && rows.iter().all(counts) {
            Self::Counting
        } else if rows.iter().any(|row| row.job.instance.board().is_none()) {
            Self::Problems
        } else {
            Self::Encodings
        }
    }

    /// The id and the heading.
    pub(crate) fn heading(self) -> (&'static str, &'static str) {
        match self {
            Self::Documents => ("documents", "Results of source documents, measured again"),
            Self::Encodings => ("encodings", "Encodings"),
            Self::Problems => ("problems", "Kinds of problems"),
            Self::Counting => ("counting", "All solutions and their number"),
        }
    }
}

/// A report in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The version of this file.
    version: u32,
    /// The experiment.
    pub(crate) name: String,
    pub(crate) question: Option<String>,
    /// The part of the index in which it is listed.
    #[serde(default)]
    pub(crate) group: ReportGroup,
    /// The author's answer, without its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<String>,
    /// The days on which the first and the last session began, as in `2026-03-01`.
    pub(crate) measured: Option<(String, String)>,
    /// The numbers of runs that were planned, have a row, were verified, and were answered wrongly.
    pub(crate) planned: usize,
    pub(crate) runs: usize,
    pub(crate) verified: usize,
    pub(crate) wrong: usize,
    /// The figure of the small picture, if there is one.
    pub(crate) figure: Option<String>,
}

impl Summary {
    /// The summary of a report.
    fn of(report: &Report<'_>) -> Self {
        let record = report.record;
        let days = record.environments.iter().map(|session| session.started_unix_s);
        let day = |unix_s: u64| date(unix_s).split(' ').next().unwrap_or_default().to_owned();
        let verdicts = |verdict| record.rows.iter().filter(|row| row.verdict == verdict).count();
        Self {
            version: VERSION,
            name: record.name.clone(),
            question: record.question.clone(),
            group: ReportGroup::of(report),
            answer: report.answer.as_ref().map(|answer| answer.text.clone()),
            measured: days
                .clone()
                .min()
                .zip(days.max())
                .map(|(first, last)| (day(first), day(last))),
            planned: record.planned,
            runs: record.rows.len(),
            verified: verdicts(Verdict::Verified),
            wrong: verdicts(Verdict::Wrong),
            figure: report.figures.first().map(|figure| figure.chart.title.clone()),
        }
    }

    /// Reads the summary in a report's folder. None if there is none, or if its format is unknown.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let text = input::read(&folder.join(FILE), MAX_TEXT).ok()?;
        let summary: Self = serde_json::from_slice(&text).ok()?;
        (summary.version == VERSION).then_some(summary)
    }

    /// The small picture in a report's folder, if there is one.
    pub(crate) fn thumbnail(&self, folder: &Path) -> Option<Vec<u8>> {
        self.figure.as_ref()?;
        let picture = input::read(&folder.join(THUMBNAIL), MAX_PICTURE).ok()?;
        picture.starts_with(b"\x89PNG\r\n\x1a\n").then_some(picture)
    }
}

/// Writes both files of a report into its folder.
pub(crate) fn write(report: &Report<'_>, folder: &Path) -> Result<(), ReportError> {
    match report.figures.first() {
        Some(figure) => {
            let picture = render::thumbnail(&figure.picture, figure.kind.id, SIZE)?;
            files::write(folder, THUMBNAIL, &picture)?;
        }
        None => files::remove(folder, THUMBNAIL)?,
    }
    let text = serde_json::to_string_pretty(&Summary::of(report)).expect("a summary is plain data");
    files::write(folder, FILE, (text + "\n").as_bytes())?;
    Ok(())
}
