//! `bezzel import`: a table of runs of others as the record of an experiment.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::config::ImportMap;
use bezzel_experiment::{Experiment, import, store};
use serde_json::json;

use crate::arguments::ImportArguments;
use crate::command::common::counted;
use crate::failure::{CommandResult, Failure, shown};

pub(crate) fn run(arguments: &ImportArguments, out: &mut dyn Write) -> CommandResult {
    let map = ImportMap::read(&arguments.map).map_err(Failure::input)?;
    let folder = Experiment::folder(arguments.root.path(), &map.name);
    if folder.exists() {
        return Err(Failure::Input(format!(
            "`{}` is there: remove it to import the table again, or choose another `name`",
            shown(&folder)
        )));
    }
    let rows = import::rows(&arguments.table, &map).map_err(Failure::Input)?;
    let mut recorded = map.recorded;
    if let Some(path) = in_project(arguments.root.path(), &arguments.map) {
        recorded.config.insert(store::IMPORTED.into(), json!({"map": path}));
    }
    store::write_imported(&folder, recorded, &rows).map_err(Failure::work)?;
    let runs = counted(rows.len(), "run");
    writeln!(out, "{runs} imported, not verified here: `bezzel report {}` renders them", map.name)?;
    Ok(ExitCode::SUCCESS)
}

/// The path of a file relative to the project; none if it lies elsewhere.
fn in_project(root: &Path, file: &Path) -> Option<String> {
    let [root, file] = [root.join("."), file.to_owned()].map(|path| path.canonicalize().ok());
    file?.strip_prefix(root?).ok()?.to_str().map(str::to_owned)
}
