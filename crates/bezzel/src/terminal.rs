//! The standard output and the standard error of all commands: no text of a file, a name or a program reaches a terminal
//! that would obey it. The first words of faults and warnings have colours on a terminal that shows them.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal, StderrLock, Write};
use std::mem;
use std::os::fd::AsFd;

use bezzel_problem::{harmless, is_plain};

/// A writer of text with escapes for all that a terminal would obey. A character may arrive in parts.
pub(crate) struct Harmless<W> {
    out: W,
    /// The begin of a character that is not complete.
    part: Vec<u8>,
    has_colours: bool,
    is_line_start: bool,
}

/// The first words of lines that have a colour: bold red, yellow and cyan.
const COLOURED: [(&str, &str); 5] = [
    ("error:", "1;31"),
    ("WRONG", "1;31"),
    ("CONTRADICTION", "1;31"),
    ("WARNING:", "33"),
    ("note:", "36"),
];

/// True if a stream is a terminal with colours, and `NO_COLOR` is unset.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !is_set("NO_COLOR") && is_set("TERM") && !is_dumb
}

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W, has_colours: bool) -> Self {
        Self { out, part: Vec::new(), has_colours, is_line_start: true }
    }

    fn write_text(&mut self, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(bytes);
        let text = harmless(&text);
        if !self.has_colours {
            return self.out.write_all(text.as_bytes());
        }
        for line in text.split_inclusive('\n') {
            let is_begun = |(word, _): &&(&str, &str)| self.is_line_start && line.starts_with(word);
            let (word, colour) = COLOURED.iter().find(is_begun).copied().unwrap_or_default();
            if !word.is_empty() {
                write!(self.out, "\u{1b}[{colour}m{word}\u{1b}[0m")?;
            }
            self.out.write_all(&line.as_bytes()[word.len()..])?;
            self.is_line_start = line.ends_with('\n');
        }
        Ok(())
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.part.is_empty() && !self.has_colours && is_plain(bytes) {
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
    let stderr = io::stderr().lock();
    let has_colours = has_colours(&stderr);
    Harmless::new(stderr, has_colours)
}

/// Writes to the standard output while another thread has its lock and waits or works.
pub(crate) fn write_past_lock(text: &[u8]) -> io::Result<()> {
    let mut out = Harmless::new(File::from(io::stdout().as_fd().try_clone_to_owned()?), false);
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
            let mut writer = Harmless::new(&mut out, false);
            text.as_bytes().chunks(part).for_each(|part| writer.write_all(part).unwrap());
            writer.flush().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), harmless(text), "{part}");
        }
        let mut out = Vec::new();
        let mut writer = Harmless::new(&mut out, false);
        writer.write_all(b"a\xffb\xe2\x80").unwrap();
        writer.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn faults_and_warnings_begin_in_colour_and_other_words_do_not() {
        let mut out = Vec::new();
        let mut writer = Harmless::new(&mut out, true);
        let warning = "no error: here\nWRONG: a\u{1b}\n";
        write!(writer, "WARNING: {warning}").unwrap();
        let text =
            "\u{1b}[33mWARNING:\u{1b}[0m no error: here\n\u{1b}[1;31mWRONG\u{1b}[0m: a\\u001b\n";
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}
