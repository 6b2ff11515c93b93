//! Completion: some queens are given, and the others are to be found.
//!
//! Queens are placed one after the other. Each square is drawn from all squares that are neither blocked nor attacked;
//! the board may then have no solution. A try without a square left begins anew. With more than about four fifths of
//! the rows this seldom succeeds. Queens of a solution can be given in any number.

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::rules::board::Board;
use crate::rules::line::Family;
use crate::rules::placement::Placement;
use bezzel_problem::Square;

/// The number of times that placing queens begins anew.
const TRIES: u32 = 100;
/// The number of squares that are guessed before the free ones are listed.
const GUESSES: u32 = 64;

/// `queens` queens of a solution, in random order; or the number of queens that there are.
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

/// `queens` queens that attack neither each other nor given ones; or the number of tries in which
/// none were found.
pub(super) fn consistent(
    board: &Board,
    queens: u32,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Square>, u32> {
    tries(board, |free| (0..queens).map(|_| free.place(random)).collect())
}

/// The queens of the first try that places all of them; or the number of tries.
pub(super) fn tries(
    board: &Board,
    mut place: impl FnMut(&mut Free<'_>) -> Option<Vec<Square>>,
) -> Result<Vec<Square>, u32> {
    (0..TRIES).find_map(|_| place(&mut Free::on(board))).ok_or(TRIES)
}

/// The squares on which another queen can be placed.
pub(super) struct Free<'a> {
    board: &'a Board,
    /// The lines that hold a queen, by their first squares.
    taken: HashSet<(Family, Square)>,
    rows: Vec<u32>,
    columns: Vec<u32>,
}

impl<'a> Free<'a> {
    pub(super) fn on(board: &'a Board) -> Self {
        let (rows, columns) = ((0..board.rows()).collect(), (0..board.columns()).collect());
        let mut free = Self { board, taken: HashSet::new(), rows, columns };
        for &queen in board.placed() {
            free.take(queen);
        }
        free
    }

    pub(super) fn holds(&self, square: Square) -> bool {
        let start = |family| self.board.line_through(square, family).start();
        let attacked = |&family: &Family| self.taken.contains(&(family, start(family)));
        self.board.blocked().binary_search(&square).is_err()
            && !self.board.families().iter().any(attacked)
    }

    pub(super) fn take(&mut self, queen: Square) {
        let start = |family| self.board.line_through(queen, family).start();
        self.taken.extend(self.board.families().iter().map(|&family| (family, start(family))));
        self.rows.retain(|&row| row != queen.row);
        self.columns.retain(|&column| column != queen.column);
    }

    /// Places a queen on one of the free squares, each with the same chance, if there is one.
    fn place(&mut self, random: &mut ChaCha8Rng) -> Option<Square> {
        if self.rows.is_empty() || self.columns.is_empty() {
            return None;
        }
        let (rows, columns) = (self.rows.len(), self.columns.len());
        // With many free squares a guess soon finds one; otherwise they are listed.
        let guess = (0..GUESSES).find_map(|_| {
            let row = self.rows[random.random_range(0..rows)];
            let square = Square::new(row, self.columns[random.random_range(0..columns)]);
            self.holds(square).then_some(square)
        });
        let queen = guess.or_else(|| {
            let open = self
                .rows
                .iter()
                .flat_map(|&row| self.columns.iter().map(move |&column| Square::new(row, column)));
            let free: Vec<Square> = open.filter(|&square| self.holds(square)).collect();
            (!free.is_empty()).then(|| free[random.random_range(0..free.len())])
        })?;
        self.take(queen);
        Some(queen)
    }
}
