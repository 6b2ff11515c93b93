//! Boards in files: as drawings in text, or as JSON. JSON begins with a brace; all else is a drawing.

use std::io;
use std::path::Path;

use crate::Board;
use crate::encode::board_text;
use bezzel_problem::Position;
use thiserror::Error;

use bezzel_experiment::input;

/// The largest file, in bytes: a drawing of a board of side 4,000.
pub const LARGEST: u64 = 32 << 20;

/// The forms of a board file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFormat {
    /// A drawing with a line for each row: see [`crate::encode::board_text`].
    Text,
    /// The form of the board in a row of evidence.
    Json,
}

/// An error in a board file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct BoardFileError {
    /// The file, with the line and the character of the fault if they are known; both are counted from 1.
    pub place: String,
    /// The fault.
    pub what: String,
}

/// Reads the text of a board file, without parsing it.
///
/// # Errors
///
/// When the file cannot be read, is too large, or is not text.
pub fn text(path: &Path) -> Result<String, BoardFileError> {
    let refused = |what| BoardFileError { place: path.display().to_string(), what };
    let bytes = input::read(path, LARGEST).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let max = LARGEST >> 20;
            refused(format!("the file is too large: at most {max} MiB are read"))
        }
        _ => refused(format!("the file cannot be read: {error}")),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count();
        refused(format!("the file is not UTF-8 text in line {line}"))
    })
}

/// Reads a board from the text of a file; `path` names it in messages.
///
/// # Errors
///
/// When the text contains no board, with the place in it.
pub fn parse(text: &str, path: &Path) -> Result<Board, BoardFileError> {
    let malformed = |line: u64, column: u64, what| {
        let place = format!("{}:{line}:{column}", path.display());
        BoardFileError { place, what }
    };
    if text.trim_start_matches('\u{FEFF}').trim_start().starts_with('{') {
        return serde_json::from_str(text.trim_start_matches('\u{FEFF}')).map_err(|error| {
            let what = error.to_string();
            // The place is printed before the message, as everywhere.
            let what = what.split(" at line ").next().unwrap_or_default().to_owned();
            // An error of the values as a whole has no place.
            malformed(error.line().max(1) as u64, error.column().max(1) as u64, what)
        });
    }
    board_text::read(text).map_err(|error| {
        let Position { line, column } = error.position.unwrap_or(Position::START);
        malformed(line, column, error.message)
    })
}

/// Reads a board from a file.
///
/// # Errors
///
/// As [`text`] and [`parse`].
pub fn read(path: &Path) -> Result<Board, BoardFileError> {
    parse(&text(path)?, path)
}

/// Returns a board in a form that [`parse`] reads, in whole lines.
pub fn write(board: &Board, format: BoardFormat) -> String {
    match format {
        BoardFormat::Text => board_text::write(board),
        BoardFormat::Json => {
            serde_json::to_string(board).expect("a board has string keys only") + "\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_board_is_the_same_in_both_forms() {
        let board = parse("..Q.\n....\nx...\n....\n", Path::new("board.txt")).unwrap();
        for format in [BoardFormat::Text, BoardFormat::Json] {
            let text = write(&board, format);
            assert_eq!(parse(&text, Path::new("again")).unwrap(), board, "{text}");
        }
    }

    #[test]
    fn an_unreadable_file_is_refused_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |name: &str| read(&folder.path().join(name)).unwrap_err().to_string();
        assert!(refused("missing.txt").contains("missing.txt: the file cannot be read: "));
        assert!(refused("").contains("the file cannot be read: it is a folder"));
        fs::write(folder.path().join("latin"), b"..\n\xE4").unwrap();
        assert!(refused("latin").ends_with("latin: the file is not UTF-8 text in line 2"));
        let sparse = fs::File::create(folder.path().join("sparse")).unwrap();
        sparse.set_len(LARGEST + 1).unwrap();
        assert!(refused("sparse").ends_with("the file is too large: at most 32 MiB are read"));
        let endless = read(Path::new("/dev/zero")).unwrap_err().to_string();
        assert!(endless.ends_with("it is a device, and only regular files are read"), "{endless}");
    }
}
