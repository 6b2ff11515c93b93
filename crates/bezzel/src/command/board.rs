//! `bezzel board`: a board as a file, as its size, its file or an entry of a config states it.

use std::io::Write;
use std::process::ExitCode;

use bezzel_queens::Board;
use bezzel_queens::experiment::board_file::{self, BoardFormat};

use crate::arguments::BoardCommandArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::output::write_file;

pub(crate) fn run(arguments: &BoardCommandArguments, out: &mut dyn Write) -> CommandResult {
    let instance = arguments.problem.instance()?;
    let board = Board::of(&instance).ok_or_else(|| {
        Failure::Input(format!("`{instance}` is no board: `board` writes boards"))
    })?;
    let format = if arguments.json { BoardFormat::Json } else { BoardFormat::Text };
    let text = board_file::write(board, format);
    match &arguments.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => {
            write_file(path, |file| Ok(file.write_all(text.as_bytes())?))?;
            writeln!(out, "{}: the board {board}", shown(path))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
