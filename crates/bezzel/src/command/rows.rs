//! `bezzel report --rows`: the rows of an experiment, for other programs.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::{Catalog, ExperimentRecord};
use bezzel_report::rows;

use super::{common, report};
use crate::arguments::ReportArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::output::write_file;

pub(crate) fn run(
    given: &Path,
    arguments: &ReportArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    // An unsuitable path is refused before the record is read.
    let output = arguments.output.as_deref();
    if let Some(path) = output.filter(|path| path.is_dir()) {
        return Err(Failure::Input(format!("`{}` is a folder: name a file", shown(path))));
    }
    let folder = report::find(arguments.root.path(), given, catalog)?;
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::input)?;
    match output {
        None => rows::csv(&record, out)?,
        Some(path) => write_file(path, |file| Ok(rows::csv(&record, &mut BufWriter::new(file))?))?,
    }
    // Stdout has rows alone.
    match record.planned.saturating_sub(record.rows.len()) {
        0 => {}
        1 => common::warn_of_damage(&["1 planned job has no row".to_owned()]),
        missing => common::warn_of_damage(&[format!("{missing} planned jobs have no row")]),
    }
    common::warn_of_damage(&record.damage);
    Ok(ExitCode::SUCCESS)
}
