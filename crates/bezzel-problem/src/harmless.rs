//! Text of any origin for a terminal.

use std::fmt::Write;

/// The text with escapes for all that a terminal would obey or reorder, except line breaks and tabs. The escapes are
/// those of JSON, so a JSON document means the same.
pub fn harmless(text: &str) -> String {
    escaped(text, &['\n', '\t'])
}

/// The same on one line: line breaks and tabs are escaped, too.
pub fn harmless_line(text: &str) -> String {
    escaped(text, &[])
}

/// True if all bytes are printable ASCII, line breaks or tabs, so that nothing has to be escaped. Formulas of gigabytes are
/// plain; this crate is optimised in every build.
pub fn is_plain(bytes: &[u8]) -> bool {
    // Whole chunks without an early exit use vector instructions.
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    bytes.chunks(1 << 12).all(|chunk| chunk.iter().fold(true, |all, byte| all & is_plain(byte)))
}

fn escaped(text: &str, kept: &[char]) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) && !kept.contains(&c) {
            // Writing to a string cannot fail. All such characters have at most four digits.
            let _ = write!(shown, "\\u{:04x}", c as u32);
        } else {
            shown.push(c);
        }
    }
    shown
}

/// True if a terminal obeys a character instead of showing it. These are control characters, and characters that set
/// the direction of the text around them or end a line.
pub fn is_obeyed(c: char) -> bool {
    let directs = matches!(
        c,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || directs || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_nothing_else() {
        let text = "a\u{1b}[2J\u{9b}b\u{202e}c\u{2066}\u{7f}\r\td\n\u{e9}\u{1f600}";
        let shown =
            r"a\u001b[2J\u009bb\u202ec\u2066\u007f\u000d".to_owned() + "\td\n\u{e9}\u{1f600}";
        assert_eq!(harmless(text), shown);
        assert_eq!(harmless_line("a\tb\nc"), r"a\u0009b\u000ac");
        let obeyed = ('\0'..=char::MAX).filter(|&c| is_obeyed(c));
        assert!(obeyed.clone().all(|c| u32::from(c) <= 0xffff));
        assert_eq!(obeyed.count(), 65 + 3 + 5 + 4 + 2);
    }
}
