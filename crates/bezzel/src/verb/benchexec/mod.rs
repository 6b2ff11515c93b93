//! `bezzel benchexec`: an experiment measured by BenchExec.

use std::io::Write;

use bezzel_lab::Workbench;

use crate::arguments::BenchexecVerb;
use crate::failure::Done;

mod export;
mod import;

pub(crate) fn run(verb: &BenchexecVerb, workbench: &Workbench, out: &mut dyn Write) -> Done {
    match verb {
        BenchexecVerb::Export(arguments) => export::run(arguments, workbench, out),
        BenchexecVerb::Import(arguments) => import::run(arguments, workbench, out),
    }
}
