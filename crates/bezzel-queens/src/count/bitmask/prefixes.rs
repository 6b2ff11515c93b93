//! Boards with pieces in the first rows: the tasks that threads share.

use super::state::{BoardRows, DiagonalStep, State};
use super::word::Word;

/// The number of tasks that suffices: they differ in size, and the wait for the last one should be short.
const MIN_TASKS: usize = 1024;

/// Boards with pieces in the same number of rows, and a free square in the next row.
pub(super) struct Prefixes<W> {
    /// The number of rows with a piece, less than the number of rows.
    pub(super) above: usize,
    pub(super) states: Vec<State<W>>,
    /// The number of pieces that were put on boards to make them.
    pub(super) pieces: u64,
}

impl<W: Word> Prefixes<W> {
    /// All prefixes, down to the first row by which there are enough.
    ///
    /// If `half`, only those that represent themselves and their mirror image: the first row's piece is in the left
    /// half. If it is in the middle column, which the mirror keeps, the second row's piece is in the left half, since
    /// it is in another column. No solution of a board with at least two rows is its own mirror image, so exactly one
    /// of each pair is found.
    pub(super) fn new<L: DiagonalStep<W>>(
        rows: &BoardRows<W, L>,
        columns: u32,
        half: bool,
    ) -> Self {
        let left = W::from_bits((1 << (columns / 2)) - 1);
        let middle = W::from_bits(u64::from(columns % 2) << (columns / 2));
        let within = |free: W| if half { free & left } else { free };
        let mut prefixes = Self { above: 0, states: Vec::new(), pieces: 0 };
        prefixes.keep(State::empty(within(rows.allowed[0])));
        let mut deeper = rows.allowed.iter().skip(1);
        while prefixes.states.len() < MIN_TASKS
            && let Some(&allowed) = deeper.next()
        {
            let before = std::mem::take(&mut prefixes.states);
            for state in before {
                let mut free = state.free;
                while !free.is_zero() {
                    let piece = free.leftmost();
                    free = free ^ piece;
                    prefixes.pieces += 1;
                    prefixes.keep(state.with(piece, allowed, rows.lines));
                }
            }
            prefixes.above += 1;
            if half && prefixes.above == 1 && !middle.is_zero() {
                prefixes.pieces += 1;
                let state = State::empty(middle).with(middle, allowed, rows.lines);
                prefixes.keep(State { free: within(state.free), ..state });
            }
        }
        prefixes
    }

    fn keep(&mut self, state: State<W>) {
        if !state.free.is_zero() {
            self.states.push(state);
        }
    }
}
