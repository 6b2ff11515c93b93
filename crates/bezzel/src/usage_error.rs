//! Errors of the command line as clap reports them, with the near match of a command, and numbers in plain words.

use std::env;
use std::error::Error as _;
use std::io::{self, Write};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::Registry;
use bezzel_encode::format::shell_word;
use bezzel_problem::{UnknownId, is_obeyed};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

use crate::arguments::Cli;
use crate::failure::{Failure, with_whole_words};
use crate::terminal;

/// Prints a usage error, or the help or version, and returns the exit code.
pub(crate) fn print(error: &Error, encodings: &Registry) -> ExitCode {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    let is_fault = error.use_stderr();
    let plain = error.render().to_string();
    let whole = with_whole_words(plain.clone());
    let text = advised(error, &whole, encodings).map_or(whole, with_whole_words);
    let is_plain = text == plain;
    // The library prints an argument as it is, which may be the name of a file.
    let printed = if is_plain && !text.chars().any(|c| is_obeyed(c) && c != '\n') {
        error.print()
    } else {
        write!(terminal::stderr(), "{text}")
    };
    match printed.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(code),
        // A closed stderr does not change the exit code of a refused command line.
        Err(_) if is_fault => ExitCode::from(code),
        Err(error) => Failure::from(error).report(),
    }
}

/// Needed options as clap prints them, each with the forms of one that needs it, and with the use that was probably meant.
const NEEDING: [(&str, &str, &str); 3] = [
    ("<--all|--random>", "--output -o", "`bezzel encode` writes a formula, and `> FILE` an answer"),
    ("<--random>", "--seed", "the seed of a solver is its own, as in `--option seed=1`"),
    ("<--sample <TIME>>", "--seed", "the seed of a solver stands in the config"),
];

/// The error with a correction that clap's own `text` does not have; none if that says it all.
fn advised(error: &Error, text: &str, encodings: &Registry) -> Option<String> {
    let first = text.lines().next()?;
    let with_usage =
        |first: String| Some(format!("{first}\n\nUsage:{}", text.split_once("\nUsage:")?.1));
    if let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) {
        // Clap's own suggestion is at times none for a short command.
        return with_usage(format!("{first}{}", instead_of(given)));
    }
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) => {
            let advice = option_of(given).or_else(|| order_of(given, encodings))?;
            return with_usage(format!("{first}{advice}"));
        }
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => {
            let needing = NEEDING.into_iter().find(|(needed, option, _)| {
                let is_option = |word: String| option.split(' ').any(|form| word.starts_with(form));
                missing.iter().any(|it| it == needed) && words().any(is_option)
            });
            let text = match needing {
                Some((needed, option, advice)) => {
                    let option = option.split(' ').next()?;
                    with_usage(format!("error: {option} needs {needed}; {advice}"))?
                }
                None => text.to_owned(),
            };
            // Clap prints a group of one option in brackets.
            let groups = missing.iter().filter(|it| it.starts_with("<-") && !it.contains('|'));
            return Some(groups.fold(text, |text, it| text.replace(&**it, &it[1..it.len() - 1])));
        }
        _ => {}
    }
    let Some(ContextValue::String(_)) = error.get(ContextKind::InvalidValue) else { return None };
    let reason = error.source()?.to_string();
    let plain = match error.source()?.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            "the number is too large".into()
        }
        Some(_) => "a whole number in plain digits is needed".into(),
        None if error.source()?.is::<ParseFloatError>() => "a number is needed".into(),
        None => range_in_words(&reason)?,
    };
    Some(text.replacen(&reason, &plain, 1))
}

/// The words of the command line.
fn words() -> impl Iterator<Item = String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())
}

/// The command with the encoding as an option, after a semicolon, if it stands beside the file or the size.
fn order_of(given: &str, encodings: &Registry) -> Option<String> {
    let mut all = words();
    let (name, first) = (all.next()?, all.next()?);
    let is_option = |arg: &clap::Arg| arg.get_long() == Some("encoding");
    let has_option = Cli::command().find_subcommand(&name)?.get_arguments().any(is_option);
    let is_given = words().any(|word| word.starts_with("--encoding"));
    let is_encoding = |word: &str| encodings.find(word).is_ok();
    let (problem, encoding) = if is_encoding(given) { (&*first, given) } else { (given, &*first) };
    let is_problem = problem.starts_with(|c: char| c.is_ascii_digit())
        || problem.contains(['.', '/']) && !problem.starts_with('-');
    (has_option && !is_given && is_problem && is_encoding(encoding)).then(|| {
        let [problem, encoding] = [problem, encoding].map(shell_word);
        format!("; the encoding is an option: `bezzel {name} {problem} --encoding {encoding}`")
    })
}

/// The commands that have a long option, after a semicolon; none if no command has it.
fn option_of(given: &str) -> Option<String> {
    let long = given.strip_prefix("--")?.split('=').next()?;
    let command = Cli::command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some(long))
    };
    let names: Vec<String> =
        shown.filter(has).map(|command| format!("`bezzel {}`", command.get_name())).collect();
    let (last, others) = names.split_last()?;
    let listed = match others {
        [] => last.clone(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    Some(format!("; `--{long}` is an option of {listed}"))
}

/// The command that was probably meant, after a semicolon.
fn instead_of(given: &str) -> String {
    let path = Path::new(given);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("yaml" | "yml") => return format!("; a config is run by `bezzel run {given}`"),
        Some(_) if path.is_file() => {
            return format!(
                "; `bezzel solve {given}` solves a file, and `bezzel show {given}` describes it"
            );
        }
        _ => {}
    }
    let command = Cli::command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<&str> = shown.map(clap::Command::get_name).collect();
    match UnknownId::new("command", given, names).near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; `bezzel --help` lists the commands".into(),
    }
}

/// The range of a refused number in words: `9 is not in 1..=5` is that it must be from 1 to 5.
fn range_in_words(reason: &str) -> Option<String> {
    let (_, range) = reason.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    Some(match most.trim_start_matches('=') {
        "" => format!("it must be at least {least}"),
        most if most.parse() == Ok(u64::MAX) => format!("it must be at least {least}"),
        most => format!("it must be from {least} to {most}"),
    })
}
