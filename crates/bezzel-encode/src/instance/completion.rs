//! Completion: some queens are given, and the others are to be found.
//!
//! Queens are placed one after the other, each on a square drawn from all those that are neither
//! blocked nor attacked, whether the board still has a solution or not. Who runs out of squares
//! begins anew. Of more than about four fifths of the rows this succeeds seldom; queens of a
//! solution can be had in any number.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::board::Board;
use crate::placement::Placement;
use crate::square::Square;

/// How often placing queens begins anew.
const TRIES: u32 = 100;

/// So many queens of a solution, in random order; or the number that there is.
pub(super) fn of(
    solution: &Placement,
    board: &Board,
    queens: u32,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Square>, usize> {
    let given = |square: &Square| board.placed().binary_search(square).is_ok();
    let mut squares: Vec<Square> = solution.squares().filter(|square| !given(square)).collect();
    squares.shuffle(random);
    if squares.len() < queens as usize {
        return Err(squares.len());
    }
    squares.truncate(queens as usize);
    Ok(squares)
}

/// So many queens that attack neither each other nor given ones; or the number of tries in which
/// none were found.
pub(super) fn consistent(
    board: &Board,
    queens: u32,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Square>, u32> {
    let free = |square: &Square| {
        board.blocked().binary_search(square).is_err()
            && !board
                .placed()
                .iter()
                .any(|&queen| queen == *square || board.attacks(queen, *square))
    };
    let free: Vec<Square> = board.each_square().filter(free).collect();
    for _ in 0..TRIES {
        let mut left = free.clone();
        let mut placed = Vec::with_capacity(queens as usize);
        while placed.len() < queens as usize && !left.is_empty() {
            let queen = left[random.random_range(0..left.len())];
            left.retain(|&square| square != queen && !board.attacks(queen, square));
            placed.push(queen);
        }
        if placed.len() == queens as usize {
            return Ok(placed);
        }
    }
    Err(TRIES)
}
