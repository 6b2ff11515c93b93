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
use super::word::Word;
use crate::budget::{Budget, Halt};

/// How many boards a level keeps: few enough for two of them to stay in the fastest memory.
const CAPACITY: usize = 512;
/// How many boards are extended before anything is asked.
const BLOCK: usize = 256;

/// The boards with pieces in the same number of rows that wait for their next piece.
struct Level<W> {
    /// How many there are; what is behind them is waste.
    len: usize,
    states: [State<W>; CAPACITY],
    /// Of a block of these, those that have more free squares, and which.
    more: [(u32, W); BLOCK],
}

/// The levels of a search, from some row to the last one.
pub(super) struct Levels<'a, W, L> {
    rows: &'a Rows<W, L>,
    /// Those with the fewest pieces first.
    stack: Vec<Level<W>>,
    budget: Budget<'a>,
    /// What was counted so far.
    counted: Counted,
}

impl<'a, W: Word, L: Lines<W>> Levels<'a, W, L> {
    /// Empty levels for boards with pieces in the first `above` rows, of which there are fewer than
    /// rows.
    pub(super) fn new(rows: &'a Rows<W, L>, above: usize, budget: Budget<'a>) -> Self {
        let level = || Level {
            len: 0,
            states: [State::default(); CAPACITY],
            more: [(0, W::default()); BLOCK],
        };
        let stack = (above..rows.allowed.len()).map(|_| level()).collect();
        Self { rows, stack, budget, counted: Counted::default() }
    }

    /// Takes one more board, which has a free square in the next row. What comes of it is counted
    /// sooner or later.
    pub(super) fn take(&mut self, state: State<W>) -> Result<(), Halt> {
        let first = &mut self.stack[0];
        first.states[first.len] = state;
        first.len += 1;
        self.empty(0)
    }

    /// Counts what has been taken to the end.
    pub(super) fn finish(mut self) -> Result<Counted, Halt> {
        for depth in 0..self.stack.len() {
            self.empty(depth)?;
        }
        Ok(self.counted)
    }

    /// Moves all boards of a level to the next, or counts them.
    fn empty(&mut self, depth: usize) -> Result<(), Halt> {
        self.budget.go_on()?;
        let left = self.stack.len() - depth;
        if left == 1 || left == 2 && self.rows.square {
            let last = *self.rows.allowed.last().expect("a board has a row");
            let level = &mut self.stack[depth];
            let states = &level.states[..level.len];
            self.counted.solutions += match left {
                1 => states.iter().map(|state| u128::from(state.free.count())).sum(),
                _ => u128::from(last_two(states, self.rows, last)),
            };
            level.len = 0;
            return Ok(());
        }
        while self.stack[depth].len > 0 {
            let start = self.stack[depth].len.saturating_sub(BLOCK);
            let mut more = self.pass(depth, start, None)?;
            while more > 0 {
                more = self.pass(depth, start, Some(more))?;
            }
            self.stack[depth].len = start;
        }
        Ok(())
    }

    /// Extends the boards of a level from `start` on, or, of these, as many as are listed to have
    /// more free squares. Tells how many have still more.
    fn pass(&mut self, depth: usize, start: usize, listed: Option<usize>) -> Result<usize, Halt> {
        if self.stack[depth + 1].len > CAPACITY - BLOCK {
            self.empty(depth + 1)?;
        }
        let row = self.rows.allowed.len() - self.stack.len() + depth;
        let (allowed, lines) = (self.rows.allowed[row + 1], self.rows.lines);
        let (above, below) = self.stack.split_at_mut(depth + 1);
        let (level, below) = (&mut above[depth], &mut below[0]);
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
fn extend<W: Word, L: Lines<W>>(
    block: &[State<W>],
    more: &mut [(u32, W); BLOCK],
    below: &mut Level<W>,
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
fn extend_again<W: Word, L: Lines<W>>(
    block: &[State<W>],
    more: &mut [(u32, W); BLOCK],
    before: usize,
    below: &mut Level<W>,
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

/// The solutions of boards that lack two rows and have two columns left: two for each board at
/// most, a piece in the one column of the one row and in the other of the other.
#[inline(never)]
fn last_two<W: Word, L: Lines<W>>(states: &[State<W>], rows: &Rows<W, L>, last: W) -> u32 {
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
