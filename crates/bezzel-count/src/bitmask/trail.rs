//! The columns of the pieces, where a search needs them.

/// The columns of the pieces in the first rows, or nothing.
pub(super) trait Trail: Copy + Default + Send + Sync {
    /// The trail with a piece in the next row.
    fn then(self, column: u32) -> Self;

    /// Writes the columns of the pieces into `columns`, which has one for each piece.
    fn write(self, columns: &mut [u32]);
}

/// Counting needs no columns.
impl Trail for () {
    #[inline]
    fn then(self, _column: u32) -> Self {}

    fn write(self, _columns: &mut [u32]) {}
}

/// Boards of at most this many columns, and as many rows, have a trail of 64 bits.
pub(super) const MAX_COLUMNS_64: u32 = 16;

/// 4 bits for each row, the last row's lowest.
impl Trail for u64 {
    #[inline]
    fn then(self, column: u32) -> Self {
        self << 4 | Self::from(column)
    }

    fn write(mut self, columns: &mut [u32]) {
        for column in columns.iter_mut().rev() {
            *column = (self & 0b1111) as u32;
            self >>= 4;
        }
    }
}

/// Boards of at most this many columns, and as many rows, have a trail of 128 bits.
pub(super) const MAX_COLUMNS_128: u32 = 25;

/// 5 bits for each row, the last row's lowest.
impl Trail for u128 {
    #[inline]
    fn then(self, column: u32) -> Self {
        self << 5 | Self::from(column)
    }

    fn write(mut self, columns: &mut [u32]) {
        for column in columns.iter_mut().rev() {
            *column = (self & 0b1_1111) as u32;
            self >>= 5;
        }
    }
}

/// A trail on any board: a byte for each row.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    rows: u8,
    columns: [u8; 64],
}

impl Default for Bytes {
    fn default() -> Self {
        Self { rows: 0, columns: [0; 64] }
    }
}

impl Trail for Bytes {
    #[inline]
    fn then(mut self, column: u32) -> Self {
        self.columns[usize::from(self.rows)] = column as u8;
        self.rows += 1;
        self
    }

    fn write(self, columns: &mut [u32]) {
        for (column, byte) in columns.iter_mut().zip(self.columns) {
            *column = byte.into();
        }
    }
}
