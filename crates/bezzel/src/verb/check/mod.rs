//! `bezzel check`: every law on an encoding, the same that the tests run; or a formula from anywhere.

mod formula;
mod proof;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::laws::at_most_one::begins_beyond;
use bezzel_encode::laws::{self, Breach};
use bezzel_encode::registry::Found;
use bezzel_encode::{AtMostOne, Constraints, Settings};
use bezzel_lab::{Permission, Programs, Workbench, program};

use crate::arguments::CheckArguments;
use crate::failure::Failure;

pub(crate) fn run(
    arguments: &CheckArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    if let Some(file) = &arguments.cnf {
        return formula::run(file, arguments, out);
    }
    let ids = if arguments.encodings.is_empty() {
        workbench.encodings.cards().into_iter().map(|card| card.id).collect()
    } else {
        arguments.encodings.clone()
    };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = Programs::new(&workbench.encodings, program::LIMITS, &permission);
    let found = ids.iter().map(|id| programs.find_for_laws(id)).collect::<Result<Vec<_>, _>>();
    let mut broken = 0;
    for found in found.map_err(Failure::input)? {
        let card = found.card();
        refuse_untried(&found)?;
        match check(&found) {
            Ok(()) => {
                // Promises that are bounds may be kept with more to spare than they say.
                let or_better = if card.bounds { " or better" } else { "" };
                let begins = match &found {
                    Found::AtMostOne(at_most_one) => begins_beyond(&**at_most_one),
                    Found::Mixture(_) | Found::Board(_) => None,
                };
                let untried = begins.map_or(String::new(), |n| {
                    format!(": not tried, since they begin at {n} inputs")
                });
                writeln!(
                    out,
                    "{}: keeps every law (propagation {}{or_better}, auxiliary variables \
                     {}{or_better}{untried})",
                    card.id, card.propagation, card.auxiliaries
                )?;
            }
            Err(breach) => {
                broken += 1;
                writeln!(out, "{}: BREAKS A LAW: {breach}", card.id)?;
                for line in breach.drawing.lines() {
                    writeln!(out, "    {line}")?;
                }
            }
        }
        out.flush()?;
    }
    if broken == 0 {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::Work(format!("{broken} of {} encodings break a law", ids.len())))
    }
}

/// Refuses what takes none of the boards on which laws are tried: nothing would be found out.
fn refuse_untried(found: &Found) -> Result<(), Failure> {
    let encoding = found.on_board(Settings::default());
    let mut misfits = Vec::new();
    for board in laws::board::boards() {
        match encoding.fits(&board) {
            Ok(()) => return Ok(()),
            Err(misfit) => misfits.push(misfit),
        }
    }
    let first = misfits.first().map_or_else(String::new, |misfit| format!(": {misfit}"));
    Err(Failure::Input(format!("no law could be tried, since no board is taken{first}")))
}

/// The first breach: as an at-most-one if it is one, then on boards under every set of constraints
/// that it takes.
fn check(found: &Found) -> Result<(), Breach> {
    let sets = match found {
        Found::AtMostOne(at_most_one) => {
            laws::at_most_one::check(Arc::as_ref(at_most_one) as &dyn AtMostOne)?;
            &Constraints::ALL[..]
        }
        Found::Mixture(_) => &Constraints::ALL[..],
        Found::Board(_) => &Constraints::ALL[..1],
    };
    sets.iter().try_for_each(|&set| laws::board::check(found.on_board(set).as_ref()))
}
