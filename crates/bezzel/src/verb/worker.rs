//! `bezzel worker`: one job of a run, or the proof of one, in a process of its own. Assignment in on
//! stdin, messages out.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use bezzel_lab::{Workbench, worker};

use crate::failure::{Done, Failure};

pub(crate) fn run(workbench: &Workbench, out: &mut dyn Write) -> Done {
    let mut assignment = String::new();
    io::stdin().read_to_string(&mut assignment).map_err(Failure::input)?;
    worker::work(&assignment, workbench, out).map_err(Failure::input)?;
    Ok(ExitCode::SUCCESS)
}
