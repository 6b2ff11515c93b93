//! `bezzel report`: the answer, rendered again from the evidence.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::UnknownId;
use bezzel_lab::{ExperimentRecord, Workbench, store};

use crate::arguments::ReportArguments;
use crate::failure::Failure;

pub(crate) fn run(
    arguments: &ReportArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let folder = find(arguments.root(), &arguments.experiment)?;
    let record = ExperimentRecord::open(&folder, workbench).map_err(Failure::input)?;
    let page = render(&record, workbench, arguments.root())?;
    if record.damaged > 0 {
        let lines = if record.damaged == 1 { "line" } else { "lines" };
        writeln!(
            out,
            "WARNING: {} damaged {lines} of rows.jsonl left out; `bezzel verify {}` names them",
            record.damaged, record.name
        )?;
    }
    writeln!(out, "{}", page.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The experiment's folder: the given one if it holds an experiment, else the one of that name.
pub(super) fn find(root: &Path, given: &Path) -> Result<PathBuf, Failure> {
    let experiments = root.join("experiments");
    let named = experiments.join(given);
    for folder in [given, &named] {
        if folder.join(store::CONFIG).is_file() {
            return Ok(folder.to_owned());
        }
    }
    let known = std::fs::read_dir(&experiments).into_iter().flatten().flatten();
    let known = known.filter(|entry| entry.path().join(store::CONFIG).is_file());
    let names = known.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let unknown = UnknownId::new("experiment", &given.to_string_lossy(), names);
    Err(Failure::Input(format!(
        "{unknown} (looked in `{}` for a folder with a `{}`)",
        experiments.display(),
        store::CONFIG
    )))
}

/// Where the report of an experiment goes.
pub(crate) fn folder(root: &Path, name: &str) -> PathBuf {
    root.join("reports").join(name)
}

/// Renders the report into its folder, the index of all reports beside it, and says where the
/// report's page is.
pub(crate) fn render(
    record: &ExperimentRecord,
    workbench: &Workbench,
    root: &Path,
) -> Result<PathBuf, Failure> {
    let folder = folder(root, &record.name);
    // Not the command line as it was: the same rows give the same bytes, whoever asked for them in
    // whatever folder.
    let command = format!("bezzel report {}", record.name);
    let paths = bezzel_report::render_with(record, &workbench.encodings, &folder, &command);
    let page = paths.map_err(Failure::work)?.index;
    bezzel_report::index(&root.join("reports")).map_err(Failure::work)?;
    Ok(page)
}
