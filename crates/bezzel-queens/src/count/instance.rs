//! Instances with a required answer: a solution, or none.
//!
//! An instance of a [`Recipe`] may have a solution or not. One that must have one is drawn around a solution that was
//! found first ([`plant`](mod@crate::count::plant)), or, where all solutions are to have the same chance, out of a [`Pool`] of
//! all. One that must have none is drawn again until an exhaustive search has found that there is none.

use crate::{Board, InstanceError, Recipe, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

use crate::backtrack::{Backtrack, MAX_SIDE};
use crate::count::plant::{Planted, plant};
use crate::count::pool::{Picker, Pool};

/// The required answer of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequiredAnswer {
    /// No requirement.
    #[default]
    Any,
    /// With a solution.
    Satisfiable,
    /// With a solution that was drawn before, all of them with the same chance.
    Uniform,
    /// Without a solution.
    Unsatisfiable,
}

/// The number of instances of a seed that are tried for one without a solution.
const ATTEMPTS: u32 = 1_000;
/// The number of pieces that the exhaustive search may try for all of them: some seconds' worth.
const BUDGET: u64 = 50_000_000;

/// The number of nodes and states of a diagram that are kept to draw from all solutions: some seconds' worth, and 150
/// megabytes. Boards of side 15 take less. The number is the same on every machine, so that all machines draw the same
/// instances.
pub const UNIFORM_NODES: u64 = 6_000_000;

/// The reason why there is no such instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The recipe does not fit on the board.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The board itself has no solution.
    #[error("the board {0} has no solution, so no instance of it has one")]
    Impossible(String),
    /// No solution was found to plant.
    #[error("no solution of the board {0} was found to draw an instance around")]
    NotFound(String),
    /// The board has too many solutions to draw from all of them.
    #[error(
        "the board {0} is too large to draw from all of its solutions with the same chance: their \
         diagram takes more than six million nodes and states; take side 15 at most, more squares that \
         are given, or a solution that is merely found"
    )]
    TooMany(String),
    /// The board is too large for an exhaustive search.
    #[error(
        "the board {0} is too large to be searched for an instance without a solution: at most \
         {MAX_SIDE} rows and columns can be"
    )]
    TooLarge(String),
    /// No drawn instance was proved to have no solution.
    #[error(
        "no instance without a solution was found on the board {board} with {recipe} by seed \
         {seed}: {attempts} were drawn"
    )]
    NoneRefuted {
        /// The recipe.
        recipe: String,
        /// The board.
        board: String,
        /// The seed.
        seed: u64,
        /// The number of instances that were drawn.
        attempts: u32,
    },
}

/// Draws an instance of the recipe, in addition to the given squares of `board`. The same arguments give the same
/// instance on every machine.
///
/// # Errors
///
/// When there is none, or none was found.
pub fn draw(
    recipe: &Recipe,
    board: &Board,
    required: RequiredAnswer,
    seed: u64,
) -> Result<Board, DrawError> {
    match required {
        RequiredAnswer::Any => Ok(recipe.draw(board, None, seed, 0)?),
        RequiredAnswer::Uniform => draw_uniform(recipe, board, &mut uniform(board)?.picker(), seed),
        RequiredAnswer::Satisfiable => {
            // Stream 0, from which no recipe draws.
            match plant(board, &mut ChaCha8Rng::seed_from_u64(seed)) {
                Planted::Solution(solution) => Ok(recipe.draw(board, Some(&solution), seed, 0)?),
                Planted::Impossible => Err(DrawError::Impossible(board.to_string())),
                Planted::NotFound => Err(DrawError::NotFound(board.to_string())),
            }
        }
        RequiredAnswer::Unsatisfiable => unsatisfiable(recipe, board, seed),
    }
}

/// All solutions of the board, for callers that draw several instances around them.
///
/// # Errors
///
/// When the board is too large for it.
pub fn uniform(board: &Board) -> Result<Pool, DrawError> {
    if is_too_large(board) {
        return Err(DrawError::TooMany(board.to_string()));
    }
    match Pool::within(board, UNIFORM_NODES) {
        Ok(Some(pool)) => Ok(pool),
        Ok(None) | Err(_) => Err(DrawError::TooMany(board.to_string())),
    }
}

/// True if the diagram of the board surely has more nodes than [`UNIFORM_NODES`]: it has at least 18 open rows, and
/// more than 16 free squares in each of them on average. Side 16 has too many already.
fn is_too_large(board: &Board) -> bool {
    const ROWS: usize = 18;
    const FREE: usize = 16;
    let open = (board.rows() as usize).saturating_sub(board.placed().len());
    if open < ROWS {
        return false;
    }
    let is_open = |square: &Square| {
        let attacked = board.placed().iter().any(|&placed| board.attacks(placed, *square));
        !attacked && !board.placed().contains(square)
    };
    // No blocked square is counted, though some may be attacked as well.
    let free = board.each_square().filter(is_open).take(FREE * open + board.blocked().len() + 1);
    free.count() > FREE * open + board.blocked().len()
}

/// Draws as [`draw`] does for [`RequiredAnswer::Uniform`], out of all solutions of this board.
///
/// # Errors
///
/// When there is none.
pub fn draw_uniform(
    recipe: &Recipe,
    board: &Board,
    picker: &mut Picker<'_>,
    seed: u64,
) -> Result<Board, DrawError> {
    // Stream 0, from which no recipe draws.
    let solution = picker.random(&mut ChaCha8Rng::seed_from_u64(seed));
    let solution = solution.ok_or_else(|| DrawError::Impossible(board.to_string()))?;
    Ok(recipe.draw(board, Some(&solution), seed, 0)?)
}

fn unsatisfiable(recipe: &Recipe, board: &Board, seed: u64) -> Result<Board, DrawError> {
    let mut attempts = 0;
    // Easy instances come first, before a hard one takes all the time.
    for budget in [BUDGET / u64::from(ATTEMPTS), BUDGET / 10] {
        for attempt in 0..ATTEMPTS.min((BUDGET / budget) as u32) {
            attempts += 1;
            let drawn = recipe.draw(board, None, seed, attempt)?;
            let search =
                Backtrack::new(&drawn).ok_or_else(|| DrawError::TooLarge(board.to_string()))?;
            if search.first(budget) == Ok(None) {
                return Ok(drawn);
            }
        }
    }
    let (recipe, board) = (recipe.to_string(), board.to_string());
    Err(DrawError::NoneRefuted { recipe, board, seed, attempts })
}
