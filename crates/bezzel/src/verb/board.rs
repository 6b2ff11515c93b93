//! `bezzel board`: a board as a file, drawn by a seed or taken from another form.

use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::board_file;

use crate::arguments::BoardVerbArguments;
use crate::failure::Done;
use crate::output::write_file;

pub(crate) fn run(arguments: &BoardVerbArguments, out: &mut dyn Write) -> Done {
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
