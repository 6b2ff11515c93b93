//! Counts with the row that has the fewest free squares next.
//!
//! On boards with many given squares, the order of rows decides how long a search takes. Every open row keeps its free
//! squares as a word; a piece removes the squares that it attacks from each of them. A row without a free square ends
//! the branch, and so does, on a square board, a column that no open row can fill.

use std::num::NonZeroUsize;

use crate::Board;

use super::tasks::share;
use super::{Counted, attacked, low_bits};
use bezzel_count::budget::{Budget, Halt};

/// The number of tasks that suffices.
const MIN_TASKS: usize = 256;
/// The number of nodes that are visited between two reads of the flag.
const CHECK_INTERVAL: u64 = 4096;

/// A row for each bit, or a column.
type Bits = u64;

/// The columns of each row, by its number; those of rows with a piece are unused.
type Free = [Bits; 64];

/// A board for this search.
struct NarrowestBoard<'a> {
    board: &'a Board,
    /// The columns that a piece attacks, by the distance of the row and by its own column.
    attacked: Vec<Free>,
    /// For each row, the columns in which its piece may stand.
    allowed: Free,
}

/// A piece by row and column.
type Piece = (u32, u32);

/// Counts the solutions.
pub(super) fn count(
    board: &Board,
    allowed: &[u64],
    threads: NonZeroUsize,
    budget: Budget<'_>,
) -> Result<Counted, Halt> {
    let field = NarrowestBoard::new(board, allowed);
    let mut counted = Counted::default();
    // The placements of the first pieces, with one piece more in each round.
    let mut tasks: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut search = NarrowestSearch::new(&field, budget);
    for _ in 1..board.rows() {
        if tasks.len() >= MIN_TASKS {
            break;
        }
        budget.go_on()?;
        tasks = tasks.iter().flat_map(|task| search.one_more(task)).collect();
    }
    counted.nodes += search.counted.nodes;
    let shared = share(threads, tasks.len(), |mine| {
        let mut search = NarrowestSearch::new(&field, budget);
        while let Some(task) = mine.take() {
            if let Some((row, open)) = search.put_all(&tasks[task]) {
                search.visit(tasks[task].len(), row, open)?;
            }
        }
        Ok(search.counted)
    })?;
    Ok(counted + shared)
}

impl<'a> NarrowestBoard<'a> {
    fn new(board: &'a Board, allowed: &[u64]) -> Self {
        let by_column = |distance: u32| -> Free {
            std::array::from_fn(|column| match column as u32 {
                column if column < board.columns() => attacked(board, column, distance),
                _ => 0,
            })
        };
        let attacked = (0..board.rows()).map(by_column).collect();
        let allowed = std::array::from_fn(|row| allowed.get(row).copied().unwrap_or_default());
        Self { board, attacked, allowed }
    }
}

struct NarrowestSearch<'a> {
    field: &'a NarrowestBoard<'a>,
    /// The free squares before each piece.
    stack: Vec<Free>,
    budget: Budget<'a>,
    counted: Counted,
}

impl<'a> NarrowestSearch<'a> {
    fn new(field: &'a NarrowestBoard<'a>, budget: Budget<'a>) -> Self {
        let rows = field.board.rows() as usize;
        Self { field, stack: vec![field.allowed; rows], budget, counted: Counted::default() }
    }

    /// Puts these pieces. Returns the next row to fill, and the rows that are open then; `None` if there is no
    /// solution.
    fn put_all(&mut self, pieces: &[Piece]) -> Option<(u32, Bits)> {
        let open = low_bits(self.field.board.rows());
        let start = (narrowest(&self.field.allowed, open)?, open);
        pieces.iter().enumerate().try_fold(start, |(_, open), (depth, &(row, column))| {
            let open = open & !(1 << row);
            Some((self.put(depth, row, column, open)?, open))
        })
    }

    /// All placements with one more piece.
    fn one_more(&mut self, pieces: &[Piece]) -> Vec<Vec<Piece>> {
        self.counted.nodes += 1;
        let Some((row, _)) = self.put_all(pieces) else { return Vec::new() };
        let columns = bits(self.stack[pieces.len()][row as usize]);
        columns.map(|column| [pieces, &[(row, column)]].concat()).collect()
    }

    /// Counts the solutions below pieces in `depth` rows. `row` is the next row, one of the rows in `open`.
    fn visit(&mut self, depth: usize, row: u32, open: Bits) -> Result<(), Halt> {
        self.counted.nodes += 1;
        if self.counted.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.budget.go_on()?;
        }
        let open = open & !(1 << row);
        for column in bits(self.stack[depth][row as usize]) {
            if open == 0 {
                self.counted.solutions += 1;
            } else if let Some(next) = self.put(depth, row, column, open) {
                self.visit(depth + 1, next, open)?;
            }
        }
        Ok(())
    }

    /// Removes the squares that this piece attacks from the rows that are open then, of which there is at least one.
    /// Returns the next row to fill; `None` if there is no solution.
    #[inline]
    fn put(&mut self, depth: usize, row: u32, column: u32, open: Bits) -> Option<u32> {
        let (before, after) = self.stack.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        let mut together = 0;
        for other in bits(open) {
            let distance = row.abs_diff(other) as usize;
            let other = other as usize % 64;
            let free = before[other] & !self.field.attacked[distance][column as usize % 64];
            if free == 0 {
                return None;
            }
            after[other] = free;
            together |= free;
        }
        // The open rows need as many columns together.
        if together.count_ones() < open.count_ones() {
            return None;
        }
        narrowest(after, open)
    }
}

/// The open row with the fewest free squares, if there is an open row and all have some.
#[inline]
fn narrowest(free: &Free, open: Bits) -> Option<u32> {
    let mut narrowest = None;
    let mut fewest = u32::MAX;
    for row in bits(open) {
        let count = free[row as usize % 64].count_ones();
        if count < fewest {
            (narrowest, fewest) = (Some(row), count);
            if count <= 1 {
                break;
            }
        }
    }
    narrowest.filter(|_| fewest > 0)
}

/// The places of the bits that are set, from the lowest on.
#[inline]
fn bits(mut bits: Bits) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let place = bits.trailing_zeros();
            bits &= bits - 1;
            place
        })
    })
}
