//! Evidence line by line, as it lies in the file.
//!
//! A file that a disk has spoiled may hold anything: bytes of zero are no part of any row, so they
//! end a line as a line break does, and what stands behind them is read; a line without end is
//! passed over without being kept.

use std::io::{self, BufRead};

use memchr::memchr2;

use super::seal::{self, Content, Damage, OfRow};
use crate::model::row::Row;

/// The longest line that is read, in bytes. A board of a thousand rows with every second square
/// blocked has 6 million.
const LONGEST: usize = 256 << 20;

/// One line of evidence.
#[derive(Debug)]
pub struct Line<T = Row> {
    /// Its number, counted from 1, as editors count.
    pub number: usize,
    /// What is in it.
    pub content: Content<T>,
}

/// The lines of evidence, read as they are asked for.
#[derive(Debug)]
pub struct Lines<R, T = Row> {
    source: R,
    number: usize,
    buffer: Vec<u8>,
    /// Bytes of whole lines so far.
    whole: u64,
    torn: u64,
    longest: usize,
    /// True if there are zeros after the last end of a line, when all lines are read.
    zeros: bool,
    /// What stood behind the zeros of a line that was told already.
    behind: Option<Line<T>>,
}

/// What a piece of the file ends with.
enum End {
    Break,
    Zero,
    File,
}

impl<R: BufRead, T> Lines<R, T> {
    /// The lines of a source.
    pub(super) fn new(source: R) -> Self {
        let (buffer, behind, zeros) = (Vec::new(), None, false);
        Self { source, number: 1, buffer, whole: 0, torn: 0, longest: LONGEST, zeros, behind }
    }

    /// Bytes after the last end of a line, when all lines are read.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// The last line, if it has zeros and no end, when all lines are read. Rows were lost there: a row that
    /// is still being written has none.
    pub(super) fn zeroed(&self) -> Option<Line<T>> {
        let content = Content::Damaged(Damage::NoRow);
        self.zeros.then_some(Line { number: self.number, content })
    }

    /// Bytes until the last end of a line.
    pub(super) fn whole(&self) -> u64 {
        self.whole
    }

    /// The next piece, up to a line break or a zero, into the buffer; and whether it was too long.
    fn piece(&mut self) -> io::Result<(End, u64, bool)> {
        self.buffer.clear();
        let (mut length, mut endless) = (0, false);
        loop {
            let block = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                return Ok((End::File, length, endless));
            }
            let end = memchr2(b'\n', 0, block);
            let taken = end.unwrap_or(block.len());
            endless |= self.buffer.len() + taken > self.longest;
            if !endless {
                self.buffer.extend_from_slice(&block[..taken]);
            }
            let kind = end.map(|end| if block[end] == 0 { End::Zero } else { End::Break });
            let used = taken + usize::from(kind.is_some());
            self.source.consume(used);
            length += used as u64;
            if let Some(kind) = kind {
                return Ok((kind, length, endless));
            }
        }
    }
}

impl<R: BufRead, T: OfRow> Iterator for Lines<R, T> {
    type Item = io::Result<Line<T>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.behind.take() {
            return Some(Ok(line));
        }
        let mut zeros = false;
        loop {
            let (end, length, endless) = match self.piece() {
                Ok(piece) => piece,
                Err(error) => return Some(Err(error)),
            };
            self.torn += length;
            let number = self.number;
            match end {
                End::File => {
                    self.zeros |= zeros;
                    return None;
                }
                End::Zero => {
                    // What zeros cut off was not written to its end.
                    zeros = true;
                    continue;
                }
                End::Break => {
                    self.number += 1;
                    self.whole += self.torn;
                    self.torn = 0;
                }
            }
            let content = match (endless, self.buffer.is_empty()) {
                (true, _) => Some(Content::Damaged(Damage::Endless)),
                (false, true) => None,
                (false, false) => Some(seal::open(&self.buffer)),
            };
            let mut line = content.map(|content| Line { number, content });
            if zeros {
                self.behind = line.take();
                line = Some(Line { number, content: Content::Damaged(Damage::NoRow) });
            }
            if let Some(line) = line {
                return Some(Ok(line));
            }
        }
    }
}
