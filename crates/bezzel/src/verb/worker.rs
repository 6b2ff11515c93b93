//! `bezzel worker`: one job of a run, in a process of its own. Job in on stdin, messages out.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use bezzel_lab::{Workbench, worker};

use crate::arguments::WorkerArguments;
use crate::failure::Failure;

pub(crate) fn run(
    arguments: &WorkerArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let mut job = String::new();
    io::stdin().read_to_string(&mut job).map_err(Failure::input)?;
    worker::work(&job, arguments.revision, workbench, out).map_err(Failure::input)?;
    Ok(ExitCode::SUCCESS)
}
