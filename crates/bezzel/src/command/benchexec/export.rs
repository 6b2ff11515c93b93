//! `bezzel benchexec export`: the formulas, tasks and commands of an experiment.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_benchexec::{Export, TaskFormula};
use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_experiment::config::Config;
use bezzel_experiment::input::{self, LARGEST_DOCUMENT};
use bezzel_experiment::plan::Plan;
use bezzel_experiment::{Catalog, Permission, store};

use crate::arguments::ExportArguments;
use crate::command::{common, encode};
use crate::failure::{CommandResult, Failure};
use crate::output::write_file;
use bezzel_experiment::packing::Packing;

/// The origin of the formulas in their comments: equal bytes, independent of the path of the folder.
const MADE_BY: &str = "bezzel benchexec export";

pub(super) fn run(
    arguments: &ExportArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let path = common::config_file(Path::new(""), &arguments.config)?;
    let config = Config::read(&path, catalog).map_err(Failure::input)?;
    common::print_notes(&config);
    let catalog = &catalog.with_permission(Permission::of_config(&config));
    let folder = &arguments.to;
    refuse_taken(folder, &config)?;
    let plan = Plan::new(&config, catalog).map_err(Failure::input)?;
    let export = Export::new(&config, plan, arguments.ending(), catalog);
    let export = export.map_err(Failure::input)?;
    for formula in export.formulas() {
        if let Some(size) = formula.encoding.size(&formula.instance.problem()) {
            encode::refuse_endless(
                &formula.instance,
                &formula.label,
                Format::Dimacs,
                size,
                String::new,
            )?;
        }
    }
    for formula in export.formulas() {
        write_formula(formula, &folder.join(export.path(formula)))?;
    }
    for file in export.files() {
        write_bytes(&folder.join(&file.path), &file.bytes)?;
    }
    for reason in &export.tasks().left_out {
        writeln!(out, "left out: {reason}")?;
    }
    let formulas = common::counted(export.formulas().len(), "formula");
    let benchmarks = common::counted(export.tasks().benchmarks.len(), "benchmark definition");
    writeln!(out, "{}: {formulas}, {benchmarks}; README.txt has the commands", folder.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a folder that contains anything but an earlier export of the same config.
fn refuse_taken(folder: &Path, config: &Config) -> Result<(), Failure> {
    let refused = |problem: String| Failure::Input(format!("`{}` {problem}", folder.display()));
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(refused(format!("cannot be the folder of the export: {error}"))),
    };
    let same = input::read_text(&folder.join(store::CONFIG), LARGEST_DOCUMENT)
        .is_ok_and(|text| text == config.frozen_text());
    if same || entries.next().is_none() {
        return Ok(());
    }
    Err(refused("is there, and is no export of this config: name a new folder".into()))
}

fn write_formula(formula: &TaskFormula, path: &Path) -> Result<(), Failure> {
    make_folder(path)?;
    write_file(path, |file| {
        let mut packed = Packing::of(path).0.write(file)?;
        let TaskFormula { encoding, instance, numbering, .. } = formula;
        let preamble = Preamble::Comments { made_by: MADE_BY, names: false };
        Format::Dimacs.write(
            encoding.as_ref(),
            &instance.problem(),
            numbering,
            preamble,
            &mut packed,
        )?;
        Ok(packed.finish()?)
    })
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    make_folder(path)?;
    write_file(path, |file| Ok(file.write_all(bytes)?))
}

/// Makes the parent folder of a file.
fn make_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| {
        Failure::input(format!("cannot make the folder `{}`: {error}", folder.display()))
    })
}
