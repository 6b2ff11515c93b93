//! Recipes: boards with given queens or blocked squares, drawn by a seed.
//!
//! The empty board is one instance for each size, and an easy one. A comparison of encodings needs many different
//! instances, some without a solution, and some that are hard. [`blocked`] squares and [`excluded_diagonals`] have a
//! phase transition: few of them leave solutions, many leave none, and instances between are hard. [`completion`] is
//! the classical recipe, and has hard instances rarely (Gent, Jefferson, Nightingale 2017). A [`prefix`] gives the
//! queens of the first rows. Instances without a seed are not here: the torus has no solution exactly if 2 or 3 divides
//! its side, and n + 1 rooks on n columns, the rectangle of n + 1 rows, are the pigeonhole principle.
//!
//! The same recipe, board and seed give the same instance on every machine. Each kind draws from ChaCha8 streams of its
//! own. Under one seed a recipe that asks for more gives all that the recipe that asks for less gives, and more
//! (completion only while no try of either fails). A series therefore goes through the transition step by step.
//!
//! *Source.* I. P. Gent, C. Jefferson, P. Nightingale, "Complexity of n-Queens Completion", Journal
//! of Artificial Intelligence Research 59, 2017.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

use crate::rules::board::{Board, BoardError};
use crate::rules::placement::Placement;
use bezzel_problem::Square;

pub mod blocked;
pub mod completion;
pub mod excluded_diagonals;
pub mod prefix;

/// The most squares of a board on which instances are drawn: those of side 2,000. Rows of evidence
/// name every given square.
pub const MAX_SQUARES: u32 = 4_000_000;

/// The things that are given on a board, their number, and the rule by which they are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// Blocked squares at random. See [`blocked`].
    Blocked {
        /// Their share of all squares: from 0 to 1.
        density: f64,
    },
    /// Queens at random that do not attack each other. See [`completion`].
    Completion {
        /// The number of queens.
        queens: u32,
    },
    /// The queens of the first rows. See [`prefix`].
    Prefix {
        /// The number of rows.
        queens: u32,
    },
    /// All squares of diagonals at random are blocked. See [`excluded_diagonals`].
    ExcludedDiagonals {
        /// The number of diagonals.
        diagonals: u32,
        /// The number of squares of every row and column that stay free at least.
        least_free: u32,
    },
}

/// The reason why there is no such instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// A board on which instances are not drawn.
    #[error(
        "instances are drawn on boards of at most {MAX_SQUARES} squares, and the board {0} has \
         more"
    )]
    TooLarge(String),
    /// A density that is none.
    #[error("the density of blocked squares is from 0 to 1, not {0}")]
    Density(String),
    /// More than the board can hold.
    #[error("{recipe} cannot be drawn on the board {board} by seed {seed}: at most {largest} fit")]
    TooMany {
        /// The recipe.
        recipe: String,
        /// The board.
        board: String,
        /// The seed.
        seed: u64,
        /// The largest number that fits.
        largest: usize,
    },
    /// Nothing was found in `tries` tries.
    #[error(
        "{recipe} without attacks were not found on the board {board} by seed {seed} in {tries} \
         tries: ask for fewer, or for queens of a solution"
    )]
    Stuck {
        /// The recipe.
        recipe: String,
        /// The board.
        board: String,
        /// The seed.
        seed: u64,
        /// The number of tries.
        tries: u32,
    },
    /// The drawn squares contradict the given ones.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl Recipe {
    /// Draws queens or blocked squares in addition to the given ones of `board`.
    ///
    /// A solution in `spare` stays a solution: its squares are not blocked, and given queens are queens of it.
    /// `attempt` counts the instances of one seed, for a search of the first with some property.
    ///
    /// # Errors
    ///
    /// When the board cannot hold as many.
    pub fn draw(
        &self,
        board: &Board,
        spare: Option<&Placement>,
        seed: u64,
        attempt: u32,
    ) -> Result<Board, InstanceError> {
        if board.squares() > MAX_SQUARES {
            return Err(InstanceError::TooLarge(board.to_string()));
        }
        let (stream, too_many) =
            (self.stream(attempt), |largest| self.too_many(board, seed, largest));
        let stuck = |tries| {
            let (recipe, board) = (self.to_string(), board.to_string());
            InstanceError::Stuck { recipe, board, seed, tries }
        };
        let with_more_placed = |queens: Vec<Square>| {
            let queens = board.placed().iter().copied().chain(queens);
            Ok(board.clone().with_placed(queens)?)
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        match *self {
            Self::Blocked { density } => {
                let number = blocked::number(board, density)?;
                let mut order = blocked::order(board, spare, &mut random);
                if order.len() < number {
                    return Err(too_many(order.len()));
                }
                order.truncate(number);
                with_more_blocked(board, order)
            }
            Self::Completion { queens } => {
                let open = board.rows() as usize - board.placed().len();
                if open < queens as usize {
                    return Err(too_many(open));
                }
                with_more_placed(match spare {
                    Some(solution) => {
                        completion::of(solution, board, queens, &mut random).map_err(too_many)?
                    }
                    None => completion::consistent(board, queens, &mut random).map_err(stuck)?,
                })
            }
            Self::Prefix { queens } => {
                if board.rows() < queens {
                    return Err(too_many(board.rows() as usize));
                }
                with_more_placed(match spare {
                    Some(solution) => prefix::of(solution, board, queens),
                    None => prefix::consistent(board, queens, &mut random).map_err(stuck)?,
                })
            }
            Self::ExcludedDiagonals { diagonals, least_free } => {
                let list = excluded_diagonals::list(board, spare, least_free, &mut random);
                let excluded =
                    list.get(..diagonals as usize).ok_or_else(|| too_many(list.len()))?;
                with_more_blocked(board, excluded.iter().flat_map(|line| line.squares(board)))
            }
        }
    }

    /// The ChaCha8 stream of an attempt; numberings have the first few.
    fn stream(&self, attempt: u32) -> u64 {
        let kind: u64 = match self {
            Self::Blocked { .. } => 1,
            Self::Completion { .. } => 2,
            Self::ExcludedDiagonals { .. } => 3,
            Self::Prefix { .. } => 4,
        };
        kind << 32 | u64::from(attempt)
    }

    fn too_many(&self, board: &Board, seed: u64, largest: usize) -> InstanceError {
        let (recipe, board) = (self.to_string(), board.to_string());
        InstanceError::TooMany { recipe, board, seed, largest }
    }
}

/// The board with more squares blocked.
fn with_more_blocked(
    board: &Board,
    squares: impl IntoIterator<Item = Square>,
) -> Result<Board, InstanceError> {
    let blocked: Vec<_> = board.blocked().iter().copied().chain(squares).collect();
    Ok(board.clone().with_blocked(blocked)?)
}

/// As in `3 given queens`, `blocked squares at density 0.3`.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked { density } => write!(f, "blocked squares at density {density}"),
            Self::Completion { queens } => write!(f, "{queens} given queens"),
            Self::Prefix { queens } => write!(f, "queens in the first {queens} rows"),
            Self::ExcludedDiagonals { diagonals, least_free } => {
                write!(f, "{diagonals} excluded diagonals (least-free {least_free})")
            }
        }
    }
}

#[cfg(test)]
mod tests;
