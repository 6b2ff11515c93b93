//! Bytes of a file, one after another, with a buffer of its own.

use std::io::{self, Read};

const BUFFER: usize = 1 << 16;

/// A reader, with the number of bytes that were read.
pub(crate) struct Source<R> {
    inner: R,
    buffer: Box<[u8]>,
    next: usize,
    end: usize,
    /// Bytes that were in earlier fillings of the buffer.
    passed: u64,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(inner: R) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { inner, buffer, next: 0, end: 0, passed: 0 }
    }

    /// The number of bytes that were taken.
    pub(crate) fn offset(&self) -> u64 {
        self.passed + self.next as u64
    }

    /// The next byte, which stays; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.next == self.end && !self.refill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.next]))
    }

    /// The next byte, which is taken; `None` at the end.
    #[inline]
    pub(crate) fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        self.next += usize::from(byte.is_some());
        Ok(byte)
    }

    #[cold]
    fn refill(&mut self) -> io::Result<bool> {
        self.passed += self.end as u64;
        (self.next, self.end) = (0, 0);
        loop {
            match self.inner.read(&mut self.buffer) {
                Ok(read) => {
                    self.end = read;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
