//! Clauses as lists of integers for Python, read from a pipe.
//!
//! An answer is a header and the clauses. All numbers are little-endian. The header has three unsigned 64-bit integers:
//! the numbers of variables, clauses and literals. Variable v is the number v, counted from 1, and its negation is −v.
//!
//! The clauses are a list of lists of integers in the format of Python's module `marshal`, version 3. `marshal.loads` reads
//! it. An element is a byte for its type, and a signed 32-bit integer. `[` begins a list, and the integer is its length.
//! `i` is a literal, and the integer is its value. The byte 0xE9 (`i` with the highest bit) is a literal, too; the literal
//! gets the next number from 0 on. `r` is such a literal that occurs again, and the integer is its number. These are
//! 5 · (1 + clauses + literals) bytes. A list has at most 2,147,483,647 clauses.

use std::io::{self, Write};

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The size of a block that is written at once, in bytes.
const BLOCK: usize = 1 << 16;

/// The types of elements: a list, a literal without a number, one that gets the next number, and a numbered one.
const LIST: u8 = b'[';
const INTEGER: u8 = b'i';
const NUMBERED: u8 = b'i' | 0x80;
const REFERENCE: u8 = b'r';

/// Literals of further variables get no number, so that a large variable needs no large table.
const NUMBERED_VARIABLES: u32 = 1 << 22;

/// A sink that writes answers, one after the other. It writes in blocks, so `out` needs no buffer. After an error of
/// `out` the rest of the answer is not written. [`end`](Self::end) returns the error and forgets it, and later answers are
/// written.
#[derive(Debug)]
pub struct MarshalWriter<W> {
    out: W,
    block: Vec<u8>,
    lists: Lists,
    variables: u32,
    clauses: u64,
    error: Option<io::Error>,
}

impl<W: Write> MarshalWriter<W> {
    /// A sink that writes to `out`.
    pub fn new(out: W) -> Self {
        let (block, lists) = (Vec::with_capacity(BLOCK), Lists::default());
        Self { out, block, lists, variables: 0, clauses: 0, error: None }
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
        let clauses = i32::try_from(size.clauses).map_err(io::Error::other)?;
        self.lists.begin(clauses, &mut self.block);
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

impl<W: Write> ClauseSink for MarshalWriter<W> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.lists.clause(lits, &mut self.block);
        self.clauses += 1;
        if self.block.len() >= BLOCK {
            self.write_block();
        }
    }
}

/// Writes lists, and numbers their literals.
///
/// A literal gets a number at its first occurrence, and is a reference afterwards. Python then makes one object for all
/// occurrences: less time, and less memory.
#[derive(Debug, Default)]
struct Lists {
    /// The literals of the list in the order of their numbers.
    numbered: Vec<Lit>,
    /// A number for each literal, by its index. It is valid if `numbered` has the literal there; other numbers are left
    /// from earlier lists.
    numbers: Vec<u32>,
}

impl Lists {
    /// Begins a list of this number of clauses.
    fn begin(&mut self, clauses: i32, out: &mut Vec<u8>) {
        self.numbered.clear();
        element(LIST, clauses, out);
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit], out: &mut Vec<u8>) {
        element(LIST, lits.len() as i32, out);
        for &lit in lits {
            let (kind, value) = self.literal(lit);
            element(kind, value, out);
        }
    }

    /// The type and the value of a literal.
    #[inline]
    fn literal(&mut self, lit: Lit) -> (u8, i32) {
        if lit.vidx32() >= NUMBERED_VARIABLES {
            return (INTEGER, lit.to_ipasir());
        }
        let index = lit.lidx();
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, 0);
        }
        let number = self.numbers[index];
        if self.numbered.get(number as usize) == Some(&lit) {
            return (REFERENCE, number as i32);
        }
        self.numbers[index] = self.numbered.len() as u32;
        self.numbered.push(lit);
        (NUMBERED, lit.to_ipasir())
    }
}

#[inline]
fn element(kind: u8, value: i32, out: &mut Vec<u8>) {
    let [first, second, third, fourth] = value.to_le_bytes();
    out.extend_from_slice(&[kind, first, second, third, fourth]);
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

    #[test]
    fn a_short_answer_is_written_at_once_with_its_header() {
        let mut writer = MarshalWriter::new(Blocks::default());
        for _ in 0..2 {
            writer.begin(Size::new(3, 2, 3)).unwrap();
            let xs = writer.fresh(3);
            writer.clause(&[xs.lit(0), !xs.lit(2), xs.lit(0)]);
            writer.clause(&[]);
            assert_eq!((writer.variables(), writer.clauses()), (3, 2));
            writer.end().unwrap();
        }
        let header = [3_u64, 2, 3].map(u64::to_le_bytes).concat();
        let list = b"[\x02\0\0\0[\x03\0\0\0\xe9\x01\0\0\0\xe9\xfd\xff\xff\xffr\0\0\0\0[\0\0\0\0";
        // The numbers of literals begin at 0 in each answer.
        let expected = [&header[..], list].concat();
        assert_eq!(writer.out.0, [expected.clone(), expected]);
    }

    #[test]
    fn blocks_are_joined_without_a_gap() {
        let mut writer = MarshalWriter::new(Blocks::default());
        writer.begin(Size::new(1_000, 100, 100_000)).unwrap();
        let xs: Vec<Lit> = writer.fresh(1_000).lits().collect();
        for _ in 0..100 {
            writer.clause(&xs);
        }
        writer.end().unwrap();
        assert!(writer.out.0.len() > 5);
        let bytes = writer.out.0.concat();
        assert_eq!(bytes.len(), 24 + 5 * (1 + 100 * 1_001));
        let values = bytes[24..].chunks_exact(5).map(|element| {
            (element[0], i32::from_le_bytes([element[1], element[2], element[3], element[4]]))
        });
        let first = (1..=1_000).map(|lit| (NUMBERED, lit));
        let first = [(LIST, 100), (LIST, 1_000)].into_iter().chain(first);
        let again =
            || [(LIST, 1_000)].into_iter().chain((0..1_000).map(|number| (REFERENCE, number)));
        assert!(values.eq(first.chain((1..100).flat_map(|_| again()))));
    }

    #[test]
    fn a_list_with_too_many_clauses_is_refused() {
        assert!(MarshalWriter::new(io::sink()).begin(Size::binary(0, (1 << 31) - 1)).is_ok());
        assert!(MarshalWriter::new(io::sink()).begin(Size::binary(0, 1 << 31)).is_err());
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
        let mut writer = MarshalWriter::new(Full);
        let xs = writer.fresh(1);
        writer.clause(&[xs.lit(0)]);
        assert_eq!(writer.end().err().map(|error| error.kind()), Some(io::ErrorKind::StorageFull));
    }

    #[test]
    fn a_large_variable_gets_no_number_and_no_table() {
        let (mut lists, mut bytes) = (Lists::default(), Vec::new());
        lists.begin(1, &mut bytes);
        lists
            .clause(&[i32::MAX, 5, i32::MAX].map(|lit| Lit::from_ipasir(lit).unwrap()), &mut bytes);
        let expected = b"[\x01\0\0\0[\x03\0\0\0i\xff\xff\xff\x7f\xe9\x05\0\0\0i\xff\xff\xff\x7f";
        assert_eq!(bytes, expected);
        assert_eq!(lists.numbers.len(), 9);
    }
}
