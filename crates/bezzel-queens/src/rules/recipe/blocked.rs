//! Blocked squares: no queen may stand on them.
//!
//! The squares are put into a random order, and the first ⌊density · squares + ½⌋ of them are blocked. The number is
//! therefore exact. Under one seed a denser board blocks all squares that a sparser one blocks. Squares with a given
//! queen, squares that are blocked already, and squares of a solution that is to stay are not in the order. The density
//! still counts all squares of the board.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::InstanceError;
use crate::rules::board::Board;
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// The number of squares for a density.
pub(super) fn number(board: &Board, density: f64) -> Result<usize, InstanceError> {
    if !(0.0..=1.0).contains(&density) {
        return Err(InstanceError::Density(density.to_string()));
    }
    Ok((density * f64::from(board.squares())).round() as usize)
}

/// The squares that may be blocked, in random order.
pub(super) fn order(
    board: &Board,
    spare: Option<&Placement>,
    random: &mut ChaCha8Rng,
) -> Vec<Square> {
    let taken = |square: &Square| {
        board.blocked().binary_search(square).is_ok()
            || board.placed().binary_search(square).is_ok()
    };
    let spared = |square: &Square| spare.is_some_and(|solution| solution.holds(*square));
    let mut order: Vec<Square> =
        board.each_square().filter(|square| !taken(square) && !spared(square)).collect();
    order.shuffle(random);
    order
}
