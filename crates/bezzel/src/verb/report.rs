//! `bezzel report`: the answer, rendered again from the evidence.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_lab::{ExperimentRecord, Workbench};

use crate::arguments::ReportArguments;
use crate::failure::Failure;

pub(crate) fn run(
    arguments: &ReportArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let folder = folder(arguments.root(), &arguments.experiment)?;
    let record = ExperimentRecord::open(&folder, workbench).map_err(Failure::input)?;
    let command = format!("bezzel report {}", record.name);
    let page = render(&record, workbench, arguments.root(), &command)?;
    writeln!(out, "{}", page.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The experiment's folder: `name` itself where it is one, else the one of that name.
fn folder(root: &Path, name: &Path) -> Result<PathBuf, Failure> {
    let experiments = root.join("experiments");
    let folder =
        if name.components().count() > 1 { name.to_owned() } else { experiments.join(name) };
    if folder.is_dir() {
        return Ok(folder);
    }
    let known = std::fs::read_dir(&experiments).into_iter().flatten().flatten();
    let names = known.map(|entry| entry.file_name().to_string_lossy().into_owned());
    Err(Failure::input(bezzel_encode::UnknownId::new("experiment", &name.to_string_lossy(), names)))
}

/// Renders the report into `reports/<name>` and says where its page is.
pub(crate) fn render(
    record: &ExperimentRecord,
    workbench: &Workbench,
    root: &Path,
    command: &str,
) -> Result<PathBuf, Failure> {
    let folder = root.join("reports").join(&record.name);
    let paths = bezzel_report::render_with(record, &workbench.encodings, &folder, command);
    Ok(paths.map_err(Failure::work)?.index)
}
