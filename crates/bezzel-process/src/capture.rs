//! The output of a program, up to a size.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{ioctl_fionbio, ioctl_fionread};
use rustix::pipe::fcntl_setpipe_size;
use serde::{Deserialize, Serialize};

/// One output of a program: all of it, or its end if it was longer than the number of bytes to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// The last bytes written.
    pub tail: Vec<u8>,
    /// The number of bytes written in all.
    pub written: u64,
}

impl Captured {
    /// Returns true if the beginning was dropped.
    pub fn is_truncated(&self) -> bool {
        self.written > self.tail.len() as u64
    }

    /// Returns the end as text. Invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.tail).into_owned()
    }

    /// Appends bytes. Memory is at most twice `keep` and one block.
    fn push(&mut self, bytes: &[u8], keep: usize) {
        self.written += bytes.len() as u64;
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > keep.saturating_mul(2) {
            self.trim(keep);
        }
    }

    fn trim(&mut self, keep: usize) {
        let excess = self.tail.len().saturating_sub(keep);
        self.tail.drain(..excess);
    }
}

/// The reading end of an output. Reads do not block and use constant memory.
#[derive(Debug)]
pub(crate) struct Stream {
    /// The pipe, closed as soon as no process can write any more.
    pipe: Option<File>,
    captured: Captured,
    to: Destination,
}

/// The destination of the bytes that are read.
#[derive(Debug)]
enum Destination {
    /// Memory, for this many of the last bytes.
    Tail(usize),
    /// A file, for this many more bytes; those that follow are only counted.
    File(File, u64),
}

impl Stream {
    /// Reads from `pipe` and keeps the last `keep` bytes.
    pub(crate) fn new(pipe: OwnedFd, keep: usize) -> io::Result<Self> {
        Self::reading(pipe, Destination::Tail(keep))
    }

    /// Reads from `pipe` and writes the first `max` bytes to `file`.
    ///
    /// A program does not get the file itself, since only a pipe can be cut off: a limit on file sizes would apply
    /// to its other files as well.
    pub(crate) fn into_file(pipe: OwnedFd, file: File, max: u64) -> io::Result<Self> {
        // A larger pipe needs fewer wake-ups. A refusal is harmless.
        let _ = fcntl_setpipe_size(&pipe, 1 << 18);
        Self::reading(pipe, Destination::File(file, max))
    }

    fn reading(pipe: OwnedFd, to: Destination) -> io::Result<Self> {
        ioctl_fionbio(&pipe, true)?;
        Ok(Self { pipe: Some(pipe.into()), captured: Captured::default(), to })
    }

    /// Returns the pipe, while it is open.
    pub(crate) fn pipe(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Returns the number of bytes read so far, including those that were not kept.
    pub(crate) fn written(&self) -> u64 {
        self.captured.written
    }

    /// Reads once, if data are available. Returns the number of bytes.
    pub(crate) fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let Some(pipe) = &mut self.pipe else { return Ok(0) };
        match pipe.read(block) {
            Ok(0) => self.pipe = None,
            Ok(length) => {
                match &mut self.to {
                    Destination::Tail(keep) => self.captured.push(&block[..length], *keep),
                    Destination::File(file, left) => {
                        let kept = length.min(usize::try_from(*left).unwrap_or(usize::MAX));
                        *left -= kept as u64;
                        self.captured.written += length as u64;
                        file.write_all(&block[..kept])?;
                    }
                }
                return Ok(length);
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
        Ok(0)
    }

    /// Reads the data that are in the pipe now, and no more: an escaped process may hold the other end and continue
    /// to write.
    pub(crate) fn finish(mut self, block: &mut [u8]) -> io::Result<Captured> {
        let mut left = match &self.pipe {
            Some(pipe) => ioctl_fionread(pipe)?,
            None => 0,
        };
        while left > 0 {
            let max = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match self.read(&mut block[..max])? {
                0 => break,
                length => left -= length as u64,
            }
        }
        if let Destination::Tail(keep) = self.to {
            self.captured.trim(keep);
        }
        Ok(self.captured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_however_the_bytes_come() {
        for block in [1, 3, 7, 100] {
            let text: Vec<u8> = (0..100).collect();
            let mut captured = Captured::default();
            for part in text.chunks(block) {
                captured.push(part, 10);
                assert!(captured.tail.len() <= 20 + block);
            }
            captured.trim(10);
            assert_eq!(captured, Captured { tail: text[90..].to_vec(), written: 100 });
            assert!(captured.is_truncated());
        }
    }

    #[test]
    fn a_text_that_fits_is_kept_whole() {
        let mut captured = Captured::default();
        captured.push(b"all", 10);
        captured.trim(10);
        assert_eq!(captured.text(), "all");
        assert!(!captured.is_truncated());
    }
}
