//! `bezzel encode`: the formula of a board, as a file.

use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::format::dimacs::{self, Preamble};
use bezzel_encode::{Board, Encoding, Size};
use bezzel_lab::Workbench;
use bezzel_lab::quantity::{grouped, memory};

use crate::arguments::{EncodeArguments, Format};
use crate::failure::Failure;
use crate::output::write_file;
use crate::provenance;

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
        grouped(size.clauses),
        memory(bytes),
        memory(MOST_BYTES)
    )))
}

fn write(
    arguments: &EncodeArguments,
    encoding: &dyn Encoding,
    board: &Board,
    out: impl Write,
) -> Result<Size, Failure> {
    let made_by = provenance::command_line();
    let numbering = arguments.encoding.numbering();
    match arguments.format {
        Format::Dimacs => {
            let preamble = Preamble::Comments { made_by: &made_by };
            Ok(dimacs::write(encoding, board, &numbering, preamble, out)?)
        }
    }
}
