//! A fast exhaustive search: rows as bits of machine words.
//!
//! *Counting.* The pieces go into the rows from the first to the last. The lines of the pieces are three words:
//! columns, and the columns in which diagonals and antidiagonals meet the row, which move on by a column with each row.
//! Many boards are extended at a time, without branches that a processor cannot predict (`levels`). Of two mirror
//! images only one is searched where the board is its own mirror image: on the empty plane with queens. Where much is
//! given, and on a torus, the row with the fewest free squares comes next (`narrowest`). Threads share boards with the
//! first pieces.
//!
//! *Enumerating* goes down one board at a time, from the first row to the last, so that solutions come
//! in lexicographic order.
//!
//! *Source.* Bits for columns and diagonals, shifted from row to row: Z. Qiu, "Bit-vector encoding
//! of n-queen problem", ACM SIGPLAN Notices 37 (2), 2002; M. Richards, "Backtracking algorithms in
//! MCPL using bit patterns and recursion", University of Cambridge, 1997.

use std::num::NonZeroUsize;
use std::ops::{Add, ControlFlow};

use crate::{Board, Geometry, Piece};

use self::state::{BoardRows, DiagonalStep, NoDiagonals, PlaneDiagonals, TorusDiagonals};
use self::word::Word;
use bezzel_count::budget::{Budget, Halt};

mod count;
mod levels;
mod narrowest;
mod prefixes;
mod state;
mod tasks;
mod walk;
mod word;

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

/// The result of a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The number of solutions.
    pub solutions: u128,
    /// The nodes of the search, for any number of threads: boards that were visited to find the solutions. One mirror
    /// image is visited for both, and of the last two rows of a square no board is made.
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

    /// Counts the solutions. Takes at most four megabytes of memory for each thread; of the budget, only the flag is
    /// used, which is read every few thousand nodes.
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn count(&self, threads: NonZeroUsize, budget: Budget<'_>) -> Result<Counted, Halt> {
        if self.by_narrowest() {
            return narrowest::count(&self.board, &self.allowed, threads, budget);
        }
        let mirror = self.board.is_empty()
            && self.board.geometry() == Geometry::Plane
            && self.board.piece() == Piece::Queen
            && self.board.rows() > 1;
        let job = count::CountJob { columns: self.board.columns(), mirror, threads, budget };
        self.run(job).unwrap_or(Ok(Counted::default()))
    }

    /// Calls `found` with every solution, in lexicographic order, until it breaks. A solution is the column of the
    /// piece in each row, counted from 0. Returns the number of visited nodes.
    ///
    /// # Errors
    ///
    /// When the flag is set before the end.
    pub fn each(
        &self,
        budget: Budget<'_>,
        found: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64, Halt> {
        self.run(EnumerationJob { budget, found }).unwrap_or(Ok(0))
    }

    /// True if it pays to choose the next row at every step: on a torus, and if less than three quarters of the squares
    /// are free. On boards of 16 to 20 rows with squares blocked at random both ways take the same time there.
    fn by_narrowest(&self) -> bool {
        let free: u32 = self.allowed.iter().map(|columns| columns.count_ones()).sum();
        let torus = self.board.geometry() == Geometry::Torus && self.board.piece() == Piece::Queen;
        !self.allowed.is_empty() && (torus || 4 * free < 3 * self.board.squares())
    }

    /// Runs a job on the board, with its kind of words and lines; `None` if it has no solution because it has more rows
    /// than columns.
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
            (Piece::Rook, _) => job.on(&self.rows(all, NoDiagonals)),
            (Piece::Queen, Geometry::Plane) => job.on(&self.rows(all, PlaneDiagonals)),
            (Piece::Queen, Geometry::Torus) => {
                job.on(&self.rows(all, TorusDiagonals { all, last: self.board.columns() - 1 }))
            }
        }
    }

    fn rows<W: Word, L: DiagonalStep<W>>(&self, all: W, lines: L) -> BoardRows<W, L> {
        let allowed = self.allowed.iter().map(|&allowed| W::from_bits(allowed)).collect();
        BoardRows { all, allowed, lines, square: self.board.is_square() }
    }
}

/// A job on a board, for any words and lines.
trait Job {
    type Done;

    fn on<W: Word, L: DiagonalStep<W>>(self, rows: &BoardRows<W, L>) -> Self::Done;
}

struct EnumerationJob<'a, F> {
    budget: Budget<'a>,
    found: F,
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Job for EnumerationJob<'_, F> {
    type Done = Result<u64, Halt>;

    fn on<W: Word, L: DiagonalStep<W>>(self, rows: &BoardRows<W, L>) -> Self::Done {
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

/// The columns that a piece in `column` attacks in a row at this distance.
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
