//! Counting, many boards at a time.
//!
//! A search that goes down one board at a time asks after every piece whether the next row has a
//! free square and whether this row has another one. Nobody can foretell the answers, and a processor
//! that guesses wrong loses more time than the piece took. So here no such question decides
//! where the program goes on. A level keeps boards with pieces in the same number of rows, each with
//! a free square in the next. For each board of a block of these, the leftmost free square gets a
//! piece, and what comes of it is written behind the boards of the next level, where the end moves on
//! by one if that row has a free square, and by none otherwise. In the same way the boards that
//! have more free squares are listed, and taken again, until none is left. Whether a level is full
//! is asked once for a block.
//!
//! A full level is emptied into the one below before more is written, so that blocks are whole
//! nearly always, and a level is never larger than it is made.

use super::Counted;
use super::state::{Lines, Rows, State};
use super::trail::Trail;
use super::word::Word;
use crate::budget::{Budget, Halt};

/// How many boards a level keeps: few enough for two of them to stay in the fastest memory.
const CAPACITY: usize = 512;
/// How many boards are extended before anything is asked.
const BLOCK: usize = 256;

/// The boards with pieces in the same number of rows that wait for their next piece.
struct Level<W, T> {
    /// How many there are; what is behind them is waste.
    len: usize,
    states: [State<W, T>; CAPACITY],
    /// Of a block of these, those that have more free squares, and which.
    more: [(u32, W); BLOCK],
}

/// What becomes of boards that lack little.
pub(super) trait End<W, T> {
    /// How many rows are left to it, on a board of at least as many; at least one.
    fn rows<L: Lines<W>>(&self, rows: &Rows<W, L>) -> usize;

    /// How many of the solutions that come of these boards count. They lack as many rows as it wants,
    /// or fewer if the board had no more.
    fn count<L: Lines<W>>(
        &mut self,
        rows: &Rows<W, L>,
        left: usize,
        states: &[State<W, T>],
    ) -> u128;
}

/// The levels of a search, one for each row.
pub(super) struct Levels<'a, W, T, E> {
    /// Those with the fewest pieces first.
    stack: Vec<Level<W, T>>,
    end: E,
    budget: Budget<'a>,
    /// What was counted so far.
    counted: Counted,
}

impl<'a, W: Word, T: Trail, E: End<W, T>> Levels<'a, W, T, E> {
    /// Empty levels for boards of so many rows.
    pub(super) fn new(rows: usize, end: E, budget: Budget<'a>) -> Self {
        let level = || Level {
            len: 0,
            states: [State::default(); CAPACITY],
            more: [(0, W::default()); BLOCK],
        };
        Self {
            stack: (0..rows).map(|_| level()).collect(),
            end,
            budget,
            counted: Counted::default(),
        }
    }

    /// Takes one more board, with pieces in so many rows, which are not all, and a free square in the
    /// next. What comes of it is counted sooner or later.
    pub(super) fn take<L: Lines<W>>(
        &mut self,
        rows: &Rows<W, L>,
        row: usize,
        state: State<W, T>,
    ) -> Result<(), Halt> {
        if self.stack[row].len == CAPACITY {
            self.empty(rows, row)?;
        }
        let level = &mut self.stack[row];
        level.states[level.len] = state;
        level.len += 1;
        Ok(())
    }

    /// Counts what has been taken to the end. Then boards of other rows, as many, can be taken.
    pub(super) fn finish<L: Lines<W>>(&mut self, rows: &Rows<W, L>) -> Result<(), Halt> {
        (0..self.stack.len()).try_for_each(|row| self.empty(rows, row))
    }

    /// What was counted so far.
    pub(super) fn counted(&self) -> Counted {
        self.counted
    }

    /// Moves all boards of a level to the next, or counts them.
    fn empty<L: Lines<W>>(&mut self, rows: &Rows<W, L>, row: usize) -> Result<(), Halt> {
        self.budget.go_on()?;
        let left = self.stack.len() - row;
        if left <= self.end.rows(rows) {
            let level = &mut self.stack[row];
            let states = &level.states[..level.len];
            self.counted.solutions += self.end.count(rows, left, states);
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

    /// Extends the boards of a level from `start` on, or, of these, as many as are listed to have
    /// more free squares. Tells how many have still more.
    fn pass<L: Lines<W>>(
        &mut self,
        rows: &Rows<W, L>,
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

/// Puts a piece on the leftmost free square of each board. Lists those that have more, and tells how
/// many they are.
#[inline(never)]
fn extend<W: Word, T: Trail, L: Lines<W>>(
    block: &[State<W, T>],
    more: &mut [(u32, W); BLOCK],
    below: &mut Level<W, T>,
    allowed: W,
    lines: L,
) -> usize {
    let (mut len, mut listed) = (below.len, 0);
    for (index, state) in (0..).zip(block) {
        let piece = state.free.leftmost();
        let next = state.with(piece, allowed, lines);
        // The ends wrap around what they never pass, since there is room for a block: that is
        // cheaper than to ask.
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
fn extend_again<W: Word, T: Trail, L: Lines<W>>(
    block: &[State<W, T>],
    more: &mut [(u32, W); BLOCK],
    before: usize,
    below: &mut Level<W, T>,
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
        // Written no later than read.
        more[listed % BLOCK] = (index, rest);
        listed += usize::from(!rest.is_zero());
    }
    below.len = len;
    listed
}
