//! Quotations of arbitrary output in messages.

/// The beginning of a line, of limited length.
#[derive(Debug)]
pub(super) struct Bounded {
    bytes: Vec<u8>,
    max: usize,
}

impl Bounded {
    pub(super) fn new(max: usize) -> Self {
        Self { bytes: Vec::new(), max }
    }

    pub(super) fn push(&mut self, byte: u8) {
        if self.bytes.len() < self.max {
            self.bytes.push(byte);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() == self.max
    }

    /// Returns the text, and clears it.
    pub(super) fn take(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        self.bytes.clear();
        text
    }
}

/// Returns a text without the characters that control a terminal, for messages.
pub(super) fn clean(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().map(clean).collect()
}

/// Returns true for the bytes that separate words.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}
