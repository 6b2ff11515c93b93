//! `bezzel solve`: one instance, and one solution, the optimum, solutions in a list, or their number. Each is one job, run
//! and judged as the jobs of experiments are.

use std::io::Write;
use std::process::ExitCode;

use bezzel_experiment::worker::Step;
use bezzel_experiment::{Catalog, NO_ENCODING, Row, Verdict};
use bezzel_problem::{Goal, Instance};
use bezzel_queens::encode::solutions::SolutionForm;
use bezzel_solve::Answer;
use serde::Serialize;

use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};

mod all;
mod denial;
mod ends;
mod listing;
mod one;
mod optimum;
mod random;
mod request;
mod veripb;

pub(super) use one::print_answer;

pub(crate) fn run(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let wanted = &arguments.listing;
    if wanted.is_requested() {
        if let Some(solver) = &arguments.solver {
            return Err(Failure::Input(listed_by_engines(solver, catalog)));
        }
        let run = if wanted.count { all::count } else { all::list };
        return run(arguments, catalog, out);
    }
    if let Some(option) = wanted.misplaced() {
        let add = if option == "--format" { "--all" } else { "--all or --count" };
        return Err(Failure::Input(format!(
            "{option} is for listing or counting solutions: add {add}, or leave it away to find one"
        )));
    }
    let instance = instance(arguments)?;
    match instance.file().filter(|file| *file.goal() == Goal::Optimum) {
        Some(file) => optimum::run((&instance, file), arguments, catalog, out),
        None => one::run(&instance, arguments, catalog, out),
    }
}

/// The instance; with an objective, the optimum is asked for.
fn instance(arguments: &SolveArguments) -> Result<Instance, Failure> {
    let instance = arguments.problem.optimised_instance()?;
    if arguments.listing.format == SolutionForm::Pb && arguments.json {
        return Err(Failure::Input("--format pb and --json are two forms: give one".to_owned()));
    }
    if arguments.listing.format == SolutionForm::Pb && instance.file().is_none() {
        return Err(Failure::Input(format!(
            "--format pb is for files of constraints, and `{instance}` is none: take --dimacs-output"
        )));
    }
    Ok(instance)
}

/// The message that engines list solutions and solvers do not, with the engine that uses this solver.
fn listed_by_engines(solver: &str, catalog: &Catalog) -> String {
    let by = format!("blocking:{solver}");
    let name = if solver == "cadical" { "blocking" } else { &by };
    let advice = if catalog.engine(name).is_ok() {
        format!("`--engine {name}` lists by this solver")
    } else {
        format!(
            "no engine lists by `{solver}`; `--engine blocking` lists by CaDiCaL, `--engine \
             blocking:batsat` by BatSat"
        )
    };
    format!("--solver is for finding one solution, and engines list and count all: {advice}")
}

/// Begins the phase of a step of a job.
fn begin(step: Step) {
    phase::begin(match step {
        Step::Generating => Phase::Generating,
        Step::Loading => Phase::Loading,
        Step::Searching => Phase::Searching,
        Step::Checking => Phase::Checking,
    });
}

/// The failure of an answer that is wrong.
fn refuse_wrong(row: &Row) -> Result<(), Failure> {
    if row.verdict != Verdict::Wrong {
        return Ok(());
    }
    let note = row.note.as_deref().unwrap_or_default();
    let count = row.all.as_ref().map_or(String::new(), |all| format!(", {},", all.count));
    let (mut under, mut advice) = (String::new(), "");
    if row.job.encoding != NO_ENCODING {
        under = format!(" under `{}`", row.job.encoding);
        advice = "; `bezzel check` shows if the encoding is wrong";
    }
    let solver = &row.job.solver;
    Err(Failure::Work(format!("the answer of `{solver}`{under}{count} is wrong: {note}{advice}")))
}

/// The exit code of an answer in solver competitions.
pub(super) fn exit_code(answer: Answer) -> ExitCode {
    match answer {
        Answer::Sat => ExitCode::from(10),
        Answer::Unsat => ExitCode::from(20),
        Answer::Unknown => ExitCode::SUCCESS,
    }
}

/// Prints a value as JSON in one line.
fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(Failure::work)?;
    Ok(writeln!(out, "{text}")?)
}
