//! `bezzel encode`: the formula of a board, as a file.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::format::dimacs::{self, Preamble};
use bezzel_encode::{Board, Encoding, Size};
use bezzel_lab::{Workbench, fit};

use crate::arguments::{EncodeArguments, Format};
use crate::failure::Failure;

/// The largest file that is written.
const MOST_BYTES: u128 = 100 << 30;

pub(crate) fn run(
    arguments: &EncodeArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let board = arguments.board.board()?;
    let encoding = arguments.encoding.find(workbench, &board, None)?;
    if let Some(size) = encoding.size(&board) {
        refuse_endless(&board, &arguments.encoding.encoding, size)?;
    }
    match &arguments.output {
        None => {
            write(arguments, encoding.as_ref(), &board, out)?;
        }
        Some(path) => {
            let size = write_file(path, |file| write(arguments, encoding.as_ref(), &board, file))?;
            writeln!(
                out,
                "{}: {} variables, {} clauses, {} literals",
                path.display(),
                size.variables,
                size.clauses,
                size.literals
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a file that no solver could read and few disks could hold.
fn refuse_endless(board: &Board, encoding: &str, size: Size) -> Result<(), Failure> {
    // A literal takes its digits and a space, a clause its zero and the line's end.
    let digits = u128::from(size.variables.checked_ilog10().unwrap_or(0)) + 1;
    let bytes = size.literals * (digits + 1) + 2 * size.clauses;
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "the board {board} under `{encoding}` has {} clauses, about {} as text; at most {} are \
         written: take a smaller board or another encoding",
        fit::grouped(size.clauses),
        fit::memory(bytes),
        fit::memory(MOST_BYTES)
    )))
}

fn write(
    arguments: &EncodeArguments,
    encoding: &dyn Encoding,
    board: &Board,
    out: impl Write,
) -> Result<Size, Failure> {
    let made_by =
        std::env::args().skip(1).fold(String::from("bezzel"), |line, word| line + " " + &word);
    let numbering = arguments.encoding.numbering();
    match arguments.format {
        Format::Dimacs => {
            let preamble = Preamble::Comments { made_by: &made_by };
            Ok(dimacs::write(encoding, board, &numbering, preamble, out)?)
        }
    }
}

/// Writes a file under another name first, so that a file of this name is whole or untouched.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<Size, Failure>,
) -> Result<Size, Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let refused = |error: std::io::Error| {
        Failure::input(format!("cannot write `{}`: {error}", path.display()))
    };
    let mut file = File::create(&part).map_err(refused)?;
    let written = write(&mut file);
    match written {
        Ok(size) => std::fs::rename(&part, path).map(|()| size).map_err(refused),
        Err(failure) => {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(&part);
            Err(failure)
        }
    }
}
