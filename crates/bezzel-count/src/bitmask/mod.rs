//! A fast exhaustive search: rows as bits of machine words.
//!
//! *Counting.* The pieces go into the rows from the first to the last. What a piece takes is three
//! words: columns, and where diagonals and antidiagonals meet the row, which move on by a column with
//! each row. Many boards are taken at a time, and nothing is asked that a processor cannot foretell
//! (`levels`). Of two mirror images only one is searched where nothing tells left from right: on the
//! empty plane with queens. Where much is given, and on a torus, the row with the fewest free squares
//! comes next, whichever it is (`narrowest`). Boards with the first pieces are what threads share.
//!
//! *Fundamental* solutions are those that come first of their images; nothing is kept to find them.
//!
//! *Enumerating* goes down one board at a time, from the first row to the last, so that solutions come
//! in lexicographic order.
//!
//! *Source.* Bits for columns and diagonals, shifted from row to row: Z. Qiu, "Bit-vector encoding
//! of n-queen problem", ACM SIGPLAN Notices 37 (2), 2002; M. Richards, "Backtracking algorithms in
//! MCPL using bit patterns and recursion", University of Cambridge, 1997.

use std::num::NonZeroUsize;
use std::ops::{Add, ControlFlow};

use bezzel_problem::{Board, Geometry, Piece};

use self::state::{Lines, Plane, Rows, Straight, Torus};
use self::word::Word;
use crate::budget::{Budget, Halt};

mod count;
mod crew;
mod fundamental;
mod least;
mod levels;
mod narrowest;
mod prefixes;
mod state;
mod trail;
mod walk;
mod word;

pub use least::is_least;

/// The most columns of a board that can be searched: a row is a machine word.
pub const MAX_COLUMNS: u32 = u64::BITS;

/// A board, ready to be searched. Threads, memory and time are those of the calls.
#[derive(Clone, Debug)]
pub struct Bitmask {
    board: Board,
    /// For each row, the columns that neither a blocked square nor a placed piece takes: that of the
    /// placed piece, where there is one. Empty if the board has more rows than columns, and therefore
    /// no solution.
    allowed: Vec<u64>,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The number of solutions.
    pub solutions: u128,
    /// The nodes of the search, whatever the number of threads: boards that were looked at to find
    /// them. One mirror image is looked at for both, and of the last two rows of a square no board is
    /// made.
    pub nodes: u64,
}

impl Add for Counted {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { solutions: self.solutions + other.solutions, nodes: self.nodes + other.nodes }
    }
}

impl Bitmask {
    /// Prepares the search of a board; `None` if it has more than [`MAX_COLUMNS`] columns.
    pub fn new(board: &Board) -> Option<Self> {
        if board.columns() > MAX_COLUMNS {
            return None;
        }
        // A piece in each row, no two in one column: by the pigeonhole principle there are no such.
        let solvable = board.rows() <= board.columns();
        let allowed = if solvable { allowed(board) } else { Vec::new() };
        Some(Self { board: board.clone(), allowed })
    }

    /// Counts the solutions. Takes four megabytes of memory for each thread at most; of the budget,
    /// the flag alone matters, which is looked at every few thousand nodes.
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn count(&self, threads: NonZeroUsize, budget: Budget<'_>) -> Result<Counted, Halt> {
        if self.by_narrowest() {
            return narrowest::count(&self.board, &self.allowed, false, threads, budget);
        }
        let mirror = self.board.is_empty()
            && self.board.geometry() == Geometry::Plane
            && self.board.piece() == Piece::Queen
            && self.board.rows() > 1;
        let job = count::Count { columns: self.board.columns(), mirror, threads, budget };
        self.run(job).unwrap_or(Ok(Counted::default()))
    }

    /// Counts the solutions of which turns and reflections that map the board, and what is given on
    /// it, to itself make no other that comes before them: one of each orbit. Memory and budget as in
    /// [`count`](Self::count).
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn fundamental(&self, threads: NonZeroUsize, budget: Budget<'_>) -> Result<Counted, Halt> {
        if self.by_narrowest() {
            return narrowest::count(&self.board, &self.allowed, true, threads, budget);
        }
        let job = fundamental::Count { board: &self.board, threads, budget };
        self.run(job).unwrap_or(Ok(Counted::default()))
    }

    /// Calls `found` with every solution, in lexicographic order, until it says to stop. A solution
    /// is the column of the piece in each row, counted from 0. Tells how many nodes were visited.
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn each(
        &self,
        budget: Budget<'_>,
        found: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64, Halt> {
        self.run(Each { budget, found }).unwrap_or(Ok(0))
    }

    /// The same for those that [`fundamental`](Self::fundamental) counts.
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn each_fundamental(
        &self,
        budget: Budget<'_>,
        found: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64, Halt> {
        let job = fundamental::Each { board: &self.board, budget, found };
        self.run(job).unwrap_or(Ok(0))
    }

    /// Whether it pays to choose the next row at every step: on a torus, and if so much is given that
    /// less than three quarters of the squares are free. On boards of 16 to 20 rows with squares
    /// blocked at random both ways take the same time there.
    fn by_narrowest(&self) -> bool {
        let free: u32 = self.allowed.iter().map(|columns| columns.count_ones()).sum();
        let torus = self.board.geometry() == Geometry::Torus && self.board.piece() == Piece::Queen;
        !self.allowed.is_empty() && (torus || 4 * free < 3 * self.board.squares())
    }

    /// Does something on the board, by words and lines as it has them; `None` if it has no solution
    /// for having more rows than columns.
    fn run<J: Job>(&self, job: J) -> Option<J::Done> {
        if self.allowed.is_empty() {
            return None;
        }
        Some(if self.board.columns() <= u32::BITS {
            self.run_by::<u32, J>(job)
        } else {
            self.run_by::<u64, J>(job)
        })
    }

    fn run_by<W: Word, J: Job>(&self, job: J) -> J::Done {
        let all = W::from_bits(low_bits(self.board.columns()));
        match (self.board.piece(), self.board.geometry()) {
            (Piece::Rook, _) => job.on(&self.rows(all, Straight)),
            (Piece::Queen, Geometry::Plane) => job.on(&self.rows(all, Plane)),
            (Piece::Queen, Geometry::Torus) => {
                job.on(&self.rows(all, Torus { all, last: self.board.columns() - 1 }))
            }
        }
    }

    fn rows<W: Word, L: Lines<W>>(&self, all: W, lines: L) -> Rows<W, L> {
        let allowed = self.allowed.iter().map(|&allowed| W::from_bits(allowed)).collect();
        Rows { all, allowed, lines, square: self.board.is_square() }
    }
}

/// Something to do on a board, of whichever words and lines.
trait Job {
    type Done;

    fn on<W: Word, L: Lines<W>>(self, rows: &Rows<W, L>) -> Self::Done;
}

struct Each<'a, F> {
    budget: Budget<'a>,
    found: F,
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Job for Each<'_, F> {
    type Done = Result<u64, Halt>;

    fn on<W: Word, L: Lines<W>>(self, rows: &Rows<W, L>) -> Self::Done {
        walk::walk(rows, self.budget, self.found)
    }
}

/// For each row, the columns in which its piece may stand.
fn allowed(board: &Board) -> Vec<u64> {
    let mut allowed = vec![low_bits(board.columns()); board.rows() as usize];
    for square in board.blocked() {
        allowed[square.row as usize] &= !(1 << square.column);
    }
    for placed in board.placed() {
        for (row, allowed) in (0..).zip(&mut allowed) {
            *allowed &= if row == placed.row {
                1 << placed.column
            } else {
                !attacked(board, placed.column, placed.row.abs_diff(row))
            };
        }
    }
    allowed
}

/// The columns that a piece in this one attacks so many rows away.
fn attacked(board: &Board, column: u32, distance: u32) -> u64 {
    let width = board.columns();
    let columns = match (board.piece(), board.geometry()) {
        (Piece::Rook, _) => [Some(column), None, None],
        (Piece::Queen, Geometry::Plane) => {
            let right = Some(column + distance).filter(|&right| right < width);
            [Some(column), column.checked_sub(distance), right]
        }
        (Piece::Queen, Geometry::Torus) => {
            let [left, right] = [column + width - distance, column + distance];
            [Some(column), Some(left % width), Some(right % width)]
        }
    };
    columns.into_iter().flatten().fold(0, |columns, column| columns | 1 << column)
}

/// The `count` lowest bits, of 1 to 64.
fn low_bits(count: u32) -> u64 {
    u64::MAX >> (u64::BITS - count)
}
