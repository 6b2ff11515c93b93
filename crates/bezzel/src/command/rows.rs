//! `bezzel report --rows`: the rows of an experiment, for other programs.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use bezzel_experiment::{Catalog, ExperimentRecord};
use bezzel_report::rows;

use super::report;
use crate::arguments::ReportArguments;
use crate::failure::{CommandResult, Failure};
use crate::output::write_file;
use crate::terminal;

pub(crate) fn run(
    arguments: &ReportArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    // An unsuitable path is refused before the record is read.
    let output = arguments.output.as_deref();
    if let Some(path) = output.filter(|path| path.is_dir()) {
        return Err(Failure::Input(format!("`{}` is a folder: name a file", path.display())));
    }
    let folder = report::find(arguments.root.path(), report::only(arguments, "--rows")?)?;
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::input)?;
    match output {
        None => rows::csv(&record, out)?,
        Some(path) => write_file(path, |file| Ok(rows::csv(&record, &mut BufWriter::new(file))?))?,
    }
    warn(&record);
    Ok(ExitCode::SUCCESS)
}

/// Prints the warnings of missing rows to stderr, so that stdout has rows alone.
fn warn(record: &ExperimentRecord) {
    let mut warnings = Vec::new();
    let missing = record.planned.saturating_sub(record.rows.len());
    if missing > 0 {
        let jobs = if missing == 1 { "job has" } else { "jobs have" };
        warnings.push(format!("{missing} planned {jobs} no row"));
    }
    warnings.extend(record.damage.clone());
    for warning in warnings {
        // A closed stderr is no error.
        let _ = writeln!(terminal::stderr(), "WARNING: {warning}");
    }
}
