//! Exhaustive search for solutions, row by row.
//!
//! The next row is always one with the fewest free squares left, so that a dead end is found early. Rows, columns and
//! diagonals are bits of machine words. The search shares no code with encodings, nor with the lines of the board that
//! they use.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use bezzel_problem::Square;

use crate::rules::{
    board::{Board, Geometry, Piece},
    placement::Placement,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The most rows, and the most columns, of a board that can be searched: a row is a machine word.
pub const MAX_SIDE: u32 = 64;

/// A board, ready to be searched.
#[derive(Clone, Debug)]
pub struct Backtrack {
    rows: u32,
    columns: u32,
    geometry: Geometry,
    piece: Piece,
    /// For each row, the columns in which its piece may stand: that of the placed one, or those of
    /// all squares that are not blocked.
    allowed: Vec<u64>,
}

/// The search was given up before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSpent {
    /// The number of pieces that it was allowed to try.
    pub nodes: u64,
}

impl fmt::Display for BudgetSpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the search was given up after {} nodes", self.nodes)
    }
}

impl Error for BudgetSpent {}

impl Backtrack {
    /// Prepares the search of a board; `None` if it has more than [`MAX_SIDE`] rows or columns.
    pub fn new(board: &Board) -> Option<Self> {
        let (rows, columns) = (board.rows(), board.columns());
        if rows.max(columns) > MAX_SIDE {
            return None;
        }
        let mut allowed = vec![low_bits(columns); rows as usize];
        for square in board.blocked() {
            allowed[square.row as usize] &= !bit(square.column);
        }
        for square in board.placed() {
            allowed[square.row as usize] &= bit(square.column);
        }
        Some(Self { rows, columns, geometry: board.geometry(), piece: board.piece(), allowed })
    }

    /// Finds one solution, or proves that there is none.
    ///
    /// # Errors
    ///
    /// When `budget` pieces have been tried without a result.
    pub fn first(&self, budget: u64) -> Result<Option<Placement>, BudgetSpent> {
        let mut first = None;
        self.each(budget, |placement| {
            first = Some(placement);
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// Finds one solution, or proves that there is none, taking the free squares of a row in random order.
    ///
    /// # Errors
    ///
    /// When `budget` pieces have been tried without a result.
    pub fn random(
        &self,
        budget: u64,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Placement>, BudgetSpent> {
        let mut first = None;
        self.search(budget, Some(random), &mut |columns| {
            first = Some(placement(columns));
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// Counts the solutions.
    ///
    /// # Errors
    ///
    /// When `budget` pieces have been tried and the search is not at its end.
    pub fn count(&self, budget: u64) -> Result<u128, BudgetSpent> {
        let mut count = 0;
        self.search(budget, None, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// Calls `found` with every solution, in no particular order, until it breaks.
    ///
    /// # Errors
    ///
    /// When `budget` pieces have been tried and the search is not at its end.
    pub fn each(
        &self,
        budget: u64,
        mut found: impl FnMut(Placement) -> ControlFlow<()>,
    ) -> Result<(), BudgetSpent> {
        self.search(budget, None, &mut |columns| found(placement(columns)))
    }

    /// Calls `found` with the columns of every solution, row by row.
    fn search(
        &self,
        budget: u64,
        random: Option<&mut ChaCha8Rng>,
        found: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), BudgetSpent> {
        if self.rows > self.columns {
            // A piece in each row, no two in one column: by the pigeonhole principle there are no solutions, and a
            // search would take too long to find out.
            return Ok(());
        }
        let columns = vec![0; self.rows as usize];
        let mut search = BacktrackSearch { board: self, left: budget, columns, random, found };
        match search.visit(Taken::none(self.rows)) {
            ControlFlow::Break(SearchStop::Budget) => Err(BudgetSpent { nodes: budget }),
            ControlFlow::Break(SearchStop::Query) | ControlFlow::Continue(()) => Ok(()),
        }
    }
}

type Flow = ControlFlow<()>;

/// A piece in each row, by its column.
fn placement(columns: &[u32]) -> Placement {
    columns.iter().zip(0..).map(|(&column, row)| Square::new(row, column)).collect()
}

/// The reason why a search stops before its end.
enum SearchStop {
    /// Its budget is spent.
    Budget,
    /// The caller needs no further solutions.
    Query,
}

/// The rows, columns and diagonals that pieces have taken so far.
#[derive(Clone, Copy)]
struct Taken {
    /// The rows that are still without a piece.
    open: u64,
    columns: u64,
    /// Diagonals, numbered by column − row: from rows − 1 to the left on the plane, modulo the
    /// side on the torus.
    diagonals: u128,
    /// Antidiagonals, numbered by column + row: modulo the side on the torus.
    antidiagonals: u128,
}

impl Taken {
    fn none(rows: u32) -> Self {
        Self { open: low_bits(rows), columns: 0, diagonals: 0, antidiagonals: 0 }
    }
}

struct BacktrackSearch<'a> {
    board: &'a Backtrack,
    /// The number of further pieces that may be tried.
    left: u64,
    /// The column of the piece in each row that has one.
    columns: Vec<u32>,
    /// The generator that chooses among the free squares of a row; without it, the leftmost comes first.
    random: Option<&'a mut ChaCha8Rng>,
    found: &'a mut dyn FnMut(&[u32]) -> Flow,
}

impl BacktrackSearch<'_> {
    fn visit(&mut self, taken: Taken) -> ControlFlow<SearchStop> {
        let Some((row, mut free)) = self.board.narrowest(&taken) else {
            return (self.found)(&self.columns).map_break(|()| SearchStop::Query);
        };
        while free != 0 {
            let Some(left) = self.left.checked_sub(1) else {
                return ControlFlow::Break(SearchStop::Budget);
            };
            self.left = left;
            let column = match &mut self.random {
                None => free.trailing_zeros(),
                Some(random) => nth_bit(free, random.random_range(0..free.count_ones())),
            };
            free &= !bit(column);
            self.columns[row as usize] = column;
            self.visit(self.board.take(taken, row, column))?;
        }
        ControlFlow::Continue(())
    }
}

impl Backtrack {
    /// The open row with the fewest free squares, and those; `None` if no row is open.
    fn narrowest(&self, taken: &Taken) -> Option<(u32, u64)> {
        let mut open = taken.open;
        let mut narrowest = None;
        let mut fewest = u32::MAX;
        while open != 0 && fewest > 1 {
            let row = open.trailing_zeros();
            open &= open - 1;
            let free = self.free(taken, row);
            if free.count_ones() < fewest {
                fewest = free.count_ones();
                narrowest = Some((row, free));
            }
        }
        narrowest
    }

    /// The columns in which a piece can stand in this row.
    fn free(&self, taken: &Taken, row: u32) -> u64 {
        let mut free = self.allowed[row as usize] & !taken.columns;
        if self.piece == Piece::Queen {
            // Every diagonal is moved to the column in which it meets the row.
            let (diagonals, antidiagonals) = match self.geometry {
                Geometry::Plane => {
                    let diagonals = taken.diagonals >> (self.rows - 1 - row);
                    (diagonals as u64, (taken.antidiagonals >> row) as u64)
                }
                Geometry::Torus => (
                    self.around(taken.diagonals as u64, row),
                    self.around(taken.antidiagonals as u64, self.columns - row),
                ),
            };
            free &= !(diagonals | antidiagonals);
        }
        free
    }

    /// The lowest bits, as many as the board is wide, moved up by `by` columns and around.
    fn around(&self, bits: u64, by: u32) -> u64 {
        let by = by % self.columns;
        if by == 0 {
            bits
        } else {
            (bits << by | bits >> (self.columns - by)) & low_bits(self.columns)
        }
    }

    /// The taken lines with one more piece on the board.
    fn take(&self, taken: Taken, row: u32, column: u32) -> Taken {
        let (diagonal, antidiagonal) = match self.geometry {
            Geometry::Plane => (column + self.rows - 1 - row, column + row),
            Geometry::Torus => {
                ((column + self.columns - row) % self.columns, (column + row) % self.columns)
            }
        };
        Taken {
            open: taken.open & !bit(row),
            columns: taken.columns | bit(column),
            diagonals: taken.diagonals | 1 << diagonal,
            antidiagonals: taken.antidiagonals | 1 << antidiagonal,
        }
    }
}

fn bit(index: u32) -> u64 {
    1 << index
}

/// The place of the bit that is set and has `n` set ones below it.
fn nth_bit(mut bits: u64, n: u32) -> u32 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

/// The `count` lowest bits, of 1 to 64.
fn low_bits(count: u32) -> u64 {
    u64::MAX >> (u64::BITS - count)
}
