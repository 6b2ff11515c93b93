//! Counts with many boards at a time.
//!
//! A search that goes down one board at a time has two branches after every piece: the next row may have a free square,
//! and this row may have another one. Neither can be predicted, and a mispredicted branch costs a processor more time
//! than the piece. Here no such branch exists. A level keeps boards with pieces in the same number of rows, each with a
//! free square in the next. For each board of a block of these, the leftmost free square gets a piece. The resulting
//! board is written behind the boards of the next level, whose end moves on by one if that row has a free square, and
//! by none otherwise. In the same way the boards that have more free squares are listed, and extended again, until none
//! is left. The branch on a full level is taken once for a block.
//!
//! A full level is emptied into the one below before more is written. Blocks are therefore whole nearly always, and a
//! level never grows beyond its capacity.

use super::Counted;
use super::state::{BoardRows, DiagonalStep, State};
use super::word::Word;
use bezzel_count::budget::{Budget, Halt};

/// The number of boards of a level: few enough for two levels to stay in the fastest cache.
const CAPACITY: usize = 512;
/// The number of boards that are extended without a branch.
const BLOCK: usize = 256;

/// The boards with pieces in the same number of rows that wait for their next piece.
struct SearchLevel<W> {
    /// The number of boards; later entries are unused.
    len: usize,
    states: [State<W>; CAPACITY],
    /// The boards of a block that have more free squares, with these squares.
    more: [(u32, W); BLOCK],
}

/// The levels of a search, one for each row.
pub(super) struct Levels<'a, W> {
    /// Those with the fewest pieces first.
    stack: Vec<SearchLevel<W>>,
    budget: Budget<'a>,
    /// The numbers counted so far.
    counted: Counted,
}

impl<'a, W: Word> Levels<'a, W> {
    /// Empty levels for boards with `rows` rows.
    pub(super) fn new(rows: usize, budget: Budget<'a>) -> Self {
        let level = || SearchLevel {
            len: 0,
            states: [State::default(); CAPACITY],
            more: [(0, W::default()); BLOCK],
        };
        Self { stack: (0..rows).map(|_| level()).collect(), budget, counted: Counted::default() }
    }

    /// Adds one more board, with pieces in `row` rows, which are not all, and a free square in the next. Its solutions
    /// are counted at once or later.
    pub(super) fn take<L: DiagonalStep<W>>(
        &mut self,
        rows: &BoardRows<W, L>,
        row: usize,
        state: State<W>,
    ) -> Result<(), Halt> {
        if self.stack[row].len == CAPACITY {
            self.empty(rows, row)?;
        }
        let level = &mut self.stack[row];
        level.states[level.len] = state;
        level.len += 1;
        Ok(())
    }

    /// Counts all boards that were taken. Boards with other allowed squares and as many rows can be taken afterwards.
    pub(super) fn finish<L: DiagonalStep<W>>(
        &mut self,
        rows: &BoardRows<W, L>,
    ) -> Result<(), Halt> {
        (0..self.stack.len()).try_for_each(|row| self.empty(rows, row))
    }

    /// The numbers counted so far.
    pub(super) fn counted(&self) -> Counted {
        self.counted
    }

    /// Moves all boards of a level to the next, or counts them.
    fn empty<L: DiagonalStep<W>>(
        &mut self,
        rows: &BoardRows<W, L>,
        row: usize,
    ) -> Result<(), Halt> {
        self.budget.go_on()?;
        let left = self.stack.len() - row;
        if left <= last_rows(rows) {
            let level = &mut self.stack[row];
            let states = &level.states[..level.len];
            self.counted.solutions += count_last(rows, left, states);
            level.len = 0;
            return Ok(());
        }
        while self.stack[row].len > 0 {
            let start = self.stack[row].len.saturating_sub(BLOCK);
            let mut more = self.pass(rows, row, start, None)?;
            while more > 0 {
                more = self.pass(rows, row, start, Some(more))?;
            }
            self.stack[row].len = start;
        }
        Ok(())
    }

    /// Extends the boards of a level from `start` on, or, of these, as many as are listed to have more free squares.
    /// Returns the number of boards that have still more.
    fn pass<L: DiagonalStep<W>>(
        &mut self,
        rows: &BoardRows<W, L>,
        row: usize,
        start: usize,
        listed: Option<usize>,
    ) -> Result<usize, Halt> {
        if self.stack[row + 1].len > CAPACITY - BLOCK {
            self.empty(rows, row + 1)?;
        }
        let (allowed, lines) = (rows.allowed[row + 1], rows.lines);
        let (above, below) = self.stack.split_at_mut(row + 1);
        let (level, below) = (&mut above[row], &mut below[0]);
        let block = &level.states[start..level.len];
        self.counted.nodes += listed.unwrap_or(block.len()) as u64;
        Ok(match listed {
            None => extend(block, &mut level.more, below, allowed, lines),
            Some(listed) => extend_again(block, &mut level.more, listed, below, allowed, lines),
        })
    }
}

/// Puts a piece on the leftmost free square of each board. Lists those that have more, and returns their number.
#[inline(never)]
fn extend<W: Word, L: DiagonalStep<W>>(
    block: &[State<W>],
    more: &mut [(u32, W); BLOCK],
    below: &mut SearchLevel<W>,
    allowed: W,
    lines: L,
) -> usize {
    let (mut len, mut listed) = (below.len, 0);
    for (index, state) in (0..).zip(block) {
        let piece = state.free.leftmost();
        let next = state.with(piece, allowed, lines);
        // The indices wrap around a limit that they never pass, since there is space for a block: that is cheaper than
        // a check.
        below.states[len % CAPACITY] = next;
        len += usize::from(!next.free.is_zero());
        let rest = state.free ^ piece;
        more[listed % BLOCK] = (index, rest);
        listed += usize::from(!rest.is_zero());
    }
    below.len = len;
    listed
}

/// The same for boards that are listed, and for the squares that are listed with them.
#[inline(never)]
fn extend_again<W: Word, L: DiagonalStep<W>>(
    block: &[State<W>],
    more: &mut [(u32, W); BLOCK],
    before: usize,
    below: &mut SearchLevel<W>,
    allowed: W,
    lines: L,
) -> usize {
    let (mut len, mut listed) = (below.len, 0);
    for place in 0..before {
        let (index, free) = more[place % BLOCK];
        let piece = free.leftmost();
        let next = block[index as usize].with(piece, allowed, lines);
        below.states[len % CAPACITY] = next;
        len += usize::from(!next.free.is_zero());
        let rest = free ^ piece;
        // An entry is written after it was read, or at a place that was read before.
        more[listed % BLOCK] = (index, rest);
        listed += usize::from(!rest.is_zero());
    }
    below.len = len;
    listed
}

/// The number of rows that [`count_last`] counts together.
fn last_rows<W, L>(rows: &BoardRows<W, L>) -> usize {
    if rows.square { 2 } else { 1 }
}

/// The number of solutions below these boards, which lack `left` rows: as many as [`last_rows`], or one.
fn count_last<W: Word, L: DiagonalStep<W>>(
    rows: &BoardRows<W, L>,
    left: usize,
    states: &[State<W>],
) -> u128 {
    match left {
        1 => states.iter().map(|state| u128::from(state.free.count())).sum(),
        _ => last_two(states, rows).into(),
    }
}

/// The solutions of boards that lack two rows and have two columns left: two for each board at
/// most, a piece in the one column of the one row and in the other of the other.
#[inline(never)]
fn last_two<W: Word, L: DiagonalStep<W>>(states: &[State<W>], rows: &BoardRows<W, L>) -> u32 {
    let last = *rows.allowed.last().expect("a board has a row");
    let mut solutions = 0;
    for state in states {
        let open = rows.all & !state.columns;
        let left = open.leftmost();
        let right = open ^ left;
        let (diagonals, antidiagonals) = rows.lines.on(state.diagonals, state.antidiagonals);
        let free = last & !(diagonals | antidiagonals);
        let (diagonals, antidiagonals) = rows.lines.on(left, left);
        let apart = ((diagonals | antidiagonals) & right).is_zero();
        let stands = |above: W, below: W| {
            u32::from(!(state.free & above).is_zero() & !(free & below).is_zero())
        };
        solutions += (stands(left, right) + stands(right, left)) * u32::from(apart);
    }
    solutions
}
