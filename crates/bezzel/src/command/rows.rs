//! `bezzel rows`: the rows of an experiment, for other programs.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::{Catalog, ExperimentRecord};
use bezzel_report::rows;

use super::common::counted;
use super::report;
use crate::arguments::{RowsArguments, RowsFormat};
use crate::failure::{CommandResult, Failure};
use crate::output::write_file;
use crate::terminal;

pub(crate) fn run(
    arguments: &RowsArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let output = output(arguments)?;
    let folder = report::find(arguments.root.path(), &arguments.experiment)?;
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::input)?;
    match (arguments.format, output) {
        (RowsFormat::Csv, None) => rows::csv(&record, out)?,
        (RowsFormat::Csv, Some(path)) => {
            write_file(path, |file| Ok(rows::csv(&record, &mut BufWriter::new(file))?))?;
        }
        (RowsFormat::Benchexec, None) => unreachable!("only with an output it was accepted"),
        (RowsFormat::Benchexec, Some(folder)) => {
            let count = rows::benchexec(&record, folder).map_err(Failure::input)?.len();
            writeln!(out, "{}: {}", folder.display(), counted(count, "file"))?;
        }
    }
    warn(&record);
    Ok(ExitCode::SUCCESS)
}

/// The path of the output. An unsuitable path is refused before the record is read.
fn output(arguments: &RowsArguments) -> Result<Option<&Path>, Failure> {
    let is_folder = arguments.format == RowsFormat::Benchexec;
    let Some(path) = arguments.output.as_deref() else {
        return if is_folder {
            let problem = "this format makes several files: name a folder for them with --output";
            Err(Failure::Input(problem.into()))
        } else {
            Ok(None)
        };
    };
    if !is_folder && path.is_dir() {
        let problem = "is a folder: name a file";
        return Err(Failure::Input(format!("`{}` {problem}", path.display())));
    }
    // The files of an earlier export would be read with this one.
    if is_folder && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
        let problem = "contains files, which would be read as results: name a new folder";
        return Err(Failure::Input(format!("`{}` {problem}", path.display())));
    }
    Ok(Some(path))
}

/// Prints the warnings of missing rows to stderr, so that stdout has rows alone.
fn warn(record: &ExperimentRecord) {
    let mut warnings = Vec::new();
    let missing = record.planned.saturating_sub(record.rows.len());
    if missing > 0 {
        let jobs = if missing == 1 { "job has" } else { "jobs have" };
        warnings.push(format!("{missing} planned {jobs} no row"));
    }
    if !record.unlisted.is_empty() {
        warnings.push(record.unlisted.to_string());
    }
    if record.damaged > 0 {
        let lines = counted(record.damaged, "damaged line");
        warnings.push(format!("{lines} of rows.jsonl left out"));
    }
    for warning in warnings {
        // A closed stderr is no error.
        let _ = writeln!(terminal::stderr(), "WARNING: {warning}");
    }
}
