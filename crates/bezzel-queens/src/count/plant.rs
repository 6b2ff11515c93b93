//! A random solution, to plant in an instance that must have one.
//!
//! *Small boards*, up to 64 rows and columns: the exhaustive search, which takes the free squares of a row in random
//! order. It begins anew with twice the budget when a budget is spent, and finds out if there is no solution.
//!
//! *Larger ones*: queens stand in all rows, in different columns, and two of them swap columns as long as this reduces
//! the number of attacks. The method finds solutions of large boards on the plane within moments, but cannot find out
//! that there is none.
//!
//! Solutions are not drawn with equal chances; a [`Pool`](crate::count::pool::Pool) of all draws them so.
//!
//! *Source* of the second: R. Sosič, J. Gu, "A polynomial time algorithm for the n-queens problem",
//! SIGART Bulletin 1(3), 1990.

use crate::{Board, Geometry, Piece, Placement, Square};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Backtrack;

/// The budget of the first start of the exhaustive search; each further one has twice as much.
const FIRST_BUDGET: u64 = 10_000;
/// The number of starts of the exhaustive search: it tries ten million pieces in all, in a second or two.
const STARTS: u32 = 10;
/// The number of times that the swaps begin with other columns.
const SHUFFLES: u32 = 50;

/// The result of the search for a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planted {
    /// A solution.
    Solution(Placement),
    /// There is none.
    Impossible,
    /// None was found; there may be one.
    NotFound,
}

/// Finds some solution of the board, with its given queens and without its blocked squares.
pub fn plant(board: &Board, random: &mut ChaCha8Rng) -> Planted {
    if board.rows() > board.columns() {
        return Planted::Impossible;
    }
    let Some(search) = Backtrack::new(board) else { return by_swaps(board, random) };
    for start in 0..STARTS {
        match search.random(FIRST_BUDGET << start, random) {
            Ok(Some(placement)) => return Planted::Solution(placement),
            Ok(None) => return Planted::Impossible,
            Err(_) => {}
        }
    }
    Planted::NotFound
}

fn by_swaps(board: &Board, random: &mut ChaCha8Rng) -> Planted {
    for _ in 0..SHUFFLES {
        let mut queens = Queens::shuffled(board, random);
        while queens.pass(random) {}
        if queens.faults == 0 {
            return Planted::Solution(queens.placement());
        }
    }
    Planted::NotFound
}

/// A queen in every row, all in different columns.
struct Queens<'a> {
    board: &'a Board,
    /// The column of every row's queen, then the columns without one.
    columns: Vec<u32>,
    /// The rows whose queens may move, and the columns without one as further rows.
    movable: Vec<usize>,
    /// The number of queens on each diagonal and antidiagonal.
    diagonals: Vec<u32>,
    antidiagonals: Vec<u32>,
    /// The number of queens on blocked squares, and of queens on diagonals beyond the first one.
    faults: i64,
}

impl<'a> Queens<'a> {
    fn shuffled(board: &'a Board, random: &mut ChaCha8Rng) -> Self {
        let given = board.placed();
        let mut free: Vec<u32> = (0..board.columns()).collect();
        free.retain(|&column| given.iter().all(|queen| queen.column != column));
        free.shuffle(random);
        let mut columns = vec![u32::MAX; board.columns() as usize];
        for queen in given {
            columns[queen.row as usize] = queen.column;
        }
        let open = |&index: &usize| columns[index] == u32::MAX;
        let movable: Vec<usize> = (0..columns.len()).filter(open).collect();
        for (&index, column) in movable.iter().zip(free) {
            columns[index] = column;
        }
        let lines = (board.rows() + board.columns()) as usize;
        let (diagonals, antidiagonals) = (vec![0; lines], vec![0; lines]);
        let mut queens = Self { board, columns, movable, diagonals, antidiagonals, faults: 0 };
        for row in 0..board.rows() as usize {
            queens.put(row, queens.columns[row]);
        }
        queens
    }

    /// Tries to swap every queen that is at fault with some other. True if faults became fewer and some are left.
    fn pass(&mut self, random: &mut ChaCha8Rng) -> bool {
        let before = self.faults;
        let rows = self.board.rows() as usize;
        let shift = random.random_range(0..self.movable.len().max(1));
        for place in 0..self.movable.len() {
            let row = self.movable[place];
            if row >= rows || !self.at_fault(row) {
                continue;
            }
            for step in 0..self.movable.len() {
                let other = self.movable[(shift + step) % self.movable.len()];
                if other != row && self.swap_if_better(row, other) {
                    break;
                }
            }
        }
        self.faults > 0 && self.faults < before
    }

    fn swap_if_better(&mut self, row: usize, other: usize) -> bool {
        let before = self.faults;
        self.swap(row, other);
        if self.faults < before {
            return true;
        }
        self.swap(row, other);
        false
    }

    fn swap(&mut self, row: usize, other: usize) {
        let rows = self.board.rows() as usize;
        for index in [row, other] {
            if index < rows {
                self.take(index, self.columns[index]);
            }
        }
        self.columns.swap(row, other);
        for index in [row, other] {
            if index < rows {
                self.put(index, self.columns[index]);
            }
        }
    }

    fn at_fault(&self, row: usize) -> bool {
        let column = self.columns[row];
        let [diagonal, antidiagonal] = self.lines(row, column);
        self.is_blocked(row, column)
            || self.attacks()
                && (self.diagonals[diagonal] > 1 || self.antidiagonals[antidiagonal] > 1)
    }

    fn put(&mut self, row: usize, column: u32) {
        self.faults += i64::from(self.is_blocked(row, column));
        if self.attacks() {
            let [diagonal, antidiagonal] = self.lines(row, column);
            self.faults += i64::from(self.diagonals[diagonal] > 0);
            self.faults += i64::from(self.antidiagonals[antidiagonal] > 0);
            self.diagonals[diagonal] += 1;
            self.antidiagonals[antidiagonal] += 1;
        }
    }

    fn take(&mut self, row: usize, column: u32) {
        self.faults -= i64::from(self.is_blocked(row, column));
        if self.attacks() {
            let [diagonal, antidiagonal] = self.lines(row, column);
            self.diagonals[diagonal] -= 1;
            self.antidiagonals[antidiagonal] -= 1;
            self.faults -= i64::from(self.diagonals[diagonal] > 0);
            self.faults -= i64::from(self.antidiagonals[antidiagonal] > 0);
        }
    }

    /// True if the board's pieces attack along diagonals.
    fn attacks(&self) -> bool {
        self.board.piece() == Piece::Queen
    }

    fn is_blocked(&self, row: usize, column: u32) -> bool {
        self.board.blocked().binary_search(&Square::new(row as u32, column)).is_ok()
    }

    /// The numbers of the diagonal and of the antidiagonal.
    fn lines(&self, row: usize, column: u32) -> [usize; 2] {
        let (rows, column) = (self.board.rows() as usize, column as usize);
        let [diagonal, antidiagonal] = [column + rows - row, column + row];
        match self.board.geometry() {
            Geometry::Plane => [diagonal, antidiagonal],
            Geometry::Torus => [diagonal % rows, antidiagonal % rows],
        }
    }

    fn placement(&self) -> Placement {
        let rows = 0..self.board.rows();
        rows.zip(&self.columns).map(|(row, &column)| Square::new(row, column)).collect()
    }
}
