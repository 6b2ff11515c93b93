//! `bezzel board`: a board as a file, with random changes by a seed, or read in another form.

use std::io::Write;
use std::process::ExitCode;

use bezzel_queens::experiment::board_file;

use crate::arguments::BoardCommandArguments;
use crate::failure::CommandResult;
use crate::output::write_file;

pub(crate) fn run(arguments: &BoardCommandArguments, out: &mut dyn Write) -> CommandResult {
    let board = arguments.instance.draw(arguments.board.board()?)?;
    let text = board_file::write(&board, arguments.format.into());
    match &arguments.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            write_file(path, |file| Ok(file.write_all(text.as_bytes())?))?;
            writeln!(out, "{}: the board {board}", path.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
