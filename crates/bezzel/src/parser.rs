//! The parser of the command line: commands grouped by use, a short help, and completions of names for shells.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use bezzel_encode::amk;
use bezzel_experiment::BackendKind;
use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use crate::Workbench;
use crate::arguments::Cli;
use crate::command::{config_names, report};

/// The commands by their use, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Try", &["list", "show", "solve", "tune", "serve"]),
    ("Measure", &["run", "status", "report", "import"]),
    ("Check", &["check", "verify", "decode"]),
    ("Convert and extend", &["encode", "encoder", "board", "new-encoding"]),
];

/// The options that `-h` leaves out.
const RARE: [&str; 20] = [
    "auxiliaries",
    "blocked",
    "columns",
    "dry_run",
    "fundamental",
    "input_order",
    "mem",
    "memory",
    "names",
    "nodes",
    "options",
    "pdf",
    "programs",
    "projected",
    "root",
    "shuffle",
    "squares",
    "threads",
    "time",
    "width",
];

/// The parser.
pub(crate) fn parser() -> Command {
    let command = Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let is_rare = RARE.contains(&arg.get_id().as_str());
            // A negative number is the value of its option, which refuses it.
            let takes_values = arg.get_action().takes_values() && !arg.is_positional();
            let arg = if takes_values { arg.allow_negative_numbers(true) } else { arg };
            if is_rare { arg.hide_short_help(true) } else { arg }
        })
    });
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{title}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:<12}{literal:#}  {about}");
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(text)
}

/// The parser with completions of the names that this workbench and this folder have.
pub(crate) fn with_completions(catalog: &Workbench) -> Command {
    let bounds = amk::all();
    let bounds = bounds.iter().map(|encoder| encoder.about().id);
    let sums = catalog.encodings.sums().map(|encoder| encoder.info().id);
    let encodings = catalog.encodings.infos().into_iter().map(|info| info.id);
    let mut encodings: Vec<String> = encodings.chain(bounds).chain(sums).collect();
    encodings.sort();
    encodings.dedup();
    let backends = |kind| -> Vec<String> {
        catalog.backends.of(kind).map(|backend| backend.name().clone()).collect()
    };
    let (solvers, engines) = (backends(BackendKind::Solver), backends(BackendKind::Engine));
    let (experiments, configs) = (report::experiments(Path::new("")), config_names(Path::new("")));
    parser().mut_subcommands(|command| {
        command.mut_args(|arg| match arg.get_id().as_str() {
            "encoding" | "id" => completed(arg, &encodings, false),
            "named" => completed(arg, &encodings, true),
            "solver" => completed(arg, &solvers, false),
            "engine" => completed(arg, &engines, false),
            "config" => completed(arg, &[&configs[..], &experiments].concat(), true),
            "experiment" | "against" => completed(arg, &experiments, true),
            "size" => completed(arg, &[], true),
            _ => arg,
        })
    })
}

/// The argument with completions to these names, and to files.
fn completed(arg: Arg, names: &[String], files: bool) -> Arg {
    let names = names.to_vec();
    arg.add(ArgValueCompleter::new(move |current: &OsStr| {
        let begin = current.to_string_lossy();
        let begun = names.iter().filter(|name| name.starts_with(&*begin));
        let mut all: Vec<_> = begun.map(CompletionCandidate::new).collect();
        if files {
            all.extend(PathCompleter::any().complete(current));
        }
        all
    }))
}
