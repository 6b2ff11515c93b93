//! Clauses as numbers, for programs that read them from a pipe.
//!
//! ```text
//! header   variables, clauses, literals: three unsigned 64-bit integers
//! clauses  the literals of each clause, then 0: signed 32-bit integers
//! ```
//!
//! All numbers are little-endian. Variable v is the number v, counted from 1, and its negation is −v. The header states
//! the length of the rest: 4 · (clauses + literals) bytes.

use std::io::{self, Write};

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The size of a block that is written at once, in bytes.
const BLOCK: usize = 1 << 16;

/// Writes the header of a formula with these variables, clauses and literals.
///
/// # Errors
///
/// The error of `out`, and a number that exceeds 64 bits.
pub fn header(size: Size, out: &mut dyn Write) -> io::Result<()> {
    for number in [size.variables, size.clauses, size.literals] {
        let number = u64::try_from(number).map_err(io::Error::other)?;
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}

/// A sink that writes clauses as numbers, without the header. After the first error nothing more is written;
/// [`finish`](Self::finish) reports it.
#[derive(Debug)]
pub struct BinaryWriter<W> {
    out: W,
    block: Vec<u8>,
    variables: u32,
    clauses: u64,
    error: Option<io::Error>,
}

impl<W: Write> BinaryWriter<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK), variables: 0, clauses: 0, error: None }
    }

    /// The number of variables made.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses taken.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Writes the rest of the block and returns `out`.
    ///
    /// # Errors
    ///
    /// The first error that `out` reported.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_block();
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    #[inline]
    fn number(&mut self, number: i32) {
        self.block.extend_from_slice(&number.to_le_bytes());
    }

    #[cold]
    fn write_block(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.block).err();
        }
        self.block.clear();
    }
}

impl<W: Write> ClauseSink for BinaryWriter<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.number(lit.to_ipasir());
        }
        self.number(0);
        self.clauses += 1;
        if self.block.len() >= BLOCK {
            self.write_block();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian_and_a_zero_ends_a_clause() {
        let mut bytes = Vec::new();
        header(Size::new(3, 2, 3), &mut bytes).unwrap();
        let mut writer = BinaryWriter::new(&mut bytes);
        let xs = writer.fresh(3);
        writer.clause(&[xs.lit(0), !xs.lit(2), xs.lit(1)]);
        writer.clause(&[]);
        assert_eq!((writer.variables(), writer.clauses()), (3, 2));
        writer.finish().unwrap();
        let (head, rest) = bytes.split_at(24);
        let head: Vec<u64> = head
            .chunks_exact(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        let rest: Vec<i32> = rest
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        assert_eq!(head, [3, 2, 3]);
        assert_eq!(rest, [1, -3, 2, 0, 0]);
    }

    #[test]
    fn blocks_are_joined_without_a_gap() {
        let mut bytes = Vec::new();
        let mut writer = BinaryWriter::new(&mut bytes);
        let xs: Vec<Lit> = writer.fresh(1_000).lits().collect();
        for _ in 0..100 {
            writer.clause(&xs);
        }
        writer.finish().unwrap();
        assert_eq!(bytes.len(), 4 * 100 * 1_001);
        let numbers =
            bytes.chunks_exact(4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()));
        assert!(numbers.eq((0..100).flat_map(|_| (1..=1_000).chain([0]))));
    }

    #[test]
    fn the_first_error_is_kept_for_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = BinaryWriter::new(Full);
        let xs = writer.fresh(1);
        writer.clause(&[xs.lit(0)]);
        assert_eq!(
            writer.finish().err().map(|error| error.kind()),
            Some(io::ErrorKind::StorageFull)
        );
    }
}
