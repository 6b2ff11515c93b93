//! `bezzel completions`: the completion script of a shell.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;

use crate::arguments::{Cli, CompletionsArguments};
use crate::failure::CommandResult;

pub(crate) fn run(arguments: &CompletionsArguments, out: &mut dyn Write) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "bezzel", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
