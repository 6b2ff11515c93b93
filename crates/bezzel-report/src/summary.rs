//! The data of a report for the index of all reports: `summary.json` in its folder. So the index needs no evidence.

use std::path::Path;

use bezzel_experiment::{BackendKind, Row, Verdict, input};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::family::has_form;
use crate::files;
use crate::number::date;
use crate::report::Report;

/// The name of the file.
const FILE: &str = "summary.json";
/// The version of the format of this file.
const VERSION: u32 = 1;
/// The size limit of a summary, in bytes. A larger file is not read.
const MAX_TEXT: u64 = 1 << 18;

/// The part of the index in which a report is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReportGroup {
    /// It compares its record with results of a source document.
    Documents,
    /// It compares encodings on instances.
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
        } else if rows.iter().any(|row| !has_form(&row.job.instance)) {
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
    /// The author's answer, or else the computed one, without its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<String>,
    /// The days on which the first and the last session began, as in `2026-03-01`.
    pub(crate) measured: Option<(String, String)>,
    /// The numbers of runs that were planned, have a row, were verified, and were answered wrongly.
    pub(crate) planned: usize,
    pub(crate) runs: usize,
    pub(crate) verified: usize,
    pub(crate) wrong: usize,
    /// The title of the lead figure, if there is one.
    pub(crate) figure: Option<String>,
    /// The file of the lead figure, an SVG in the report's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
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
            answer: match &report.answer {
                Some(answer) => Some(answer.text()),
                None => Some(report.computed.sentences.join(" ")).filter(|text| !text.is_empty()),
            },
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
            picture: report.figures.first().map(|figure| format!("{}.svg", figure.kind.id)),
        }
    }

    /// Reads the summary in a report's folder. None if there is none, or if its format is unknown.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let text = input::read(&folder.join(FILE), MAX_TEXT).ok()?;
        let summary: Self = serde_json::from_slice(&text).ok()?;
        (summary.version == VERSION).then_some(summary)
    }

    /// The title and the file of the lead figure, if the folder has the file.
    pub(crate) fn lead_figure(&self, folder: &Path) -> Option<(&str, &str)> {
        let (title, picture) = self.figure.as_deref().zip(self.picture.as_deref())?;
        // The id of a figure consists of words with hyphens.
        let is_id =
            |id: &str| id.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
        let is_own = picture.strip_suffix(".svg").is_some_and(is_id);
        (is_own && folder.join(picture).is_file()).then_some((title, picture))
    }
}

/// Writes the summary of a report into its folder.
pub(crate) fn write(report: &Report<'_>, folder: &Path) -> Result<(), ReportError> {
    let text = serde_json::to_string_pretty(&Summary::of(report)).expect("a summary is plain data");
    files::write(folder, FILE, (text + "\n").as_bytes())?;
    Ok(())
}
