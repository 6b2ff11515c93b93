//! `bezzel supervise`: supervises one external program for a worker. A request in on stdin, a result out.

use std::io::Write;
use std::process::ExitCode;

use bezzel_process::supervisor;

use crate::arguments::SuperviseArguments;
use crate::failure::{CommandResult, Failure};

pub(crate) fn run(arguments: &SuperviseArguments, out: &mut dyn Write) -> CommandResult {
    supervisor::serve(arguments.enter, out).map_err(Failure::work)?;
    Ok(ExitCode::SUCCESS)
}
