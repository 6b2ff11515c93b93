//! Machine words as rows of squares.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A row of the board, a bit for each column: the lowest is the leftmost column. 32 columns fit
/// half the memory that 64 need.
pub(super) trait Word:
    Copy
    + Default
    + Eq
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The lowest bits of these.
    fn from_bits(bits: u64) -> Self;

    /// True if no bit is set.
    fn is_zero(self) -> bool;

    /// The leftmost column alone; an empty word has none.
    fn leftmost(self) -> Self;

    /// The place of the leftmost column; the width of the word if there is none.
    fn place(self) -> u32;

    /// The number of columns.
    fn count(self) -> u32;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $word
            }

            #[inline]
            fn is_zero(self) -> bool {
                self == 0
            }

            #[inline]
            fn leftmost(self) -> Self {
                self & self.wrapping_neg()
            }

            #[inline]
            fn place(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
        }
    )*};
}

word!(u32, u64);
