//! Evidence line by line, with damage.
//!
//! A damaged file may contain anything. Zero bytes are not part of any row, so they end a line as a line break does,
//! and the text after them is read. An endless line is skipped without storing it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use memchr::memchr2;

use super::checksum::{self, Damage, LineContent, RowView};
use super::error::{StoreError, failed};
use super::{BLOCK, ROWS};
use crate::model::row::Row;
use crate::results::input;

/// The longest line that is read, in bytes. An instance with half a million excluded candidates has
/// 6 million.
const LONGEST: usize = 256 << 20;

/// One line of evidence.
#[derive(Debug)]
pub struct Line<T = Row> {
    /// Its number, counted from 1, as in editors.
    pub number: usize,
    /// Its content.
    pub content: LineContent<T>,
}

/// The lines of evidence, read on demand.
#[derive(Debug)]
pub struct Lines<R, T = Row> {
    source: BufReader<R>,
    /// The path of the source, for errors.
    path: PathBuf,
    number: usize,
    buffer: Vec<u8>,
    extent: Extent,
    /// The first row of a format that this version does not know: its line, and its format.
    newer: Option<(usize, u32)>,
    /// True if there are zeros after the last line end. It is valid after all lines are read.
    zeros: bool,
    /// The line after the zeros of a line that was already returned.
    behind: Option<Line<T>>,
}

/// The extent of the lines that were read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    /// The number of bytes of complete lines.
    pub(super) whole: u64,
    /// The number of bytes of a torn last line.
    pub(super) torn: u64,
    /// One past the highest session that a row names.
    pub(super) named: usize,
}

/// The end of a piece of the file.
enum End {
    Break,
    Zero,
    File,
}

/// Returns the lines of a folder's evidence, with damage.
///
/// # Errors
///
/// When there is none, or it cannot be opened.
pub fn lines(folder: &Path) -> Result<Lines<File>, StoreError> {
    let path = folder.join(ROWS);
    Ok(Lines::new(input::open(&path).map_err(failed("read", &path))?, &path))
}

/// Returns the lines of a file; `None` if it does not exist.
pub(crate) fn lines_if_there<T>(path: &Path) -> Result<Option<Lines<File, T>>, StoreError> {
    match input::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => Ok(Some(Lines::new(file.map_err(failed("read", path))?, path))),
    }
}

/// Returns the rows of a file, each with the number of its line; none if the file does not exist. Damaged lines and
/// rows of a newer version are skipped.
pub(crate) fn rows_in<T: RowView>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(usize, T), StoreError>> + use<T>, StoreError> {
    let lines = lines_if_there::<T>(path)?.into_iter().flatten();
    Ok(lines.filter_map(|line| match line {
        Ok(Line { number, content: LineContent::Row(row, _) }) => Some(Ok((number, *row))),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    }))
}

impl<R: Read, T> Lines<R, T> {
    /// The lines of a source, which is the file at this path.
    pub(super) fn new(source: R, path: &Path) -> Self {
        Self {
            source: BufReader::with_capacity(BLOCK, source),
            path: path.to_owned(),
            number: 1,
            buffer: Vec::new(),
            extent: Extent::default(),
            newer: None,
            zeros: false,
            behind: None,
        }
    }

    /// Returns the number of bytes after the last line end. It is valid after all lines are read.
    pub fn torn(&self) -> u64 {
        self.extent.torn
    }

    /// Returns the extent of the lines, after all are read. Refuses rows of a newer version.
    pub(super) fn extent(&self) -> Result<Extent, StoreError> {
        match self.newer {
            None => Ok(self.extent),
            Some((line, format)) => {
                Err(StoreError::Newer { path: self.path.clone(), line, format })
            }
        }
    }

    /// Returns the last line, if it has zeros and no end, after all lines are read. Such a line is a loss of rows: a
    /// row that is being written contains no zeros.
    pub(super) fn zeroed(&self) -> Option<Line<T>> {
        let content = LineContent::Damaged(Damage::NoRow);
        self.zeros.then_some(Line { number: self.number, content })
    }

    /// Reads the next piece, up to a line break or a zero, into the buffer. Returns its end, its length, and true if it
    /// was too long.
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
            endless |= self.buffer.len() + taken > LONGEST;
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

impl<R: Read, T: RowView> Lines<R, T> {
    /// Adds a line to the extent.
    fn note(&mut self, Line { number, content }: &Line<T>) {
        match content {
            LineContent::Row(row, _) => {
                self.extent.named = self.extent.named.max(row.session() + 1);
            }
            LineContent::Newer(format) => drop(self.newer.get_or_insert((*number, *format))),
            LineContent::Damaged(_) => {}
        }
    }
}

impl<R: Read, T: RowView> Iterator for Lines<R, T> {
    type Item = Result<Line<T>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.behind.take() {
            return Some(Ok(line));
        }
        let mut zeros = false;
        loop {
            let (end, length, endless) = match self.piece() {
                Ok(piece) => piece,
                Err(error) => return Some(Err(failed("read", &self.path)(error))),
            };
            self.extent.torn += length;
            let number = self.number;
            match end {
                End::File => {
                    self.zeros |= zeros;
                    return None;
                }
                End::Zero => {
                    // The text before zeros is incomplete.
                    zeros = true;
                    continue;
                }
                End::Break => {
                    self.number += 1;
                    self.extent.whole += self.extent.torn;
                    self.extent.torn = 0;
                }
            }
            let content = match (endless, self.buffer.is_empty()) {
                (true, _) => Some(LineContent::Damaged(Damage::Endless)),
                (false, true) => None,
                (false, false) => Some(checksum::open(&self.buffer)),
            };
            let mut line = content.map(|content| Line { number, content });
            if let Some(line) = &line {
                self.note(line);
            }
            if zeros {
                self.behind = line.take();
                line = Some(Line { number, content: LineContent::Damaged(Damage::NoRow) });
            }
            if let Some(line) = line {
                return Some(Ok(line));
            }
        }
    }
}
