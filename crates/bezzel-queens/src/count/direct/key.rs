//! States packed into as few bits as their board needs.

use super::lines::OpenLines;

/// A state of one row. The value of `Default` represents no state: a state that is not dead has an open column.
pub(super) trait Key: Copy + Eq + Ord + Default {
    /// The widest board that fits.
    const COLUMNS: u32;
    fn pack(lines: OpenLines, width: u32) -> Self;
    fn unpack(self, width: u32) -> OpenLines;
    /// The hash, which gives the first place of a search in a table; all bits of it are good.
    fn hash(self) -> u64;
}

/// The halves of a long product, folded, depend on every bit.
#[inline]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word ^ 0x243f_6a88_85a3_08d3) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

const FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xc2b2_ae3d_27d4_eb4f];

impl Key for u64 {
    const COLUMNS: u32 = 21;

    #[inline]
    fn pack(lines: OpenLines, width: u32) -> Self {
        lines.columns | lines.diagonals << width | lines.antidiagonals << (2 * width)
    }

    #[inline]
    fn unpack(self, width: u32) -> OpenLines {
        let full = (1 << width) - 1;
        OpenLines {
            columns: self & full,
            diagonals: self >> width & full,
            antidiagonals: self >> (2 * width),
        }
    }

    #[inline]
    fn hash(self) -> u64 {
        fold(self, FACTORS[0])
    }
}

impl Key for u128 {
    const COLUMNS: u32 = 42;

    #[inline]
    fn pack(lines: OpenLines, width: u32) -> Self {
        Self::from(lines.columns)
            | Self::from(lines.diagonals) << width
            | Self::from(lines.antidiagonals) << (2 * width)
    }

    #[inline]
    fn unpack(self, width: u32) -> OpenLines {
        let full = (1 << width) - 1;
        let part = |shift: u32| (self >> shift) as u64 & full;
        OpenLines { columns: part(0), diagonals: part(width), antidiagonals: part(2 * width) }
    }

    #[inline]
    fn hash(self) -> u64 {
        fold(self as u64, FACTORS[0]) ^ fold((self >> 64) as u64, FACTORS[1])
    }
}

impl Key for [u64; 3] {
    const COLUMNS: u32 = 64;

    #[inline]
    fn pack(lines: OpenLines, _: u32) -> Self {
        [lines.columns, lines.diagonals, lines.antidiagonals]
    }

    #[inline]
    fn unpack(self, _: u32) -> OpenLines {
        let [columns, diagonals, antidiagonals] = self;
        OpenLines { columns, diagonals, antidiagonals }
    }

    #[inline]
    fn hash(self) -> u64 {
        let [first, second, third] = self;
        fold(first, FACTORS[0]) ^ fold(second, FACTORS[1]) ^ fold(third, FACTORS[2])
    }
}
