//! `bezzel check --cnf`: reads a formula of any origin, and the board or the file of constraints that it must state.

use std::io::Write;
use std::mem;
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::format::read::{self, FormulaComments, ReadFormula};
use bezzel_experiment::{Catalog, packing};
use bezzel_problem::Instance;
use bezzel_queens::encode::comments;
use bezzel_queens::experiment::board_file;
use bezzel_queens::{Board, Geometry, Piece};

use super::against;
use crate::arguments::{FormulaArguments, note_unused, read_problem};
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};

pub(super) fn run(
    file: &Path,
    arguments: &FormulaArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Reading);
    let mut read = formula(file)?;
    let instance = if let Some(file) = &arguments.against {
        Instance::from(read_problem(file)?)
    } else {
        let board = board(arguments, &read.notes)?;
        name_squares(&mut read, &board)?;
        board.into()
    };
    note_unused(&instance);
    if against::compare(read, &instance, catalog, arguments.json, out)? {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::Work("the formula is wrong".into()))
    }
}

/// Reads a formula, compressed or not, or stdin.
fn formula(path: &Path) -> Result<ReadFormula, Failure> {
    let failure = |problem: &dyn std::fmt::Display| {
        Failure::input(format!("cannot read `{}`: {problem}", path.display()))
    };
    let path = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
    let mut file = packing::read(path).map_err(|error| failure(&error))?;
    read::dimacs(&mut *file).map_err(|error| failure(&error))
}

/// The named board, or the one in the comments of the formula.
fn board(arguments: &FormulaArguments, notes: &FormulaComments) -> Result<Board, Failure> {
    let Some(named) = &arguments.board else {
        let noted = comments::board(notes).map_err(|problem| {
            Failure::input(format!(
                "the comments of the formula describe an impossible board: {problem}"
            ))
        })?;
        return noted.ok_or_else(|| {
            Failure::input(
                "the comments of the formula describe no board: add `--board 8`, or `--against` and a file of constraints",
            )
        });
    };
    let geometry = if arguments.torus { Geometry::Torus } else { Geometry::Plane };
    let piece = if arguments.rooks { Piece::Rook } else { Piece::Queen };
    match Board::read_size(named) {
        Ok(board) => board.with_piece(piece).try_geometry(geometry).map_err(Failure::input),
        Err(_) if Path::new(named).exists() => {
            if arguments.torus || arguments.rooks {
                return Err(Failure::input(format!(
                    "--board {named}: the file states the geometry and the pieces: remove \
                     `--torus` and `--rooks`"
                )));
            }
            board_file::read(Path::new(named)).map_err(Failure::input)
        }
        Err(problem) => {
            Err(Failure::input(format!("--board {named}: {problem}, or name the file of a board")))
        }
    }
}

/// Turns the squares of the comments into candidates. Without such comments the first variables are the squares, row by
/// row.
fn name_squares(read: &mut ReadFormula, board: &Board) -> Result<(), Failure> {
    let (variables, notes) = (read.formula.variables(), &mut read.notes);
    for (square, cube) in mem::take(&mut notes.squares) {
        if !board.contains(square) {
            return Err(Failure::input(format!("the square {square} is not on the board {board}")));
        }
        notes.candidates.insert(board.candidate(square), cube);
    }
    if notes.candidates.is_empty() && variables < board.squares() {
        let squares = board.squares();
        return Err(Failure::input(format!(
            "the board {board} has {squares} squares, and the formula has {variables} variables: give another `--board`"
        )));
    }
    Ok(())
}
