//! `bezzel report`: the answer, rendered again from the evidence.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::UnknownId;
use bezzel_encode::format::shell_word;
use bezzel_lab::config::check_name;
use bezzel_lab::{Experiment, ExperimentRecord, Workbench, store};

use super::common::{self, counted};
use crate::arguments::ReportArguments;
use crate::failure::{Done, Failure};
use crate::progress::Steps;

pub(crate) fn run(arguments: &ReportArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let record = open(arguments, workbench, out)?;
    for (solver, versions) in record.several_versions() {
        let versions: Vec<_> = versions.into_iter().collect();
        writeln!(out, "WARNING: rows of {solver} are of versions {}", versions.join(", "))?;
    }
    common::warn_of_unlisted(&record.unlisted, out)?;
    let command = &command(arguments, &record);
    let page = render_by(command, &record, workbench, arguments.root.path(), arguments.quiet)?;
    if record.damaged > 0 {
        let (lines, name) = (counted(record.damaged, "damaged line"), &record.name);
        writeln!(
            out,
            "WARNING: {lines} of rows.jsonl left out; `bezzel verify {name}` names them"
        )?;
    }
    writeln!(out, "{}", page.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the experiment, or several as one.
fn open(
    arguments: &ReportArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    let root = arguments.root.path();
    let folders = arguments.experiments.iter().map(|given| find(root, given));
    let folders = folders.collect::<Result<Vec<_>, _>>()?;
    for folder in &folders {
        common::warn_of_unmerged(folder, out)?;
    }
    let open = |folder: &PathBuf| ExperimentRecord::open(folder, workbench).map_err(Failure::input);
    let name = match (&folders[..], &arguments.name) {
        ([folder], None) => return open(folder),
        ([_], Some(_)) => {
            return Err(Failure::Input("--as: one experiment has its own name".into()));
        }
        (_, None) => {
            return Err(Failure::Input(
                "a report over several experiments needs a name: --as NAME".into(),
            ));
        }
        (_, Some(name)) => name,
    };
    check_name(name).map_err(|reason| Failure::Input(format!("--as {name}: it {reason}")))?;
    if Experiment::folder(root, name).exists() {
        return Err(Failure::Input(format!(
            "--as {name}: there is an experiment of this name, whose report would be overwritten"
        )));
    }
    if let Some(again) =
        (1..folders.len()).find(|&place| folders[..place].contains(&folders[place]))
    {
        let again = folders[again].display();
        return Err(Failure::Input(format!("the experiment `{again}` is given twice")));
    }
    let records = folders.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok(ExperimentRecord::combined(name, arguments.question.clone(), records))
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
    let mut names: Vec<_> = names.collect();
    names.sort();
    let unknown = UnknownId::new("experiment", &given.to_string_lossy(), &names);
    // A longer list than in other messages: there is no command that lists experiments.
    let others = match (&unknown.near, unknown.known.is_empty() && !names.is_empty()) {
        (None, true) => format!("; there are {}", names.join(", ")),
        _ => String::new(),
    };
    Err(Failure::Input(format!(
        "{unknown}{others} (looked in `{}` for a folder with a `{}`)",
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
    quiet: bool,
) -> Result<PathBuf, Failure> {
    // Not the command line as it was: the same rows give the same bytes, whoever asked for them in
    // whatever folder.
    let command = &format!("bezzel report {}", shell_word(&record.name));
    render_by(command, record, workbench, root, quiet)
}

/// The same by another command, which stands in the report.
fn render_by(
    command: &str,
    record: &ExperimentRecord,
    workbench: &Workbench,
    root: &Path,
    quiet: bool,
) -> Result<PathBuf, Failure> {
    let folder = folder(root, &record.name);
    let mut shown = Steps::new(quiet);
    let observe = &mut |step: bezzel_report::Step| shown.show(step.next, step.done, step.of);
    let registry = &workbench.encodings;
    let paths = bezzel_report::render_watched(record, registry, &folder, command, observe);
    shown.finish();
    let page = paths.map_err(Failure::work)?.index;
    bezzel_report::index(&root.join("reports")).map_err(Failure::work)?;
    Ok(page)
}

/// The command that makes a report, as it stands in it: of experiments by their names, wherever they lie.
fn command(arguments: &ReportArguments, record: &ExperimentRecord) -> String {
    let Some(name) = &arguments.name else {
        return format!("bezzel report {}", shell_word(&record.name));
    };
    let named = |given: &PathBuf| {
        given.file_name().map_or_else(String::new, |name| shell_word(&name.to_string_lossy()))
    };
    let names: Vec<_> = arguments.experiments.iter().map(named).collect();
    let question = arguments.question.as_ref().map(|text| shell_word(text));
    let question = question.map_or(String::new(), |word| format!(" --question {word}"));
    format!("bezzel report {} --as {name}{question}", names.join(" "))
}
