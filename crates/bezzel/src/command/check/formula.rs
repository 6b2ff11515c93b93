//! `bezzel check --cnf`: a formula of any origin.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::format::read::{self, FormulaComments};
use bezzel_encode::properties::PropertyFinding;
use bezzel_encode::{Lit, VarMap};
use bezzel_experiment::Catalog;
use bezzel_experiment::quantity::grouped;
use bezzel_problem::FileError;
use bezzel_queens::encode::comments;
use bezzel_queens::encode::properties::{Examination, MissedConsequence, can_be_listed, examine};
use bezzel_queens::experiment::board_file;
use bezzel_queens::{Board, Geometry, Piece, Square};
use serde::Serialize;

use super::proof::{Proof, prove};
use super::reason;
use crate::arguments::FormulaArguments;
use crate::command::common::print_json;
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};
use crate::progress::Waiting;
use bezzel_experiment::packing;

/// Reasons are searched on boards of at most this many squares.
const MAX_REASONED: usize = 2_500;

/// The largest number of variables, and of squares, that are examined. Each takes some dozens of bytes, even if the
/// formula does not use it.
const MAX_EXAMINED: u32 = 1 << 24;

/// The result of the examination, and the reasons why a formula is wrong.
#[derive(Serialize)]
struct ExaminationReport<'a> {
    #[serde(flatten)]
    examination: &'a Examination,
    reasons: Vec<String>,
}

pub(super) fn run(
    file: &Path,
    arguments: &FormulaArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Reading);
    let read = in_file(file, |mut from| read::dimacs(&mut from))?;
    let board = board(arguments, &read.notes)?;
    let (variables, squares) = (read.formula.variables(), board.squares());
    for (whose, what, number) in
        [("formula", "variables", variables), ("board", "squares", squares)]
    {
        if number > MAX_EXAMINED {
            let (number, max) = (grouped(number.into()), grouped(MAX_EXAMINED.into()));
            return Err(Failure::input(format!(
                "the {whose} has {number} {what}; at most {max} are examined: take a smaller board"
            )));
        }
    }
    let cubes = match &arguments.map {
        Some(map) => in_file(map, |mut from| read::map(&mut from))?,
        None if !read.notes.squares.is_empty() => read.notes.squares.clone(),
        None => in_order(&board),
    };
    let map = map(&board, &cubes, variables)?;
    phase::begin(Phase::Checking);
    let mut waiting = Waiting::new();
    let proof = if can_be_listed(&board) {
        None
    } else {
        waiting.step("a solver searches for a wrongly allowed board");
        Some(prove(&read.formula, &map, &board, catalog)?)
    };
    // A larger board has too many pairs to examine one by one.
    let kept =
        (board.each_square().count() <= MAX_REASONED).then(|| (read.formula.clone(), map.clone()));
    let mut examination = examine(read.formula, map, &board, |step| waiting.step(step));
    match &proof {
        Some(Proof::Proved) => examination.prove(&board, None),
        Some(Proof::Refuted(placement)) => examination.prove(&board, Some(placement)),
        Some(Proof::GaveUp) | None => {}
    }
    let mut reasons = Vec::new();
    if let Some((formula, cubes)) = kept.filter(|_| !examination.is_right()) {
        waiting.step("searching reasons");
        reasons = reason::reasons(&formula, &cubes, &board);
    }
    waiting.finish();
    let report = ExaminationReport { examination: &examination, reasons };
    if arguments.json {
        print_json(&report, out)?;
    } else {
        print_report(&board, &report, out)?;
    }
    if examination.is_right() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::Work("the formula is wrong".into()))
    }
}

/// Reads a file, or stdin for `-`.
pub(super) fn in_file<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, FileError>,
) -> Result<T, Failure> {
    let failure = |problem: &dyn std::fmt::Display| {
        Failure::input(format!("cannot read `{}`: {problem}", path.display()))
    };
    let path = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
    let mut file = packing::read(path).map_err(|error| failure(&error))?;
    read(&mut *file).map_err(|error| failure(&error))
}

/// The given board, or else the board in the formula's comments.
fn board(arguments: &FormulaArguments, notes: &FormulaComments) -> Result<Board, Failure> {
    let Some(named) = &arguments.board else {
        let noted = comments::board(notes).map_err(|problem| {
            Failure::input(format!(
                "the comments of the formula describe an impossible board: {problem}"
            ))
        })?;
        let Some(noted) = noted else {
            return Err(Failure::input(
                "the comments of the formula describe no board: add `--board 8`, or `--against` and a file of constraints",
            ));
        };
        return Ok(noted);
    };
    let geometry = if arguments.torus { Geometry::Torus } else { Geometry::Plane };
    let piece = if arguments.rooks { Piece::Rook } else { Piece::Queen };
    match Board::read_size(named) {
        Ok(board) => Ok(board.with_piece(piece).try_geometry(geometry).map_err(Failure::input)?),
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

/// Variable (r - 1) * columns + c for the square in row r and column c.
fn in_order(board: &Board) -> BTreeMap<Square, Vec<Lit>> {
    board.each_square().zip((0..).map(|index| vec![Lit::positive(index)])).collect()
}

fn map(
    board: &Board,
    cubes: &BTreeMap<Square, Vec<Lit>>,
    variables: u32,
) -> Result<VarMap, Failure> {
    if let Some(square) = cubes.keys().find(|&&square| !board.contains(square)) {
        return Err(Failure::input(format!("the square {square} is not on the board {board}")));
    }
    let mut each = Vec::new();
    for square in board.each_square() {
        let Some(cube) = cubes.get(&square) else {
            return Err(Failure::input(format!(
                "no literals are known for a queen on {square}: give a `--map`"
            )));
        };
        if let Some(lit) = cube.iter().find(|lit| lit.vidx32() >= variables) {
            return Err(Failure::input(format!(
                "the square {square} is variable {}, and the formula has {variables}: give \
                 another `--board`, or a `--map`",
                lit.vidx32() + 1
            )));
        }
        each.push(cube.iter().copied());
    }
    Ok(VarMap::from_cubes(each))
}

fn print_report(
    board: &Board,
    report: &ExaminationReport<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let ExaminationReport { examination: found, reasons } = report;
    writeln!(
        out,
        "The board {board}: {} variables, of which {} auxiliary; {} clauses.",
        grouped(found.variables.into()),
        grouped(found.auxiliary.into()),
        grouped(found.clauses as u128)
    )?;
    for odd in &found.odd {
        writeln!(out, "It has {odd}.")?;
    }
    correct(board, found, reasons, out)?;
    propagation(found, out)?;
    if let Some(models) = found.models {
        let solutions = models.solutions;
        match models.models {
            Some(0) => writeln!(out, "\nModels: none.")?,
            None => writeln!(out, "\nModels: too many to be counted.")?,
            Some(count) => writeln!(
                out,
                "\nModels: {} for {} placements, {} for each{}.",
                grouped(count),
                grouped(solutions.into()),
                if count == u128::from(solutions) {
                    "one".into()
                } else {
                    format!("{:.1}", count as f64 / solutions as f64)
                },
                if models.several { ": count projected onto the squares" } else { "" }
            )?,
        }
    }
    Ok(())
}

fn correct(
    board: &Board,
    found: &Examination,
    reasons: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let verdict = if !found.is_right() {
        "NO"
    } else if found.listed || (found.proved == Some(true) && found.sampled.undecided == 0) {
        "yes"
    } else {
        "no fault was found, but not all placements could be decided"
    };
    write!(out, "\nCorrect: {verdict}.")?;
    if !reasons.is_empty() {
        writeln!(out)?;
        for reason in reasons {
            writeln!(out, "  {reason}.")?;
        }
        write!(out, " ")?;
    }
    if let (Some(solutions), true) = (found.solutions, found.listed) {
        writeln!(
            out,
            " All allowed boards were listed: {}{}.",
            match found.forbidden {
                0 => format!("all {} solutions", grouped(solutions.into())),
                forbidden => format!(
                    "{} of the {} solutions",
                    grouped((solutions - forbidden).into()),
                    grouped(solutions.into())
                ),
            },
            match found.wrong {
                0 => " and nothing else".to_owned(),
                1 => ", and 1 wrong board".to_owned(),
                wrong => format!(", and {} wrong boards", grouped(wrong.into())),
            }
        )?;
    } else {
        if found.wrong > 0 {
            write!(
                out,
                " At least {} wrong {} allowed.",
                grouped(found.wrong.into()),
                if found.wrong == 1 { "board is" } else { "boards are" }
            )?;
        }
        match found.proved {
            Some(true) => {
                write!(out, " A solver has shown that it allows nothing but solutions.")?;
            }
            None if !can_be_listed(board) => {
                write!(out, " A solver did not decide in time if it allows anything else.")?;
            }
            Some(false) | None => {}
        }
        writeln!(
            out,
            " Not all allowed boards were listed; {} tried by a seed, {} of them {}{}.",
            match found.sampled.sampled {
                1 => "1 placement was".to_owned(),
                sampled => format!("{sampled} placements were"),
            },
            found.sampled.right,
            if found.sampled.right == 1 { "a solution" } else { "solutions" },
            match found.sampled.undecided {
                0 => String::new(),
                undecided => format!(", of which the search gave up {undecided}"),
            }
        )?;
    }
    found.faults.iter().try_for_each(|fault| finding(fault, out))
}

fn finding(
    PropertyFinding { what, drawing }: &PropertyFinding,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "  {what}")?;
    for line in drawing.lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Prints the completeness of unit propagation. Incomplete propagation is no fault of a formula.
fn propagation(found: &Examination, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "\nUnit propagation (an implication that it does not find is no fault):")?;
    match found.one_queen {
        None => {
            writeln!(out, "One queen, one attacked square: not tried, the board is too large.")?;
        }
        Some(level) => writeln!(
            out,
            "One queen, one attacked square: {level} propagation{}.",
            found
                .attack_missed
                .as_ref()
                .map_or(String::new(), |missed| format!("; {}", missed.what))
        )?,
    }
    for (name, missed) in
        [("One line after the other", &found.by_lines), ("All rules together", &found.by_rules)]
    {
        match missed {
            None => writeln!(out, "{name}: not tried, the board is too large.")?,
            Some(MissedConsequence::Nothing) => {
                writeln!(out, "{name}: unit propagation misses nothing.")?;
            }
            Some(MissedConsequence::NothingUpTo(squares)) => writeln!(
                out,
                "{name}: unit propagation misses nothing where at most {squares} squares are \
                 known; more were not tried."
            )?,
            Some(MissedConsequence::First(_)) => {
                writeln!(out, "{name}: incomplete; `--json` has the smallest case, drawn.")?;
            }
        }
    }
    if let Some(strength) = found.strength {
        writeln!(
            out,
            "On {} partial boards by a seed, unit propagation finds {} of {} implied squares (one line after \
             the other implies {}), and a conflict on {} of {} boards without a solution (one line after the \
             other: {}).",
            grouped(strength.boards.into()),
            grouped(strength.found.into()),
            grouped(strength.implied.into()),
            grouped(strength.by_lines.into()),
            grouped(strength.dead_found.into()),
            grouped(strength.dead.into()),
            grouped(strength.dead_by_lines.into())
        )?;
    }
    Ok(())
}
