//! The standard output of a program, into a file that cannot grow beyond a size.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{ioctl_fionbio, ioctl_fionread};

/// A pipe that is emptied into a file, never waited for, in constant memory.
///
/// The program does not get the file itself, since only a pipe can be cut off: a limit of the size
/// of files would bind its other files as well.
#[derive(Debug)]
pub(super) struct Spill {
    /// Closed as soon as nobody can write any more.
    pipe: Option<File>,
    file: File,
    left: u64,
    written: u64,
}

impl Spill {
    pub(super) fn new(pipe: OwnedFd, file: File, most: u64) -> io::Result<Self> {
        ioctl_fionbio(&pipe, true)?;
        // Fewer wake-ups; where that is refused, more.
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, 1 << 18);
        Ok(Self { pipe: Some(pipe.into()), file, left: most, written: 0 })
    }

    /// The pipe, while it is open.
    pub(super) fn pipe(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// How many bytes were written so far, those included that went nowhere.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Reads once, if there is something to read. Returns how much it was.
    pub(super) fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let Some(pipe) = &mut self.pipe else { return Ok(0) };
        match pipe.read(block) {
            Ok(0) => self.pipe = None,
            Ok(length) => {
                self.written += length as u64;
                let kept = length.min(usize::try_from(self.left).unwrap_or(usize::MAX));
                self.left -= kept as u64;
                self.file.write_all(&block[..kept])?;
                return Ok(length);
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
        Ok(0)
    }

    /// Reads what is in the pipe now, and no more. Returns how much was written in all.
    pub(super) fn finish(mut self, block: &mut [u8]) -> io::Result<u64> {
        let mut rest = match &self.pipe {
            Some(pipe) => ioctl_fionread(pipe)?,
            None => 0,
        };
        while rest > 0 {
            match self.read(block)? {
                0 => break,
                length => rest = rest.saturating_sub(length as u64),
            }
        }
        Ok(self.written)
    }
}
