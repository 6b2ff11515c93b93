//! `bezzel benchexec`: an experiment measured by BenchExec.

use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::Workbench;

use crate::arguments::BenchexecVerb;
use crate::failure::Failure;

mod export;
mod import;

pub(crate) fn run(
    verb: &BenchexecVerb,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    match verb {
        BenchexecVerb::Export(arguments) => export::run(arguments, workbench, out),
        BenchexecVerb::Import(arguments) => import::run(arguments, workbench, out),
    }
}
