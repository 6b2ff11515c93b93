//! A board with pieces in its first rows, as the next row sees it.

use super::trail::Trail;
use super::word::Word;

/// How diagonals go on from one row to the next.
pub(super) trait Lines<W>: Copy + Send + Sync {
    /// The columns in which diagonals and antidiagonals meet the next row, from those in which they
    /// meet this one.
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W);
}

/// Diagonals end at the edges. What has left to the right stays in the word as long as there is
/// room, where no column is.
#[derive(Clone, Copy)]
pub(super) struct Plane;

impl<W: Word> Lines<W> for Plane {
    #[inline]
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W) {
        (diagonals << 1, antidiagonals >> 1)
    }
}

/// Diagonals that leave at one side come in at the other.
#[derive(Clone, Copy)]
pub(super) struct Torus<W> {
    /// All columns.
    pub(super) all: W,
    /// The place of the last column.
    pub(super) last: u32,
}

impl<W: Word> Lines<W> for Torus<W> {
    #[inline]
    fn on(self, diagonals: W, antidiagonals: W) -> (W, W) {
        (
            (diagonals << 1 | diagonals >> self.last) & self.all,
            (antidiagonals >> 1 | antidiagonals << self.last) & self.all,
        )
    }
}

/// Rooks know no diagonals.
#[derive(Clone, Copy)]
pub(super) struct Straight;

impl<W: Word> Lines<W> for Straight {
    #[inline]
    fn on(self, _diagonals: W, _antidiagonals: W) -> (W, W) {
        (W::default(), W::default())
    }
}

/// A board, for a search from the first row to the last.
#[derive(Clone)]
pub(super) struct Rows<W, L> {
    /// All columns.
    pub(super) all: W,
    /// For each row, the columns in which its piece may stand.
    pub(super) allowed: Vec<W>,
    /// How diagonals go on.
    pub(super) lines: L,
    /// Whether there are as many columns as rows, so that every column takes a piece.
    pub(super) square: bool,
}

/// What the pieces in the rows so far leave for the next row.
#[derive(Clone, Copy, Default)]
pub(super) struct State<W, T = ()> {
    /// The columns that are taken.
    pub(super) columns: W,
    /// Where the diagonals that are taken meet the next row.
    pub(super) diagonals: W,
    /// Where the antidiagonals that are taken meet the next row.
    pub(super) antidiagonals: W,
    /// Where a piece can stand in the next row.
    pub(super) free: W,
    /// Where the pieces stand.
    pub(super) trail: T,
}

impl<W: Word, T: Trail> State<W, T> {
    /// Nothing is taken yet, and the first row allows these columns.
    pub(super) fn empty(allowed: W) -> Self {
        Self { free: allowed, ..Self::default() }
    }

    /// With a piece in this column of the row; the row after it allows those.
    #[inline]
    pub(super) fn with(self, piece: W, allowed: W, lines: impl Lines<W>) -> Self {
        let columns = self.columns | piece;
        let (diagonals, antidiagonals) =
            lines.on(self.diagonals | piece, self.antidiagonals | piece);
        let free = allowed & !(columns | diagonals | antidiagonals);
        let trail = self.trail.then(piece.place());
        Self { columns, diagonals, antidiagonals, free, trail }
    }
}
