//! `bezzel rows`: the rows of an experiment, for other programs.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_lab::{ExperimentRecord, Workbench};
use bezzel_report::ReportError;
use bezzel_report::rows::{self, LeftOut, Written};

use super::report;
use crate::arguments::{RowsArguments, RowsFormat};
use crate::failure::{Failure, Harmless};
use crate::output::write_file;

pub(crate) fn run(
    arguments: &RowsArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let output = output(arguments)?;
    let folder = report::find(arguments.root(), &arguments.experiment)?;
    let record = ExperimentRecord::open(&folder, workbench).map_err(Failure::input)?;
    let left_out = match (arguments.format, output) {
        (RowsFormat::Csv, None) => {
            let mut out = Harmless::new(out);
            rows::csv(&record, &mut out)?;
            out.flush()?;
            LeftOut::default()
        }
        (_, None) => unreachable!("only CSV goes without an output"),
        (RowsFormat::Csv, Some(path)) => {
            write_file(path, |file| Ok(rows::csv(&record, &mut BufWriter::new(file))?))?;
            LeftOut::default()
        }
        (RowsFormat::Parquet, Some(path)) => {
            write_file(path, |file| Ok(rows::parquet(&record, BufWriter::new(file))?))?;
            LeftOut::default()
        }
        (RowsFormat::Metrics, Some(path)) => metrics(&record, path)?,
        (RowsFormat::Mkplot, Some(path)) => told(rows::mkplot(&record, path), path, out)?,
        (RowsFormat::Benchexec, Some(path)) => told(rows::benchexec(&record, path), path, out)?,
    };
    warn(&record, left_out);
    Ok(ExitCode::SUCCESS)
}

/// Where it is to be written, refused early where that cannot be.
fn output(arguments: &RowsArguments) -> Result<Option<&Path>, Failure> {
    let Some(path) = arguments.output.as_deref() else {
        let wanted = match arguments.format {
            RowsFormat::Csv => return Ok(None),
            RowsFormat::Parquet | RowsFormat::Metrics => "a file: name it",
            RowsFormat::Mkplot | RowsFormat::Benchexec => "several files: name a folder for them",
        };
        return Err(Failure::Input(format!("this format makes {wanted} with --output")));
    };
    let is_folder = matches!(arguments.format, RowsFormat::Mkplot | RowsFormat::Benchexec);
    if !is_folder && path.is_dir() {
        let problem = "is a folder: name a file";
        return Err(Failure::Input(format!("`{}` {problem}", path.display())));
    }
    // What an earlier export left there would be read with this one.
    if is_folder && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
        let problem = "has files in it, which would be taken for results: name a new folder";
        return Err(Failure::Input(format!("`{}` {problem}", path.display())));
    }
    Ok(Some(path))
}

/// Writes the campaign, and its configuration beside it.
fn metrics(record: &ExperimentRecord, path: &Path) -> Result<LeftOut, Failure> {
    let beside = path.with_extension("yaml");
    if beside == path {
        let problem = "is the name of the configuration beside the rows: name it .csv";
        return Err(Failure::Input(format!("`{}` {problem}", path.display())));
    }
    let campaign = write_file(path, |file| {
        // Metrics looks for it from where it is started.
        let named = path.to_string_lossy();
        Ok(rows::metrics(record, &named, &mut BufWriter::new(file))?)
    })?;
    write_file(&beside, |file| Ok(file.write_all(campaign.yaml.as_bytes())?))?;
    Ok(campaign.left_out)
}

/// Says what was written into a folder.
fn told(
    written: Result<Written, ReportError>,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<LeftOut, Failure> {
    let written = written.map_err(Failure::input)?;
    let count = written.files.len();
    let files = if count == 1 { "file" } else { "files" };
    writeln!(out, "{}: {count} {files}", folder.display())?;
    Ok(written.left_out)
}

/// Says on stderr what is missing, so that stdout has rows alone.
fn warn(record: &ExperimentRecord, left_out: LeftOut) {
    let mut warnings = Vec::new();
    if !left_out.is_nothing() {
        warnings.push(format!("left out, being neither solved nor unsolved: {left_out}"));
    }
    let missing = record.planned.saturating_sub(record.rows.len());
    if missing > 0 {
        let jobs = if missing == 1 { "job has" } else { "jobs have" };
        warnings.push(format!("{missing} planned {jobs} no row"));
    }
    if !record.unlisted.is_empty() {
        warnings.push(record.unlisted.to_string());
    }
    if record.damaged > 0 {
        let lines = if record.damaged == 1 { "line" } else { "lines" };
        warnings.push(format!("{} damaged {lines} of rows.jsonl left out", record.damaged));
    }
    for warning in warnings {
        // Nobody is left to be told when stderr is closed.
        let _ = writeln!(io::stderr(), "WARNING: {warning}");
    }
}
