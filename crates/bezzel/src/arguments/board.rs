//! A board on the command line: its size and its given squares, or a drawing.

use std::path::{Path, PathBuf};

use bezzel_queens::count::RequiredAnswer;
use bezzel_queens::count::instance::draw;
use bezzel_queens::experiment::board_file::{self, BoardFormat};
use bezzel_queens::{Board, Geometry, Piece, Recipe};
use clap::{Args, ValueEnum};

use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct BoardArguments {
    /// The number of rows and columns, or both as in 8x10
    #[arg(value_name = "N", required_unless_present = "file")]
    size: Option<String>,
    #[command(flatten)]
    beside: BesideSize,
}

impl BoardArguments {
    /// The board.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        self.beside.board(self.size.as_deref().unwrap_or_default())
    }
}

/// The options that describe a board of a given size, and the file that replaces size and options.
#[derive(Debug, Args)]
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

/// The random changes to a board.
#[derive(Debug, Args)]
#[group(id = "recipe", multiple = false)]
struct RecipeArguments {
    /// Block this share of the squares at random, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    blocked_density: Option<f64>,
    /// Give this number of queens that do not attack each other
    #[arg(long, value_name = "QUEENS")]
    completion: Option<u32>,
    /// Give the queens of this number of first rows, which do not attack each other
    #[arg(long, value_name = "ROWS")]
    prefix: Option<u32>,
    /// Block this number of whole diagonals
    #[arg(long, value_name = "DIAGONALS")]
    excluded_diagonals: Option<u32>,
}

/// The answer that an instance must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answer {
    /// It has a solution
    Sat,
    /// It has none, by exhaustive search
    Unsat,
}

/// The solution that an instance is drawn around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Planted {
    /// Any solution that a search finds
    Found,
    /// A solution drawn uniformly at random, on boards whose solutions can all be found
    Uniform,
}

#[derive(Debug, Args)]
pub(crate) struct InstanceArguments {
    #[command(flatten)]
    recipe: RecipeArguments,
    /// Leave this number of squares of every row and column free of excluded diagonals
    #[arg(long, value_name = "SQUARES", default_value_t = 1, requires = "excluded_diagonals")]
    least_free: u32,
    /// Draw a board with a solution, or without
    #[arg(long, value_enum, requires = "recipe")]
    answer: Option<Answer>,
    /// Draw a board around a solution, and how to choose that
    #[arg(long, value_enum, requires = "recipe")]
    planted: Option<Planted>,
    /// The seed: equal seeds draw equal boards everywhere
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "recipe")]
    seed: u64,
}

impl InstanceArguments {
    /// The board with the random changes, if there are any.
    pub(crate) fn draw(&self, board: Board) -> Result<Board, Failure> {
        let RecipeArguments { blocked_density, completion, prefix, excluded_diagonals } =
            self.recipe;
        let recipe = match (blocked_density, completion, prefix, excluded_diagonals) {
            (Some(density), ..) => Recipe::Blocked { density },
            (_, Some(queens), ..) => Recipe::Completion { queens },
            (_, _, Some(queens), _) => Recipe::Prefix { queens },
            (.., Some(diagonals)) => {
                Recipe::ExcludedDiagonals { diagonals, least_free: self.least_free }
            }
            (None, None, None, None) => return Ok(board),
        };
        let wanted = match (self.answer, self.planted) {
            (Some(Answer::Unsat), Some(_)) => {
                return Err(Failure::Input(
                    "--planted draws boards with a solution, and `--answer unsat` asks for boards \
                     without: remove one of the two"
                        .into(),
                ));
            }
            (_, Some(Planted::Uniform)) => RequiredAnswer::Uniform,
            (Some(Answer::Sat), _) | (_, Some(Planted::Found)) => RequiredAnswer::Satisfiable,
            (Some(Answer::Unsat), None) => RequiredAnswer::Unsatisfiable,
            (None, None) => RequiredAnswer::Any,
        };
        draw(&recipe, &board, wanted, self.seed).map_err(Failure::input)
    }
}

/// Forms of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardForm {
    /// A drawing: `.` is free, `Q` a given queen, `x` blocked
    Text,
    /// The JSON of a board in a row of evidence
    Json,
}

impl From<BoardForm> for BoardFormat {
    fn from(form: BoardForm) -> Self {
        match form {
            BoardForm::Text => Self::Text,
            BoardForm::Json => Self::Json,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct BoardCommandArguments {
    #[command(flatten)]
    pub(crate) board: BoardArguments,
    #[command(flatten)]
    pub(crate) instance: InstanceArguments,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = BoardForm::Text)]
    pub(crate) format: BoardForm,
    /// The file to write; stdout if there is none
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
