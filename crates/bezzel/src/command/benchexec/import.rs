//! `bezzel benchexec import`: results of BenchExec as the rows of an experiment.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_benchexec::{ImportRequest, ImportSummary};
use bezzel_experiment::config::{Config, check_name};
use bezzel_experiment::{Catalog, Experiment, ExperimentRecord, store};

use crate::arguments::ImportArguments;
use crate::command::common;
use crate::command::{permission, report};
use crate::failure::{CommandResult, Failure, harmless};
use crate::provenance;

pub(super) fn run(
    arguments: &ImportArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let name = &arguments.experiment;
    check_name(name).map_err(|reason| Failure::Input(format!("the name `{name}` {reason}")))?;
    let root = arguments.root.path();
    let catalog = &catalog.with_permission(permission(arguments.programs));
    let folder = Experiment::folder(root, name);
    let config =
        Config::read_frozen(&config(arguments, &folder)?, catalog).map_err(Failure::input)?;
    let request = ImportRequest {
        config: &config,
        folder: &folder,
        results: &arguments.results,
        logs: arguments.logs.as_deref(),
        build: &provenance::here(),
    };
    let done = bezzel_benchexec::import(&request, catalog, |_| {}).map_err(Failure::input)?;
    print_summary(name, &done, out)?;
    if done.added + done.known == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::work)?;
    common::warn_of_unlisted(&record.unlisted, out)?;
    let record = report::stated(record, root, None, catalog, out)?;
    let page = report::render(&record, catalog, root, true)?.index;
    writeln!(out, "evidence: {}", folder.join(store::ROWS).display())?;
    writeln!(out, "report:   {}", page.display())?;
    common::print_faults(&record, out)?;
    match done.contradictions.len() {
        0 => Ok(ExitCode::SUCCESS),
        1 => Err(Failure::Work("two results of one task contradict each other".into())),
        _ => Err(Failure::Work("results of one task contradict each other".into())),
    }
}

/// The config that was exported: in the named folder, frozen by an earlier import, or in or above the folder of the
/// results.
fn config(arguments: &ImportArguments, folder: &Path) -> Result<PathBuf, Failure> {
    if let Some(from) = &arguments.from {
        return Ok(from.join(store::CONFIG));
    }
    let frozen = folder.join(store::CONFIG);
    if frozen.is_file() {
        return Ok(frozen);
    }
    let results = &arguments.results[0];
    let results = results
        .canonicalize()
        .map_err(|error| Failure::Input(format!("cannot read `{}`: {error}", results.display())))?;
    let above = results.ancestors().skip(1).take(3);
    let mut exported = above.map(|folder| folder.join(store::CONFIG));
    exported.find(|config| config.is_file()).ok_or_else(|| {
        Failure::Input(
            "the exported config is unknown: name the folder of `bezzel benchexec export` by \
             --from FOLDER"
                .to_owned(),
        )
    })
}

/// Prints the numbers of rows and results, and the contradictions.
fn print_summary(name: &str, done: &ImportSummary, out: &mut dyn Write) -> Result<(), Failure> {
    let ImportSummary {
        added,
        known,
        repeated,
        ref contradictions,
        undone,
        without_model,
        missing,
    } = *done;
    let (added, known) = (common::counted(added, "row"), common::counted(known, "result"));
    writeln!(out, "{name}: {added} added; {known} had a row already")?;
    for (number, one, several) in [
        (
            repeated,
            "result is of a task that another run of these results answers: the first counts",
            "results are of tasks that another run of these results answers: the first counts",
        ),
        (
            undone,
            "run was not done, or not measured: it has no row",
            "runs were not done, or not measured: they have no rows",
        ),
        (
            without_model,
            "row claims a solution and no log shows it: it is unchecked",
            "rows claim a solution and no log shows it: they are unchecked",
        ),
        (missing, "job of the config has no row yet", "jobs of the config have no row yet"),
    ] {
        match number {
            0 => {}
            1 => writeln!(out, "1 {one}")?,
            _ => writeln!(out, "{number} {several}")?,
        }
    }
    for contradiction in contradictions {
        writeln!(out, "CONTRADICTION: {}", harmless(contradiction))?;
    }
    Ok(())
}
