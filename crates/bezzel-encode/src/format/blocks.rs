//! A buffer that writes text to a file in blocks.

use std::io::{self, Write};

/// Collects text and writes it in blocks of equal size. All blocks but the last begin and end at pages of the file,
/// which is faster for the kernel.
///
/// It keeps the first error of `out` for the end, and writes nothing after it.
pub(super) struct Blocks<W> {
    out: W,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that are text.
    filled: usize,
    error: Option<io::Error>,
}

/// The size of a block: large enough for few writes, small enough for the cache.
pub(super) const BLOCK: usize = 1 << 19;

/// The space beyond a block, so that small requests seldom need a write or a larger buffer.
const MARGIN: usize = 1 << 12;

impl<W: Write> Blocks<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, buffer: vec![0; BLOCK + MARGIN], filled: 0, error: None }
    }

    /// A buffer of `bytes` bytes for text; [`advance`](Self::advance) takes the number of bytes written.
    #[inline]
    pub(super) fn reserve(&mut self, bytes: usize) -> &mut [u8] {
        if self.buffer.len() - self.filled < bytes {
            self.grow(bytes);
        }
        &mut self.buffer[self.filled..][..bytes]
    }

    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.filled += bytes;
    }

    /// Writes the rest and returns `out`, or its first error.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.hand_on(self.filled);
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        self.hand_on(self.filled - self.filled % BLOCK);
        // One clause may be longer than a block.
        if self.buffer.len() - self.filled < bytes {
            self.buffer.resize(self.filled + bytes, 0);
        }
    }

    /// Writes the first `bytes` bytes and moves the rest to the front.
    fn hand_on(&mut self, bytes: usize) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.buffer[..bytes]).err();
        }
        self.buffer.copy_within(bytes..self.filled, 0);
        self.filled -= bytes;
    }
}

/// For text that need not be written fast. It never fails: the error is kept for the end.
impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.reserve(text.len()).copy_from_slice(text);
        self.advance(text.len());
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
