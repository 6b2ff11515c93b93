//! The standard output and the standard error of all commands: no text of a file, a name or a program reaches a terminal
//! that would obey it.

use std::fs::File;
use std::io::{self, StderrLock, Write};
use std::mem;
use std::os::fd::AsFd;

use bezzel_problem::{harmless, is_plain};

/// A writer of text with escapes for all that a terminal would obey. A character may arrive in parts.
pub(crate) struct Harmless<W> {
    out: W,
    /// The begin of a character that is not complete.
    part: Vec<u8>,
}

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, part: Vec::new() }
    }

    fn write_text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(harmless(&String::from_utf8_lossy(bytes)).as_bytes())
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.part.is_empty() && is_plain(bytes) {
            return self.out.write(bytes);
        }
        let mut text = mem::take(&mut self.part);
        text.extend_from_slice(bytes);
        if let Some(start) = incomplete(&text) {
            self.part = text.split_off(start);
        }
        self.write_text(&text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = mem::take(&mut self.part);
        self.write_text(&rest)?;
        self.out.flush()
    }
}

/// The place of a character at the end whose last bytes are missing.
fn incomplete(text: &[u8]) -> Option<usize> {
    let start = (0..text.len()).rev().take(3).find(|&at| text[at] & 0xc0 != 0x80)?;
    let length = match text[start] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    (text.len() - start < length).then_some(start)
}

/// The standard error, until the end of a message.
pub(crate) fn stderr() -> Harmless<StderrLock<'static>> {
    Harmless::new(io::stderr().lock())
}

/// Writes to the standard output while another thread has its lock and waits or works.
pub(crate) fn write_past_lock(text: &[u8]) -> io::Result<()> {
    let mut out = Harmless::new(File::from(io::stdout().as_fd().try_clone_to_owned()?));
    out.write_all(text)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_in_whatever_parts_the_bytes_arrive() {
        let text = "plain\na\u{1b}[2J\u{9b}b\u{202e}c\td\n\u{e9}\u{1f600}\u{2066}";
        for part in 1..=text.len() {
            let mut out = Vec::new();
            let mut writer = Harmless::new(&mut out);
            text.as_bytes().chunks(part).for_each(|part| writer.write_all(part).unwrap());
            writer.flush().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), harmless(text), "{part}");
        }
        let mut out = Vec::new();
        let mut writer = Harmless::new(&mut out);
        writer.write_all(b"a\xffb\xe2\x80").unwrap();
        writer.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}b\u{fffd}");
    }
}
