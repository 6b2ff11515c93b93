//! Escaping of text of any origin for its destination.
//!
//! Ids, notes and questions come from configs and from external programs. All text stays as it is until a writer puts it
//! into a file or on a terminal; writers alone call this module. HTML is further escaped by maud.

use std::fmt::Write;

/// The text without characters that control terminals, change the direction of text, or are not allowed in XML. Each
/// becomes the replacement character. Line breaks become blanks.
pub(crate) fn plain(text: &str) -> String {
    // Most texts need no change.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    text.chars()
        .map(|character| match character {
            '\n' | '\r' | '\t' => ' ',
            // Marks, embeddings, overrides and isolates of bidirectional text, and characters that XML refuses.
            '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fffe}'
            | '\u{ffff}' => '\u{fffd}',
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}

/// The same for text of several lines. Line breaks are kept.
pub(crate) fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// A folder's name in a link. RFC 3986, section 2.3, lists the characters that need no percent sign.
pub(crate) fn address(folder: &str) -> String {
    folder.bytes().fold(String::new(), |mut address, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
        address
    })
}

/// Plain text for an element or an attribute of XML.
pub(crate) fn xml(text: &str) -> String {
    plain(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Plain text for use within a line of Markdown, without any markup.
pub(crate) fn markdown(text: &str) -> String {
    let text = plain(text);
    let mut escaped = String::with_capacity(text.len() + 8);
    for (index, character) in text.char_indices() {
        let special = match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#' | '!' | '@' => {
                true
            }
            // These begin lists and rules, and have a meaning only there.
            '-' | '+' | '=' => index == 0,
            // `1.` and `1)` begin lists too, and a bare address would become a link.
            '.' | ')' => {
                let (before, after) = (&text[..index], &text[index + 1..]);
                let numbered = index > 0 && before.bytes().all(|byte| byte.is_ascii_digit());
                (numbered && (after.is_empty() || after.starts_with(' ')))
                    || before.ends_with("www")
            }
            ':' => text[index..].starts_with("://"),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Text in a fenced block of Markdown, by a fence that the text cannot close.
pub(crate) fn fenced(text: &str, language: &str) -> String {
    let text = plain_lines(text);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}\n")
}

/// Text for a cell of CSV that no spreadsheet takes for a formula. Numbers stay. The writer adds quotes.
pub(crate) fn csv(text: &str) -> String {
    const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let text = plain(text);
    // Some programs look for the formula behind leading blanks.
    if text.trim_start().starts_with(FORMULA) && text.parse::<f64>().is_err() {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The writers: HTML with its embedded rows, Markdown, LaTeX, CSV, the terminal, SVG, and two records compared.
    const WRITERS: [&str; 12] = [
        "index.rs",
        "page/",
        "row_columns.rs",
        "markdown.rs",
        "latex/",
        "csv.rs",
        "table/markdown.rs",
        "table/plain.rs",
        "render/canvas.rs",
        "render/outline.rs",
        "record_comparison.rs",
        "escape.rs",
    ];

    /// The files of a folder that name this module, by their paths below `root`.
    fn callers(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                callers(&path, root, found);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && fs::read_to_string(&path).unwrap().contains("crate::escape")
            {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }

    #[test]
    fn writers_alone_escape_text() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut found = Vec::new();
        callers(&root, &root, &mut found);
        let others: Vec<_> = found
            .iter()
            .filter(|path| !WRITERS.iter().any(|known| path.starts_with(known)))
            .collect();
        assert!(others.is_empty(), "{others:?}");
    }

    #[test]
    fn control_characters_and_direction_overrides_do_not_pass() {
        assert_eq!(plain("a\u{1b}[31mb\u{0}\u{202e}c\nd"), "a\u{fffd}[31mb\u{fffd}\u{fffd}c d");
        assert_eq!(plain_lines("a\u{7}\nb\r\nc"), "a\u{fffd}\nb\nc");
        assert_eq!(plain("ψ₁ – N² ≤ 9"), "ψ₁ – N² ≤ 9");
    }

    #[test]
    fn nothing_in_escaped_text_is_xml() {
        assert_eq!(xml("a<b> & \"c\"\u{0}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }

    #[test]
    fn nothing_in_escaped_text_is_markdown() {
        assert_eq!(markdown("<script>|a*b_c`"), "\\<script\\>\\|a\\*b\\_c\\`");
        assert_eq!(markdown("- item"), "\\- item");
        assert_eq!(markdown("sequential-counter"), "sequential-counter");
        assert_eq!(markdown("12. item, no. 3"), "12\\. item, no. 3");
        assert_eq!(markdown("0.012"), "0.012");
        assert_eq!(
            markdown("http://a.example www.b.example"),
            "http\\://a.example www\\.b.example"
        );
        assert_eq!(markdown("![x](y)"), "\\!\\[x\\](y)");
        assert_eq!(markdown("one\n\n# two"), "one  \\# two");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(fenced("a: 1", "yaml"), "```yaml\na: 1\n```\n");
        assert_eq!(fenced("````\nx", ""), "`````\n````\nx\n`````\n");
    }

    #[test]
    fn formulas_of_spreadsheets_are_defused() {
        assert_eq!(csv("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(csv("  @SUM(1)"), "'  @SUM(1)");
        assert_eq!(csv("\t+1"), "' +1");
        assert_eq!(csv("bryant-circuit+columns"), "bryant-circuit+columns");
        assert_eq!(csv("-0.5"), "-0.5");
    }
}
