//! The command line of Bezzel, as a library.
//!
//! A program outside this repository with an encoding of its own consists of
//!
//! ```no_run
//! # use bezzel_encode::amo::pairwise::Pairwise as Mine;
//! fn main() -> std::process::ExitCode {
//!     bezzel::main(&bezzel::Workbench::standard().with_at_most_one(Mine))
//! }
//! ```
//!
//! and has every command, workers included. This is the only crate that prints.

mod arguments;
mod because;
mod command;
mod failure;
mod interrupt;
mod limited;
mod output;
mod parser;
mod phase;
mod progress;
mod provenance;
mod scratch;
mod terminal;
mod ticker;
mod usage_error;
mod workbench;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use bezzel_encode::Registry;
use bezzel_process::{LimitedChild, supervisor};
use clap::{CommandFactory, FromArgMatches};
use clap_complete::CompleteEnv;

use arguments::{Cli, CliCommand};
use failure::{CommandResult, Failure};
use terminal::Harmless;
pub use workbench::Workbench;

/// Runs the command line with this workbench.
pub fn main(workbench: &Workbench) -> ExitCode {
    let words: Vec<OsString> = env::args_os().collect();
    // A job of an external program also starts this, which needs its request alone.
    if words.len() == 2 && words[1] == "supervise" {
        let done = supervisor::serve(&mut io::stdout().lock()).map_err(Failure::work);
        return done.map_or_else(Failure::report, |()| ExitCode::SUCCESS);
    }
    // A worker starts for every job, and reading its command line took as long as a small job.
    let is_worker = words.get(1).is_some_and(|word| word == "worker") && words.len() == 2;
    let parsed = if is_worker {
        Ok(Cli { command: CliCommand::Worker })
    } else {
        // A shell that completes a command line asks this program, which then ends here.
        CompleteEnv::with_factory(|| parser::with_completions(workbench)).complete();
        let matches = parser::parser().try_get_matches_from(&words);
        matches.and_then(|matches| Cli::from_arg_matches(&matches))
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage_error::print(&error, &workbench.encodings),
    };
    match prepare(&cli.command, &words, &workbench.encodings) {
        Ok(None) => {}
        Ok(Some(code)) => return code,
        Err(failure) => return failure.report(),
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut shown = Harmless::new(&mut out, terminal::has_colours(&io::stdout()));
    let done = run(&cli, workbench, &mut shown);
    interrupt::leave_to_the_end();
    phase::end();
    match done.and_then(|code| Ok(shown.flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// The names of all commands, hidden ones included. A test tries each on hostile evidence.
#[doc(hidden)]
pub fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// Prepares this process for a command. A command with limits is run in a child process instead, and this is its exit
/// code.
fn prepare(
    command: &CliCommand,
    words: &[OsString],
    encodings: &Registry,
) -> Result<Option<ExitCode>, Failure> {
    // A worker starts for every job, in an empty environment. Its runner has checked the environment before.
    if matches!(command, CliCommand::Worker) {
        return Ok(None);
    }
    check_environment(encodings)?;
    let Some(limits) = command.limits() else { return interrupt::listen().map(|()| None) };
    match LimitedChild::of_environment().map_err(Failure::work)? {
        None => limited::run(limits, words).map(Some),
        Some(caller) => {
            limited::enter(limits)?;
            interrupt::obey(caller).map(|()| None)
        }
    }
}

/// Refuses an environment in which rows would be incomplete or ambiguous.
fn check_environment(encodings: &Registry) -> Result<(), Failure> {
    if let Some(id) = encodings.duplicate_name() {
        return Err(Failure::Input(format!("two encodings have the id `{id}`")));
    }
    // CaDiCaL takes options from its environment, and rows would not contain them.
    if let Some(name) = cadical_option() {
        let advice =
            "it would set an option of CaDiCaL unseen: unset it, and name the option in the";
        return Err(Failure::Input(format!("{name} is set; {advice} config")));
    }
    Ok(())
}

/// The name of a variable in the environment that CaDiCaL would read.
fn cadical_option() -> Option<String> {
    let mut names = env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    names.find(|name| name.starts_with("CADICAL_"))
}

fn run(cli: &Cli, catalog: &Workbench, out: &mut dyn Write) -> CommandResult {
    match &cli.command {
        CliCommand::List(arguments) => command::list::run(arguments, catalog, parser::parser, out),
        CliCommand::Board(arguments) => command::board::run(arguments, out),
        CliCommand::Tune(arguments) => command::tune::run(arguments, catalog, out),
        CliCommand::Encode(arguments) => command::encode::run(arguments, catalog, out),
        CliCommand::Encoder(arguments) => command::encoder_program::run(arguments, catalog, out),
        CliCommand::Decode(arguments) => command::decode::run(arguments, out),
        CliCommand::Solve(arguments) => command::solve::run(arguments, catalog, out),
        CliCommand::Run(arguments) => command::run::run(arguments, catalog, out),
        CliCommand::Status(arguments) => command::status::run(arguments, catalog, out),
        CliCommand::Report(arguments) => match (&arguments.experiment, &arguments.against) {
            (Some(given), _) if arguments.rows => {
                command::rows::run(given, arguments, catalog, out)
            }
            (Some(given), Some(other)) => {
                command::compare::run(given, other, arguments, catalog, out)
            }
            _ => command::report::run(arguments, catalog, out),
        },
        CliCommand::Import(arguments) => command::import::run(arguments, out),
        CliCommand::Verify(arguments) => command::verify::run(arguments, catalog, out),
        CliCommand::Show(arguments) => command::show::run(arguments, catalog, out),
        CliCommand::Check(arguments) => command::check::run(arguments, catalog, out),
        CliCommand::NewEncoding(arguments) => {
            command::new_encoding::run(arguments, &catalog.encodings, out)
        }
        CliCommand::Serve(arguments) => command::serve::run(arguments, catalog, out),
        CliCommand::Worker => command::worker::run(catalog, out),
    }
}
