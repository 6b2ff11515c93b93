//! `bezzel decode`: what a solver's answer means, and whether it is right.

use std::io::{self, BufRead, Write};
use std::path::Path;

use bezzel_encode::format::read::{self, Notes, ReadError, Verdict};
use bezzel_lab::Verdict as Judged;
use bezzel_lab::judge::{Case, Judge};
use bezzel_problem::Board;
use bezzel_solve::Answer;

use super::solve;
use crate::arguments::DecodeArguments;
use crate::failure::open;
use crate::failure::{Done, Failure};

pub(crate) fn run(arguments: &DecodeArguments, out: &mut dyn Write) -> Done {
    let notes = arguments.cnf.as_deref().map(notes).transpose()?;
    let board = board(arguments, notes.as_ref())?;
    let (name, mut from): (_, Box<dyn BufRead>) = if arguments.answer.as_os_str() == "-" {
        ("stdin".into(), Box::new(io::stdin().lock()))
    } else {
        (arguments.answer.to_string_lossy(), open(&arguments.answer)?)
    };
    let misread = |error: ReadError| Failure::Input(format!("{name}: {error}"));
    let read = read::answer(&mut from).map_err(misread)?;

    let answer = match read.verdict {
        Some(Verdict::Sat) => Answer::Sat,
        Some(Verdict::Unsat) => Answer::Unsat,
        Some(Verdict::Unknown) => Answer::Unknown,
        // Whoever lists what is true says that there is a solution.
        None if read.has_values() => Answer::Sat,
        None => {
            return Err(Failure::Input(format!("{name}: the answer is empty")));
        }
    };
    let placement = match answer {
        Answer::Sat => Some(read.decode(notes.as_ref()).map_err(misread)?),
        _ => None,
    };
    let judgement = Judge::new().judge(&Case::new(
        &board.clone().into(),
        answer,
        placement.as_ref().map(|placement| placement.solution(&board)).as_ref(),
    ));
    solve::tell(&board, answer, placement.as_ref(), &judgement, out)?;
    if judgement.verdict == Judged::Wrong {
        // A square outside the board has no candidate: only the placement names it.
        let fault = placement.as_ref().and_then(|placement| placement.judge(&board).err());
        let note = fault.map_or(judgement.note.unwrap_or_default(), |fault| fault.to_string());
        return Err(Failure::Work(format!("the answer is wrong: {note}")));
    }
    Ok(solve::exit_code(answer))
}

/// What the file that was solved tells.
fn notes(path: &Path) -> Result<Notes, Failure> {
    let named = |problem: String| Failure::Input(format!("{}: {problem}", path.display()));
    let notes = read::notes(&mut open(path)?).map_err(|error| named(error.to_string()))?;
    if notes.squares.is_empty() {
        return Err(named(
            "its comments do not tell what the variables mean; they would by lines such as \
             `c square 1,2 17` or `c varname 17 x_{1,2}`, as `bezzel encode` writes them"
                .to_owned(),
        ));
    }
    Ok(notes)
}

/// The board that is asked for, or that of the file that was solved.
fn board(arguments: &DecodeArguments, notes: Option<&Notes>) -> Result<Board, Failure> {
    let told = notes.map(Notes::board).transpose().map_err(|error| {
        let file = arguments.cnf.as_deref().unwrap_or(Path::new("")).display();
        Failure::Input(format!("{file}: the comments tell an impossible board: {error}"))
    })?;
    let asked = arguments.board.board()?;
    asked.or(told.flatten()).ok_or_else(|| {
        Failure::Input(
            "which board? Give its size, as in `bezzel decode ANSWER 8`, or --cnf FILE with the \
             comments that `bezzel encode` writes"
                .to_owned(),
        )
    })
}
