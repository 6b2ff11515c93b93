//! Clauses as numbers, for programs that read them from a pipe.
//!
//! An answer is a header and the clauses. All numbers are little-endian. The header has three unsigned 64-bit integers:
//! the numbers of variables, clauses and literals. Variable v is the number v, counted from 1, and its negation is −v.
//! The clauses have one of two formats, [`ClauseFormat`]. In both, the header determines the number of bytes.

use std::io::{self, Write};

use rustsat::types::Lit;

use super::marshal::Lists;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The size of a block that is written at once, in bytes.
const BLOCK: usize = 1 << 16;

/// The format of the clauses of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseFormat {
    /// The literals of each clause, then 0: signed 32-bit integers, 4 · (clauses + literals) bytes.
    Integers,
    /// A list of lists of integers in the format of Python's module `marshal`, version 3. `marshal.loads` reads it.
    ///
    /// An element is a byte for its type, and a signed 32-bit integer. `[` begins a list, and the integer is its length.
    /// `i` is a literal, and the integer is its value. The byte 0xE9 (`i` with the highest bit) is a literal, too; the
    /// literal gets the next number from 0 on. `r` is such a literal that occurs again, and the integer is its number.
    /// These are 5 · (1 + clauses + literals) bytes. A list has at most 2,147,483,647 clauses.
    Marshal,
}

/// A sink that writes answers, one after the other. It writes in blocks, so `out` needs no buffer. After an error of
/// `out` the rest of the answer is not written. [`end`](Self::end) returns the error and forgets it, and later answers are
/// written.
#[derive(Debug)]
pub struct BinaryWriter<W> {
    out: W,
    format: ClauseFormat,
    block: Vec<u8>,
    lists: Lists,
    variables: u32,
    clauses: u64,
    error: Option<io::Error>,
}

impl<W: Write> BinaryWriter<W> {
    /// A sink that writes to `out` in this format.
    pub fn new(out: W, format: ClauseFormat) -> Self {
        let (block, lists) = (Vec::with_capacity(BLOCK), Lists::default());
        Self { out, format, block, lists, variables: 0, clauses: 0, error: None }
    }

    /// Begins an answer with these variables, clauses and literals.
    ///
    /// # Errors
    ///
    /// A number that the format cannot have. The sink is not to be used then.
    pub fn begin(&mut self, size: Size) -> io::Result<()> {
        (self.variables, self.clauses) = (0, 0);
        for number in [size.variables, size.clauses, size.literals] {
            let number = u64::try_from(number).map_err(io::Error::other)?;
            self.block.extend_from_slice(&number.to_le_bytes());
        }
        if self.format == ClauseFormat::Marshal {
            let clauses = i32::try_from(size.clauses).map_err(io::Error::other)?;
            self.lists.begin(clauses, &mut self.block);
        }
        Ok(())
    }

    /// The number of variables made in the answer.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses taken in the answer.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Writes the rest of the answer. A short answer is written at once.
    ///
    /// # Errors
    ///
    /// The first error that `out` reported during the answer.
    pub fn end(&mut self) -> io::Result<()> {
        self.write_block();
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
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
        match self.format {
            ClauseFormat::Integers => {
                for &lit in lits {
                    self.block.extend_from_slice(&lit.to_ipasir().to_le_bytes());
                }
                self.block.extend_from_slice(&0_i32.to_le_bytes());
            }
            ClauseFormat::Marshal => self.lists.clause(lits, &mut self.block),
        }
        self.clauses += 1;
        if self.block.len() >= BLOCK {
            self.write_block();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps each block that is written.
    #[derive(Default)]
    struct Blocks(Vec<Vec<u8>>);

    impl Write for Blocks {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Two answers, each written at once.
    fn short_answers(format: ClauseFormat) -> Vec<Vec<u8>> {
        let mut writer = BinaryWriter::new(Blocks::default(), format);
        for _ in 0..2 {
            writer.begin(Size::new(3, 2, 3)).unwrap();
            let xs = writer.fresh(3);
            writer.clause(&[xs.lit(0), !xs.lit(2), xs.lit(0)]);
            writer.clause(&[]);
            assert_eq!((writer.variables(), writer.clauses()), (3, 2));
            writer.end().unwrap();
        }
        writer.out.0
    }

    #[test]
    fn a_short_answer_is_written_at_once_with_its_header() {
        let header = [3_u64, 2, 3].map(u64::to_le_bytes).concat();
        let integers = [1, -3, 1, 0, 0_i32].map(i32::to_le_bytes).concat();
        let list = b"[\x02\0\0\0[\x03\0\0\0\xe9\x01\0\0\0\xe9\xfd\xff\xff\xffr\0\0\0\0[\0\0\0\0";
        for (format, clauses) in
            [(ClauseFormat::Integers, &integers[..]), (ClauseFormat::Marshal, &list[..])]
        {
            let expected = [&header[..], clauses].concat();
            assert_eq!(short_answers(format), [expected.clone(), expected], "{format:?}");
        }
    }

    #[test]
    fn blocks_are_joined_without_a_gap() {
        let mut writer = BinaryWriter::new(Blocks::default(), ClauseFormat::Integers);
        let xs: Vec<Lit> = writer.fresh(1_000).lits().collect();
        for _ in 0..100 {
            writer.clause(&xs);
        }
        writer.end().unwrap();
        assert!(writer.out.0.len() > 5);
        let bytes = writer.out.0.concat();
        assert_eq!(bytes.len(), 4 * 100 * 1_001);
        let numbers =
            bytes.chunks_exact(4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()));
        assert!(numbers.eq((0..100).flat_map(|_| (1..=1_000).chain([0]))));
    }

    #[test]
    fn a_list_with_too_many_clauses_is_refused() {
        let size = Size::binary(0, 1 << 31);
        assert!(BinaryWriter::new(io::sink(), ClauseFormat::Integers).begin(size).is_ok());
        assert!(BinaryWriter::new(io::sink(), ClauseFormat::Marshal).begin(size).is_err());
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
        let mut writer = BinaryWriter::new(Full, ClauseFormat::Integers);
        let xs = writer.fresh(1);
        writer.clause(&[xs.lit(0)]);
        assert_eq!(writer.end().err().map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
    }
}
