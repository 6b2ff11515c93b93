//! `bezzel check`: every law on an encoding, the same that the tests run; or a formula or a proof from
//! anywhere.

mod formula;
mod proof;
mod reason;
mod refutation;

use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::properties;
use bezzel_encode::registry::Name;
use bezzel_lab::{Permission, Programs, Workbench, program};
use bezzel_problem::Board;

use crate::arguments::CheckArguments;
use crate::failure::{Done, Failure};
use crate::verb::certificate;
use crate::verb::show::bound;

pub(crate) fn run(arguments: &CheckArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    if arguments.proof.proof {
        return refutation::run(arguments, out);
    }
    if let Some(file) = &arguments.formula.cnf {
        return formula::run(file, &arguments.formula, out);
    }
    if arguments.certify {
        return certificate::certify(&arguments.named, arguments.k, workbench, out);
    }
    if let Some(k) = arguments.k {
        return bound::check(&arguments.named, k, workbench, out);
    }
    let ids = if arguments.named.is_empty() {
        workbench.encodings.cards().into_iter().map(|card| card.id).collect()
    } else {
        arguments.named.clone()
    };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = Programs::new(&workbench.encodings, program::LIMITS, &permission);
    let board = Board::new(8).expect("a small board");
    // What a program prints is asked for once.
    let is_program = |id: &str| {
        let commands = Name::parse(id).ok().and_then(|name| name.commands().ok());
        commands.is_some_and(|commands| !commands.is_empty())
    };
    let found = ids.iter().map(|id| {
        if is_program(id) { programs.find_for_card(id, &board) } else { programs.find_for_laws(id) }
    });
    let found = found.collect::<Result<Vec<_>, _>>();
    let mut broken = 0;
    for found in found.map_err(Failure::input)? {
        let checked = properties::check(&found).map_err(Failure::input)?;
        broken += usize::from(!checked.is_right);
        writeln!(out, "{}", checked.text)?;
        out.flush()?;
    }
    if broken == 0 {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::Work(format!("{broken} of {} encodings break a law", ids.len())))
    }
}
