//! `bezzel check`: every law on an encoding, the same that the tests run; or a formula from anywhere.

mod formula;
mod proof;
mod reason;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::laws::at_most_one::begins_beyond;
use bezzel_encode::laws::{self, Breach};
use bezzel_encode::registry::{Found, Name};
use bezzel_encode::verdict::Dossier;
use bezzel_encode::{AtMostOne, Board, Constraints, Settings, Size};
use bezzel_lab::quantity::grouped;
use bezzel_lab::{Permission, Programs, Workbench, program};

use crate::arguments::CheckArguments;
use crate::failure::Failure;

/// The side of the board whose size is told of an encoding whose card promises bounds alone.
const PROFILED: u32 = 8;

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
    let board = Board::new(PROFILED).expect("a small board");
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
        let card = found.card();
        refuse_untried(&found)?;
        match check(&found) {
            Ok(()) if card.bounds => {
                let dossier = Dossier::of(&found, Vec::new(), &board);
                broken += usize::from(!dossier.is_right());
                writeln!(out, "{}: {}", card.id, profile(&dossier))?;
            }
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

/// What was computed of an encoding whose card promises bounds alone, as that of a program does.
fn profile(dossier: &Dossier) -> String {
    let mut words = Vec::new();
    let wrong = [
        dossier.line.as_ref().and_then(|line| line.correct.wrong.as_ref()),
        dossier.board.as_ref().and_then(|board| board.correct.wrong.as_ref()),
    ];
    match wrong.into_iter().flatten().next() {
        Some(wrong) => words.push(format!("WRONG: {}", wrong.what)),
        None => words.push("keeps every law; computed: correct".to_owned()),
    }
    if let Some(line) = &dossier.line {
        let finds = if line.is_complete() { "complete" } else { "incomplete" };
        words.push(format!("propagation on one line {finds}"));
    }
    if let Some(board) = &dossier.board {
        words.push(format!("propagation {}", board.one_queen));
        words.push(format!("auxiliary variables {}", board.auxiliaries));
    }
    let side = |(side, _): &&(u32, Size)| *side == PROFILED;
    if let Some((side, size)) = dossier.sizes.iter().find(side) {
        let [variables, clauses, literals] =
            [size.variables, size.clauses, size.literals].map(grouped);
        words.push(format!(
            "{side} × {side}: {variables} variables, {clauses} clauses, {literals} literals"
        ));
    }
    words.join("; ")
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
