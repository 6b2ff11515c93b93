//! `bezzel supervise`: looks after one program of somebody else's, for a worker. A request in on
//! stdin, an account out.

use std::io::Write;
use std::process::ExitCode;

use bezzel_external::supervisor;

use crate::arguments::SuperviseArguments;
use crate::failure::{Done, Failure};

pub(crate) fn run(arguments: &SuperviseArguments, out: &mut dyn Write) -> Done {
    supervisor::serve(arguments.enter, out).map_err(Failure::work)?;
    Ok(ExitCode::SUCCESS)
}
