//! `bezzel benchexec`: an experiment measured by BenchExec.

use std::io::Write;

use bezzel_experiment::Catalog;

use crate::arguments::BenchexecCommand;
use crate::failure::CommandResult;

mod export;
mod import;

pub(crate) fn run(
    command: &BenchexecCommand,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    match command {
        BenchexecCommand::Export(arguments) => export::run(arguments, catalog, out),
        BenchexecCommand::Import(arguments) => import::run(arguments, catalog, out),
    }
}
