//! The lines that the pieces above leave open to the rows below.

use crate::{Board, Geometry, Piece};

/// The most columns of a board whose rows are machine words.
pub const MAX_COLUMNS: u32 = 64;

/// The lines that are open, by the columns in which they meet the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenLines {
    pub(super) columns: u64,
    pub(super) diagonals: u64,
    pub(super) antidiagonals: u64,
}

/// The shift of diagonals from row to row.
pub(super) trait LineShift: Copy {
    /// Open lines, `by` rows further down, moved `by` columns to the right. On a plane, new lines come in over the
    /// edge; they are open.
    fn right(self, lines: u64, by: usize) -> u64;
    /// The same to the left.
    fn left(self, lines: u64, by: usize) -> u64;
    /// Squares moved up `by` rows along lines that go right. Lines beyond the edge come in later, and no piece has
    /// taken them.
    fn up_from_right(self, squares: u64, by: usize) -> u64;
    /// The same along lines that go left.
    fn up_from_left(self, squares: u64, by: usize) -> u64;
}

/// Diagonals end at the edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneShift {
    width: u32,
    full: u64,
}

/// Diagonals go on at the other edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct TorusShift(PlaneShift);

/// There are no diagonals: every square's are open.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoShift(u64);

impl LineShift for PlaneShift {
    #[inline]
    fn right(self, lines: u64, by: usize) -> u64 {
        // No row is `width` rows below another: there are no more rows than columns.
        !(!lines << by) & self.full
    }
    #[inline]
    fn left(self, lines: u64, by: usize) -> u64 {
        !((!lines & self.full) >> by) & self.full
    }
    #[inline]
    fn up_from_right(self, squares: u64, by: usize) -> u64 {
        squares >> by
    }
    #[inline]
    fn up_from_left(self, squares: u64, by: usize) -> u64 {
        squares << by & self.full
    }
}

impl TorusShift {
    #[inline]
    fn around(self, lines: u64, by: usize) -> u64 {
        let PlaneShift { width, full } = self.0;
        // In two steps, since a word cannot be shifted by its whole width, 64.
        (lines << by | lines >> 1 >> (width - 1 - by as u32)) & full
    }
    #[inline]
    fn back(self, lines: u64, by: usize) -> u64 {
        let PlaneShift { width, full } = self.0;
        (lines >> by | lines << 1 << (width - 1 - by as u32)) & full
    }
}

impl LineShift for TorusShift {
    #[inline]
    fn right(self, lines: u64, by: usize) -> u64 {
        self.around(lines, by)
    }
    #[inline]
    fn left(self, lines: u64, by: usize) -> u64 {
        self.back(lines, by)
    }
    #[inline]
    fn up_from_right(self, squares: u64, by: usize) -> u64 {
        self.back(squares, by)
    }
    #[inline]
    fn up_from_left(self, squares: u64, by: usize) -> u64 {
        self.around(squares, by)
    }
}

impl LineShift for NoShift {
    #[inline]
    fn right(self, _: u64, _: usize) -> u64 {
        self.0
    }
    #[inline]
    fn left(self, _: u64, _: usize) -> u64 {
        self.0
    }
    #[inline]
    fn up_from_right(self, _: u64, _: usize) -> u64 {
        self.0
    }
    #[inline]
    fn up_from_left(self, _: u64, _: usize) -> u64 {
        self.0
    }
}

/// The rows of a board that may have solutions, as machine words.
#[derive(Clone, Debug)]
pub(super) struct RowMasks {
    /// The number of rows.
    pub(super) count: usize,
    /// The number of columns, which is at least that of rows.
    pub(super) width: u32,
    /// For each row, the columns in which a piece may stand.
    allowed: Vec<u64>,
    shape: Shape,
    /// The number of choices below a state up to which it is not stored: trying them costs less than a lookup among
    /// millions of states in memory. A single row never has more.
    pub(super) shallow: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Plane,
    Torus,
    Straight,
}

impl RowMasks {
    /// `None` if the board is too wide for machine words, or has more rows than columns and so no
    /// solution.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let (rows, width) = (board.rows(), board.columns());
        if width > MAX_COLUMNS || rows > width {
            return None;
        }
        let mut allowed = vec![full(width); rows as usize];
        for square in board.blocked() {
            allowed[square.row as usize] &= !(1 << square.column);
        }
        for &piece in board.placed() {
            for square in board.each_square() {
                let same_row = square.row == piece.row;
                let is_out = square != piece && (same_row || board.attacks(piece, square));
                if is_out {
                    allowed[square.row as usize] &= !(1 << square.column);
                }
            }
        }
        // Measured: any number from 2¹⁸ to 2²⁴ is good for queens, whose diagonals exclude most of the choices at once
        // and keep states from merging. Neither is true for rooks.
        let shallow = if board.piece() == Piece::Rook { 1 << 6 } else { 1 << 20 };
        let shape = match (board.piece(), board.geometry()) {
            (Piece::Rook, _) => Shape::Straight,
            (Piece::Queen, Geometry::Plane) => Shape::Plane,
            (Piece::Queen, Geometry::Torus) => Shape::Torus,
        };
        Some(Self { count: rows as usize, width, allowed, shape, shallow })
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn plane(&self) -> PlaneShift {
        PlaneShift { width: self.width, full: self.full() }
    }

    pub(super) fn torus(&self) -> TorusShift {
        TorusShift(self.plane())
    }

    pub(super) fn straight(&self) -> NoShift {
        NoShift(self.full())
    }

    /// All columns.
    pub(super) fn full(&self) -> u64 {
        full(self.width)
    }

    /// The open lines above the first row: all.
    pub(super) fn start(&self) -> OpenLines {
        let full = self.full();
        OpenLines { columns: full, diagonals: full, antidiagonals: full }
    }

    /// An upper bound on the number of solutions, by the columns alone; `None` if that is 2¹²⁸ or more.
    pub(super) fn max_count(&self) -> Option<u128> {
        // Row by row, as many choices as the row has, and at most as many as columns are left.
        let left = (0..self.count).map(|row| self.width - row as u32);
        let choices = self.allowed.iter().map(|allowed| allowed.count_ones());
        let mut both = choices.zip(left).map(|(choices, left)| u128::from(choices.min(left)));
        both.try_fold(1, u128::checked_mul)
    }

    /// The columns in which a piece can stand in this row.
    #[inline]
    pub(super) fn free(&self, row: usize, open: OpenLines) -> u64 {
        self.allowed[row] & open.columns & open.diagonals & open.antidiagonals
    }

    /// The open lines of the next row once a piece stands in this column, given as a bit.
    #[inline]
    pub(super) fn after<D: LineShift>(shift: D, open: OpenLines, column: u64) -> OpenLines {
        OpenLines {
            columns: open.columns & !column,
            diagonals: shift.right(open.diagonals & !column, 1),
            antidiagonals: shift.left(open.antidiagonals & !column, 1),
        }
    }

    /// The open lines that have a square left on which a piece can stand, in this row or below; and the number of ways
    /// to put a piece on such a square in each of these rows, where pieces may attack each other. `None` if this proves
    /// that there is no solution: a row without such a square, or fewer columns than rows.
    ///
    /// States that leave the same squares have the same lines, and the lines determine the squares. States are
    /// therefore merged exactly if they leave the same squares.
    #[inline]
    pub(super) fn close<D: LineShift>(
        &self,
        shift: D,
        row: usize,
        open: OpenLines,
    ) -> Option<(OpenLines, u64)> {
        let mut used = OpenLines { columns: 0, diagonals: 0, antidiagonals: 0 };
        let mut choices = 1_u64;
        for (down, &allowed) in self.allowed[row..].iter().enumerate() {
            let diagonals = shift.right(open.diagonals, down);
            let antidiagonals = shift.left(open.antidiagonals, down);
            let free = allowed & open.columns & diagonals & antidiagonals;
            if free == 0 {
                return None;
            }
            used.columns |= free;
            used.diagonals |= shift.up_from_right(free, down);
            used.antidiagonals |= shift.up_from_left(free, down);
            choices = choices.saturating_mul(free.count_ones().into());
        }
        let columns = used.columns.count_ones() as usize;
        (columns >= self.count - row).then_some((used, choices))
    }

    /// True if the board is its own mirror image, left and right.
    pub(super) fn is_mirrored(&self) -> bool {
        self.allowed.iter().all(|&allowed| self.mirror_word(allowed) == allowed)
    }

    /// The lines that are open on the mirrored board.
    #[inline]
    pub(super) fn mirror(&self, open: OpenLines) -> OpenLines {
        OpenLines {
            columns: self.mirror_word(open.columns),
            diagonals: self.mirror_word(open.antidiagonals),
            antidiagonals: self.mirror_word(open.diagonals),
        }
    }

    #[inline]
    fn mirror_word(&self, word: u64) -> u64 {
        word.reverse_bits() >> (u64::BITS - self.width)
    }
}

/// The lowest bits, as many as there are columns.
fn full(width: u32) -> u64 {
    u64::MAX >> (u64::BITS - width)
}

/// The bits of a word that are set, each by itself, from the lowest one up.
#[inline]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word ^= bit;
        (bit != 0).then_some(bit)
    })
}
