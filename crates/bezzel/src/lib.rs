//! The command line of Bezzel, as a library.
//!
//! A program outside this repository that has an encoding of its own is whole with
//!
//! ```no_run
//! # use bezzel_encode::amo::pairwise::Pairwise as Mine;
//! fn main() -> std::process::ExitCode {
//!     bezzel::main(bezzel::Registry::standard().with_at_most_one(Mine))
//! }
//! ```
//!
//! and has every verb, its workers included. This is the only crate that prints.

mod all;
mod arguments;
mod because;
mod failure;
mod interrupt;
mod old_names;
mod output;
mod progress;
mod provenance;
mod scratch;
mod verb;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

pub use bezzel_encode::Registry;
use bezzel_lab::Workbench;
use clap::{CommandFactory, Parser};

use arguments::{Cli, Verb};
use failure::{Done, Failure};

/// Runs the command line with these encodings, the linked solvers and the engines.
pub fn main(encodings: Registry) -> ExitCode {
    let cli = match Cli::try_parse_from(old_names::replaced(env::args_os().collect())) {
        Ok(cli) => cli,
        Err(told) => return tell(&told),
    };
    // A worker starts for every job, from a runner that has looked, into an empty environment.
    if !matches!(cli.verb, Verb::Worker | Verb::Supervise(_))
        && let Err(failure) = look_around(&encodings).and_then(|()| interrupt::listen())
    {
        return failure.tell();
    }
    let workbench = Workbench { encodings, ..Workbench::standard() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = run(&cli, &workbench, &mut out);
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(failure) => failure.tell(),
    }
}

/// The names of all commands, hidden ones among them, with those of the commands above them (`benchexec import`):
/// a test tries each on hostile evidence.
#[doc(hidden)]
pub fn commands() -> Vec<String> {
    fn below(command: &clap::Command, above: &[&str]) -> Vec<String> {
        let names = |command: &clap::Command| {
            let path = [above, &[command.get_name()]].concat();
            if command.has_subcommands() { below(command, &path) } else { vec![path.join(" ")] }
        };
        command.get_subcommands().flat_map(names).collect()
    }
    below(&Cli::command(), &[])
}

/// Prints a usage error, or the help or version that was asked for, and gives the exit code.
fn tell(told: &clap::Error) -> ExitCode {
    let code = u8::try_from(told.exit_code()).unwrap_or(2);
    match told.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(code),
        // Nobody reads why the command line was refused, and it was all the same.
        Err(_) if told.use_stderr() => ExitCode::from(code),
        Err(error) => Failure::from(error).tell(),
    }
}

/// Refuses what would make rows tell less than the truth.
fn look_around(encodings: &Registry) -> Result<(), Failure> {
    if let Some(id) = encodings.twin() {
        return Err(Failure::Input(format!("two encodings have the id `{id}`")));
    }
    // CaDiCaL takes options from its environment, and rows would not tell.
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

fn run(cli: &Cli, workbench: &Workbench, out: &mut dyn Write) -> Done {
    match &cli.verb {
        Verb::List(arguments) => verb::list::run(arguments, workbench, out),
        Verb::Board(arguments) => verb::board::run(arguments, out),
        Verb::Tune(arguments) => verb::tune::run(arguments, workbench, out),
        Verb::Encode(arguments) => verb::encode::run(arguments, workbench, out),
        Verb::Decode(arguments) => verb::decode::run(arguments, out),
        Verb::Solve(arguments) => verb::solve::run(arguments, workbench, out),
        Verb::Run(arguments) => verb::run::run(arguments, workbench, out),
        Verb::Submit(arguments) => verb::submit::run(arguments, workbench, out),
        Verb::Status(arguments) => verb::status::run(arguments, workbench, out),
        Verb::Merge(arguments) => verb::merge::run(arguments, workbench, out),
        Verb::Report(arguments) => verb::report::run(arguments, workbench, out),
        Verb::Rows(arguments) => verb::rows::run(arguments, workbench, out),
        Verb::Benchexec(verb) => verb::benchexec::run(verb, workbench, out),
        Verb::Verify(arguments) => verb::verify::run(arguments, workbench, out),
        Verb::Compare(arguments) => verb::compare::run(arguments, workbench, out),
        Verb::Artifact(arguments) => verb::artifact::run(arguments, workbench, out),
        Verb::Show(arguments) => verb::show::run(arguments, workbench, out),
        Verb::Check(arguments) => verb::check::run(arguments, workbench, out),
        Verb::NewEncoding(arguments) => {
            verb::new_encoding::run(arguments, &workbench.encodings, out)
        }
        Verb::Serve(arguments) => verb::serve::run(arguments, workbench, out),
        Verb::Schema(arguments) => verb::schema::run(arguments, workbench, out),
        Verb::Completions(arguments) => verb::completions::run(arguments, out),
        Verb::Worker => verb::worker::run(workbench, out),
        Verb::Supervise(arguments) => verb::supervise::run(arguments, out),
    }
}
