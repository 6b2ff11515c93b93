//! Reports: from an experiment's record to figures, tables and pages.
//!
//! The flow of data has one direction: a record is put in order as [`Dataset`](dataset::Dataset); [`bezzel_statistics`]
//! and [`figure`]s are pure functions of it and make [`Chart`](chart::Chart)s, and so do [`table`]s; [`mod@render`]
//! draws charts. [`render_watched`] does all of it and writes a folder.
//!
//! A report never measures. It ranks nothing without evidence, shows no limit as a time and no missing run as zero,
//! counts no wrong answer, and hides no unchecked one.

use std::path::{Path, PathBuf};

use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;

pub use crate::answer::{AuthorAnswer, check_names};
pub use crate::computed_answer::ComputedAnswer;
pub use crate::figure::FigureKind;
use crate::report::Report;
pub use crate::trust_line::TrustLine;

pub mod analysis;
mod answer;
mod caveats;
pub mod chart;
mod claims;
mod command;
pub mod comparison;
mod computed_answer;
mod computed_effects;
mod computed_sentences;
mod computed_tasks;
pub mod counter_runs;
mod csv;
pub mod dataset;
pub mod effects;
mod encodings_page;
pub mod error;
mod escape;
mod family;
pub mod figure;
mod files;
mod index;
mod instance_words;
mod label;
mod latex;
mod look;
mod machine_groups;
pub mod machines;
mod markdown;
mod number;
mod page;
mod parts;
pub mod record_comparison;
pub mod render;
mod report;
mod row_columns;
pub mod row_statistics;
pub mod rows;
mod run_conditions;
mod run_ends;
mod summary;
pub mod table;
#[cfg(test)]
mod tests;
pub mod toolkit;
pub mod treatment;
mod trust_line;

pub use caveats::ranking_warnings;
pub use encodings_page::FILE as ENCODINGS;
pub use error::ReportError;
pub use files::make_folder;
pub use index::index;
pub use parts::{ChosenColumns, ReportParts, check};
pub use record_comparison::RecordComparison;
pub use run_ends::at_limits;
pub use table::ids::id_placeholders;
pub use table::{Table, TableIds};

/// The files of a report, its answer and its main table.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// The page for a browser.
    pub index: PathBuf,
    /// The report in Markdown.
    pub markdown: PathBuf,
    /// The tables in Markdown.
    pub table_markdown: PathBuf,
    /// The full table in CSV.
    pub table_csv: PathBuf,
    /// The tables in LaTeX, a file each.
    pub tables_tex: Vec<PathBuf>,
    /// The numbers that the text of a paper quotes, in LaTeX.
    pub numbers_tex: PathBuf,
    /// The figures for which the record has data.
    pub figures: Vec<FigurePaths>,
    /// The author's answer.
    pub answer: Option<AuthorAnswer>,
    /// The answer that is computed from the rows.
    pub computed: ComputedAnswer,
    /// The evidence of both answers.
    pub trust: TrustLine,
    /// The main table.
    pub main: Option<Table>,
}

/// The files of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePaths {
    /// The figure's id.
    pub id: &'static str,
    /// The SVG. Its text consists of outlines.
    pub svg: PathBuf,
    /// The data of the figure.
    pub csv: PathBuf,
    /// The figure before it is laid out.
    pub chart: chart::Chart,
}

/// The widths of figures for papers, in centimetres.
pub mod width {
    /// A column of two.
    pub const COLUMN_CM: f64 = 8.5;
    /// The text of a page with narrow text, as in LNCS.
    pub const TEXT_CM: f64 = 12.2;
    /// The least and the largest width for which figures are laid out.
    pub const RANGE_CM: [f64; 2] = [7.0, 40.0];
}

/// Lays figures out anew for this width in centimetres, and writes their SVG. The size of type stays the same: narrow
/// figures have fewer panels and fewer entries of the legend side by side. [`write_pdf`] then has the same layout.
///
/// # Errors
///
/// When a figure cannot be drawn or a file cannot be written.
pub fn lay_out(folder: &Path, figures: &[FigurePaths], width_cm: f64) -> Result<(), ReportError> {
    for figure in figures {
        let picture = render::draw_at(&figure.chart, width_cm * render::PIXELS_PER_CM)?;
        files::write(folder, &format!("{}.svg", figure.id), picture.svg.as_bytes())?;
    }
    Ok(())
}

/// The files of a report that a repository keeps. `*` represents any beginning of a name.
pub const KEPT: [&str; 4] = ["report.md", "table.csv", "summary.json", "*.svg"];

/// The other files of a report, as in [`KEPT`], which comes first. They are made from the evidence on demand.
pub const ON_DEMAND: [&str; 6] = ["index.html", "table.md", "*.csv", "*.pdf", "*.png", "*.tex"];

/// True if this build has the feature `pdf`, which [`write_pdf`] needs.
pub const HAS_PDF: bool = cfg!(feature = "pdf");

/// The endings of the files that [`write_pdf`] makes of each figure.
const OF_PAPERS: [&str; 2] = ["pdf", "png"];

/// Writes the PDF and the PNG of each figure beside its SVG, and returns their paths. They are as wide as the text of a
/// page, and the PNG has two pixels for each of the SVG's.
///
/// # Errors
///
/// When a file cannot be read or written, a figure cannot be converted, or the build is without [`HAS_PDF`].
pub fn write_pdf(folder: &Path, figures: &[FigurePaths]) -> Result<Vec<PathBuf>, ReportError> {
    let mut paths = Vec::new();
    for FigurePaths { id, svg, .. } in figures {
        let text = std::fs::read_to_string(svg)
            .map_err(|source| ReportError::Read { path: svg.clone(), source })?;
        let (pdf, png) = render::pdf_and_png(&text)
            .map_err(|reason| ReportError::Draw { figure: (*id).to_owned(), reason })?;
        for (ending, bytes) in OF_PAPERS.into_iter().zip([pdf, png]) {
            paths.push(files::write(folder, &format!("{id}.{ending}"), &bytes)?);
        }
    }
    Ok(paths)
}

/// True for the name of a file of a report that a repository keeps.
pub fn is_kept(name: &str) -> bool {
    is_among(name, &KEPT)
}

/// True if the name is in a list like [`KEPT`].
pub fn is_among(name: &str, list: &[&str]) -> bool {
    list.iter().any(|pattern| match pattern.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => name == *pattern,
    })
}

/// The full table in CSV. The cells of an imported table belong to others: its report has the short tables instead, a line
/// for each item.
fn table_csv(report: &Report<'_>) -> String {
    if !report.record.is_imported() {
        return report.cells.csv();
    }
    let heads = ["table", "row", "column", "value"].map(str::to_owned).to_vec();
    let items = report.short_tables().flat_map(|table| {
        table.rows.iter().enumerate().flat_map(move |(row, items)| {
            table.columns.iter().zip(items).map(move |(column, item)| {
                let row = (row + 1).to_string();
                vec![table.id.clone(), row, column.name.clone(), item.whole()]
            })
        })
    });
    csv::lines(std::iter::once(heads).chain(items))
}

/// The progress of a rendering, before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderProgress {
    /// The number of finished steps.
    pub done: usize,
    /// The number of all steps.
    pub of: usize,
    /// The next step, as in `cactus`, the id of a figure.
    pub next: &'static str,
}

/// Renders a record into a folder, which is made if it does not exist: with the closed forms of the encodings in `registry`,
/// with the figures and tables in `parts`, and with a call of `observe` before every step. `command` is the command that the
/// report names.
///
/// Every file is written as a whole. Files of an earlier report are replaced, and figures without data in this record
/// are removed. The same record gives the same bytes.
///
/// # Errors
///
/// When a file cannot be written, or a figure cannot be drawn.
pub fn render_watched(
    record: &ExperimentRecord,
    registry: &Registry,
    parts: &ReportParts,
    folder: &Path,
    command: &str,
    observe: &mut dyn FnMut(RenderProgress),
) -> Result<Paths, ReportError> {
    let report = Report::new(record, registry, parts, command, observe)?;
    let tables_tex = latex::tables(&report, &parts.columns).map_err(ReportError::Columns)?;
    files::folder(folder)?;
    let mut figures = Vec::new();
    let drawn = |id: &str| report.figures.iter().any(|figure| figure.kind.id == id);
    for id in parts.figures.iter().map(|kind| kind.id).chain(figure::REMOVED_IDS) {
        let formats = report::FORMATS.map(|(_, ending)| ending);
        let unused: &[&str] = if drawn(id) { &[] } else { &formats };
        for ending in OF_PAPERS.iter().chain(unused) {
            files::remove(folder, &format!("{id}.{ending}"))?;
        }
    }
    for figure in &report.figures {
        let name = |ending: &str| format!("{}.{ending}", figure.kind.id);
        figures.push(FigurePaths {
            id: figure.kind.id,
            svg: files::write(folder, &name("svg"), figure.picture.svg.as_bytes())?,
            csv: files::write(folder, &name("csv"), figure.csv().as_bytes())?,
            chart: figure.chart.clone(),
        });
    }
    summary::write(&report, folder)?;
    let tables_csv = report.short_tables();
    let tables_csv = tables_csv.map(|table| (format!("table-{}.csv", table.id), table.csv()));
    files::write_all(folder, ("table-", ".csv"), tables_csv)?;
    Ok(Paths {
        figures,
        tables_tex: files::write_all(folder, ("table-", ".tex"), tables_tex.into_iter())?,
        numbers_tex: files::write(folder, "numbers.tex", latex::numbers(&report).as_bytes())?,
        table_csv: files::write(folder, "table.csv", table_csv(&report).as_bytes())?,
        table_markdown: files::write(folder, "table.md", markdown::tables(&report).as_bytes())?,
        markdown: files::write(folder, "report.md", markdown::page(&report).as_bytes())?,
        // The index is written last, so that no page appears before its figures.
        index: files::write(folder, "index.html", page::page(&report).as_bytes())?,
        answer: report.answer,
        computed: report.computed,
        trust: report.trust,
        main: report.main,
    })
}
