//! The state of a board with pieces in its first rows, for the next row.

use super::word::Word;

/// The step of diagonals from one row to the next.
pub(super) trait DiagonalStep<W>: Copy + Send + Sync {
    /// The columns in which diagonals and antidiagonals meet the next row, from those in which they
    /// meet this one.
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W);
}

/// Diagonals end at the edges. A diagonal that has left to the right stays in the unused bits of the word, where no
/// column is.
#[derive(Clone, Copy)]
pub(super) struct PlaneDiagonals;

impl<W: Word> DiagonalStep<W> for PlaneDiagonals {
    #[inline]
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W) {
        (diagonals << 1, antidiagonals >> 1)
    }
}

/// Diagonals that leave at one side enter at the other.
#[derive(Clone, Copy)]
pub(super) struct TorusDiagonals<W> {
    /// All columns.
    pub(super) all: W,
    /// The place of the last column.
    pub(super) last: u32,
}

impl<W: Word> DiagonalStep<W> for TorusDiagonals<W> {
    #[inline]
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W) {
        (
            (diagonals << 1 | diagonals >> self.last) & self.all,
            (antidiagonals >> 1 | antidiagonals << self.last) & self.all,
        )
    }
}

/// Rooks have no diagonals.
#[derive(Clone, Copy)]
pub(super) struct NoDiagonals;

impl<W: Word> DiagonalStep<W> for NoDiagonals {
    #[inline]
    fn on(self, _diagonals: W, _antidiagonals: W) -> (W, W) {
        (W::default(), W::default())
    }
}

/// A board, for a search from the first row to the last.
#[derive(Clone)]
pub(super) struct BoardRows<W, L> {
    /// All columns.
    pub(super) all: W,
    /// For each row, the columns in which its piece may stand.
    pub(super) allowed: Vec<W>,
    /// The step of diagonals.
    pub(super) lines: L,
    /// True if there are as many columns as rows, so that every column takes a piece.
    pub(super) square: bool,
}

/// The state after the pieces in the rows so far, for the next row.
#[derive(Clone, Copy, Default)]
pub(super) struct State<W> {
    /// The columns that are taken.
    pub(super) columns: W,
    /// The columns in which the taken diagonals meet the next row.
    pub(super) diagonals: W,
    /// The columns in which the taken antidiagonals meet the next row.
    pub(super) antidiagonals: W,
    /// The columns in which a piece can stand in the next row.
    pub(super) free: W,
}

impl<W: Word> State<W> {
    /// The state without pieces, where the first row allows these columns.
    pub(super) fn empty(allowed: W) -> Self {
        Self { free: allowed, ..Self::default() }
    }

    /// The state with a piece in this column of the row; `allowed` is of the row after it.
    #[inline]
    pub(super) fn with(self, piece: W, allowed: W, lines: impl DiagonalStep<W>) -> Self {
        let columns = self.columns | piece;
        let (diagonals, antidiagonals) =
            lines.on(self.diagonals | piece, self.antidiagonals | piece);
        let free = allowed & !(columns | diagonals | antidiagonals);
        Self { columns, diagonals, antidiagonals, free }
    }
}
