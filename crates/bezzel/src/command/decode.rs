//! `bezzel decode`: the solution in a solver's answer, drawn and judged.

use std::io::{self, BufRead, Write};
use std::path::Path;

use bezzel_encode::format::read::{self, FormulaComments};
use bezzel_experiment::Verdict as Judged;
use bezzel_experiment::judge::{Case, Judge};
use bezzel_problem::{FileError, Instance, ProblemFile};
use bezzel_queens::encode::comments;
use bezzel_queens::{Board, Placement};
use bezzel_solve::Answer;

use super::solve;
use crate::arguments::DecodeArguments;
use crate::because::because;
use crate::failure::{CommandResult, Failure, open, shown};

pub(crate) fn run(arguments: &DecodeArguments, out: &mut dyn Write) -> CommandResult {
    let notes = arguments.cnf.as_deref().map(notes).transpose()?;
    let instance = instance(arguments, notes.as_ref())?;
    let (name, mut from): (_, Box<dyn BufRead>) = if arguments.answer.as_os_str() == "-" {
        ("stdin".into(), Box::new(io::stdin().lock()))
    } else {
        (arguments.answer.to_string_lossy(), open(&arguments.answer)?)
    };
    let misread = |error: FileError| {
        let error = error.to_string();
        let advice = match (is_formula(&arguments.answer), &notes, instance.file()) {
            (true, ..) => "; it is a formula: give what a solver printed",
            (false, None, Some(_)) if !error.contains("--cnf") => {
                "; an answer to an encoded formula needs that formula, by --cnf FILE"
            }
            _ => "",
        };
        Failure::Input(format!("{name}: {error}{advice}"))
    };
    let read = read::answer(&mut from).map_err(misread)?;

    let answer = match read.verdict {
        Some(verdict) => verdict.into(),
        // A list of true variables is a solution.
        None if read.has_values() => Answer::Sat,
        None => {
            return Err(Failure::Input(format!("{name}: the answer is empty")));
        }
    };
    let mut placement = None;
    let solution = match (answer, Board::of(&instance), &notes) {
        (Answer::Unsat | Answer::Unknown, ..) => None,
        (Answer::Sat, Some(board), notes) => {
            let squares = read.decode_squares(notes.as_ref()).map_err(misread)?;
            let placed = placement.insert(squares.into_iter().collect::<Placement>());
            Some(placed.solution(board))
        }
        (Answer::Sat, None, Some(notes)) => Some(read.decode_candidates(notes).map_err(misread)?),
        (Answer::Sat, None, None) if instance.file().is_some_and(ProblemFile::has_names) => {
            let names = (0..instance.size()).map(|number| (instance.label(number), number));
            Some(read.decode_names(&names.collect()).map_err(misread)?)
        }
        (Answer::Sat, None, None) => Some(read.decode_variables(instance.size()).map_err(misread)?),
    };
    let judgement = Judge::new().judge(&Case::new(&instance, answer, solution.as_ref()));
    if judgement.verdict == Judged::Wrong && read.is_cut_off() {
        let missing =
            if read.has_values() { "its model is not ended by a `0`" } else { "it has no model" };
        return Err(Failure::Input(format!(
            "{name}: the answer is cut off: {missing}, and what is there is no solution; give the whole answer"
        )));
    }
    let verdict = (answer, judgement.verdict);
    let reason = because(judgement.verdict, judgement.evidence.as_ref());
    solve::print_answer(&instance, verdict, solution.as_ref(), &reason, out)?;
    if judgement.verdict == Judged::Wrong {
        // A square outside the board has no candidate: only the placement names it.
        let outside = Board::of(&instance).zip(placement);
        let fault = outside.and_then(|(board, placement)| placement.judge(board).err());
        let note = fault.map_or(judgement.note.unwrap_or_default(), |fault| fault.to_string());
        return Err(Failure::Work(format!("the answer is wrong: {note}")));
    }
    let of_file = instance.file().zip(solution.as_ref());
    if let Some(value) = of_file.and_then(|(file, solution)| file.value(solution)) {
        writeln!(out, "value {value}")?;
    }
    Ok(solve::exit_code(answer))
}

/// True for a file that has the header of a formula.
fn is_formula(path: &Path) -> bool {
    let mut lines = open(path).into_iter().flat_map(|from| from.lines().map_while(Result::ok));
    lines.find(|line| !line.starts_with('c')).is_some_and(|line| line.starts_with("p "))
}

/// Reads the comments of the file that was solved.
fn notes(path: &Path) -> Result<FormulaComments, Failure> {
    let named = |problem: String| Failure::Input(format!("{}: {problem}", shown(path)));
    let notes = read::notes(&mut open(path)?).map_err(|error| named(error.to_string()))?;
    if notes.squares.is_empty() && notes.candidates.is_empty() {
        return Err(named(
            "its comments do not name the variables: take a formula that `bezzel encode` wrote, which \
             has lines as `c square 1,2 17`"
                .to_owned(),
        ));
    }
    Ok(notes)
}

/// The given instance, or the board in the comments of the solved file.
fn instance(
    arguments: &DecodeArguments,
    notes: Option<&FormulaComments>,
) -> Result<Instance, Failure> {
    let file = shown(arguments.cnf.as_deref().unwrap_or(Path::new("")));
    let noted_board = notes.map(comments::board).transpose().map_err(|error| {
        Failure::Input(format!("{file}: the comments describe an impossible board: {error}"))
    })?;
    let encoded = notes.and_then(|notes| notes.instance.as_deref());
    match (arguments.problem.instance()?, noted_board.flatten(), encoded) {
        (Some(given), _, encoded) if notes.is_some() && Board::of(&given).is_none() => {
            let Some(encoded) = encoded else {
                return Err(Failure::Input(format!("{file} is no formula of `{given}`")));
            };
            // The name of a file is for messages only.
            let digest = |name: &str| name.rsplit('#').next().unwrap_or_default().to_owned();
            if digest(encoded) != digest(&given.to_string()) {
                return Err(Failure::Input(format!(
                    "{file} is the formula of `{encoded}`, and the constraints of `{given}` are \
                     others: give the file that was encoded"
                )));
            }
            Ok(given)
        }
        (Some(instance), _, Some(encoded)) => Err(Failure::Input(format!(
            "{file} is the formula of `{encoded}`, and not of the board {instance}"
        ))),
        (Some(instance), _, None) => Ok(instance),
        (None, Some(board), _) => Ok(board.into()),
        (None, None, Some(encoded)) => Err(Failure::Input(format!(
            "{file} is the formula of `{encoded}`: give its problem too, as in `bezzel decode ANSWER \
             PROBLEM --cnf {file}`"
        ))),
        (None, None, None) => Err(Failure::Input(
            "which board? Give its size, as in `bezzel decode ANSWER 8`, or --cnf FILE with the \
             comments that `bezzel encode` writes"
                .to_owned(),
        )),
    }
}
