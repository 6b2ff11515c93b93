//! One board at a time, each solution with its columns, in lexicographic order.

use std::ops::ControlFlow;

use super::state::{BoardRows, DiagonalStep, State};
use super::word::Word;
use bezzel_count::budget::{Budget, Halt};

/// The number of nodes that are visited between two reads of the flag.
const CHECK_INTERVAL: u64 = 4096;

/// The reason why a walk ends before its end.
enum WalkEnd {
    /// The caller needs no further solutions.
    Enough,
    Halt(Halt),
}

/// A path through the board, row by row.
struct Walk<'a, W, L, F> {
    rows: &'a BoardRows<W, L>,
    /// The column of the piece in each row so far.
    columns: &'a mut [u32],
    budget: Budget<'a>,
    /// The number of visited nodes.
    nodes: u64,
    found: F,
}

/// Calls `found` with the columns of every solution, in lexicographic order, until it breaks. Returns the number of
/// visited nodes: boards with a free square in the next row, and solutions.
///
/// # Errors
///
/// When the flag is set before the end.
pub(super) fn walk<W: Word, L: DiagonalStep<W>>(
    rows: &BoardRows<W, L>,
    budget: Budget<'_>,
    found: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> Result<u64, Halt> {
    budget.go_on()?;
    let mut columns = vec![0; rows.allowed.len()];
    let mut walk = Walk { rows, columns: &mut columns, budget, nodes: 0, found };
    match walk.visit(0, State::empty(rows.allowed[0])) {
        ControlFlow::Break(WalkEnd::Halt(halt)) => Err(halt),
        ControlFlow::Break(WalkEnd::Enough) | ControlFlow::Continue(()) => Ok(walk.nodes),
    }
}

impl<W: Word, L: DiagonalStep<W>, F: FnMut(&[u32]) -> ControlFlow<()>> Walk<'_, W, L, F> {
    fn visit(&mut self, row: usize, state: State<W>) -> ControlFlow<WalkEnd> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_INTERVAL)
            && let Err(halt) = self.budget.go_on()
        {
            return ControlFlow::Break(WalkEnd::Halt(halt));
        }
        if row == self.columns.len() {
            return (self.found)(self.columns).map_break(|()| WalkEnd::Enough);
        }
        let allowed = self.rows.allowed.get(row + 1).copied();
        let mut free = state.free;
        while !free.is_zero() {
            let piece = free.leftmost();
            free = free ^ piece;
            self.columns[row] = piece.place();
            let next = state.with(piece, allowed.unwrap_or_default(), self.rows.lines);
            // A row without a free square needs no visit; there is none behind the last.
            if allowed.is_none() || !next.free.is_zero() {
                self.visit(row + 1, next)?;
            }
        }
        ControlFlow::Continue(())
    }
}
