//! `bezzel worker`: one job of a run, or the proof of one, in a process of its own. Assignment in on stdin, messages
//! out.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use bezzel_experiment::{Catalog, worker};

use crate::failure::{CommandResult, Failure};

pub(crate) fn run(catalog: &Catalog, out: &mut dyn Write) -> CommandResult {
    let mut assignment = String::new();
    io::stdin().read_to_string(&mut assignment).map_err(Failure::input)?;
    worker::process::serve(&assignment, catalog, out).map_err(Failure::input)?;
    Ok(ExitCode::SUCCESS)
}
