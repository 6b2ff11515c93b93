//! A board on the command line: its size and its given squares, or a drawing.

use std::path::{Path, PathBuf};

use bezzel_queens::experiment::board_file;
use bezzel_queens::{Board, Geometry, Piece};
use clap::Args;

use crate::failure::Failure;

/// The options that describe a board of a given size, and the file that replaces size and options.
#[derive(Debug, Default, Args)]
pub(super) struct BesideSize {
    /// The board in a file, or in `-` for stdin: drawn with `.`, `Q` and `x`, or as JSON
    #[arg(
        long = "board",
        value_name = "FILE",
        conflicts_with_all = ["size", "torus", "rooks", "queens", "blocked"]
    )]
    pub(super) file: Option<PathBuf>,
    /// Join opposite edges of the board
    #[arg(long)]
    torus: bool,
    /// Place rooks instead of queens
    #[arg(long)]
    rooks: bool,
    /// A given queen: ROW,COLUMN, or the number of its square counted row by row from 1
    #[arg(long = "queen", value_name = "R,C")]
    queens: Vec<String>,
    /// A square that must stay empty, in the same notation
    #[arg(long, value_name = "R,C")]
    blocked: Vec<String>,
}

impl BesideSize {
    /// The option that describes a board, if one is given.
    pub(super) fn option(&self) -> Option<&'static str> {
        let given = [
            (self.torus, "--torus"),
            (self.rooks, "--rooks"),
            (!self.queens.is_empty(), "--queen"),
            (!self.blocked.is_empty(), "--blocked"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// The board in the file, or of this size.
    pub(super) fn board(&self, size: &str) -> Result<Board, Failure> {
        if let Some(file) = &self.file {
            let path = if file.as_os_str() == "-" { Path::new("/dev/stdin") } else { file };
            return board_file::read(path).map_err(Failure::input);
        }
        let geometry = if self.torus { Geometry::Torus } else { Geometry::Plane };
        let piece = if self.rooks { Piece::Rook } else { Piece::Queen };
        let board = Board::read_size(size)
            .and_then(|board| board.try_geometry(geometry))
            .map_err(Failure::input)?
            .with_piece(piece);
        let squares = |given: &[String], option: &str| {
            let read = |text: &String| {
                let square = board.read_square(text);
                square.map_err(|problem| Failure::input(format!("{option} {text}: {problem}")))
            };
            given.iter().map(read).collect::<Result<Vec<_>, _>>()
        };
        let (placed, blocked) =
            (squares(&self.queens, "--queen")?, squares(&self.blocked, "--blocked")?);
        board
            .clone()
            .with_placed(placed)
            .and_then(|board| board.with_blocked(blocked))
            .map_err(Failure::input)
    }
}
