//! The style and the script of a page, and the policy that permits only these two, by their digests.

use std::fmt::Write;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::render::hex_of;
use crate::report::Report;

const PAGE: &str = include_str!("page.css");
const PRINT: &str = include_str!("print.css");
const INDEX: &str = include_str!("index.css");
/// The files of the script of a page, in the order of their scope.
const FILES: [&str; 9] = [
    include_str!("script/start.js"),
    include_str!("script/values.js"),
    include_str!("script/tables.js"),
    include_str!("script/series.js"),
    include_str!("script/state.js"),
    include_str!("script/filter.js"),
    include_str!("script/compare.js"),
    include_str!("script/details.js"),
    include_str!("script/end.js"),
];

/// The page's one script: its files in one scope, without comments, superfluous spaces and line breaks. Comments must
/// be on lines of their own. Each statement must end with a semicolon or a brace.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let lines = FILES.iter().flat_map(|file| file.lines()).map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).map(squeezed);
    let mut script = "\"use strict\";(() => {".to_owned();
    for line in lines {
        if line.starts_with('}') && script.ends_with(';') {
            script.pop();
        }
        if script.ends_with(is_word) && line.starts_with(is_word) {
            script.push('\n');
        }
        script.push_str(&line);
    }
    script + "})();"
});

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// A line of a script without the blanks between signs. Texts and regular expressions stay; a text in backquotes must
/// contain none of its kind.
fn squeezed(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut quote: Option<char> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = text.chars().next_back().unwrap_or(' ');
        match (quote, letter) {
            (Some(_), '\\') => {
                text.push(letter);
                text.extend(letters.next());
                continue;
            }
            (Some(end), _) if letter == end => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(letter),
            // Division has a blank before it.
            (None, '/') if matches!(last, '(' | ',') => quote = Some(letter),
            (None, ' ') => {
                let next = letters.peek().copied().unwrap_or(' ');
                let is_needed =
                    is_word(last) && is_word(next) || last == next && "+-".contains(last);
                if !is_needed {
                    continue;
                }
            }
            // Before the end of a block no statement needs its semicolon.
            (None, '}') if last == ';' => {
                text.pop();
            }
            _ => {}
        }
        text.push(letter);
    }
    text
}

/// The style of a report: the sheet, and a class for the colour of each encoding. No element has a style of its own,
/// which the policy would not permit.
pub(crate) fn style(report: &Report<'_>) -> String {
    let mut style = [PAGE, PRINT].concat();
    for number in report.styles() {
        // Writing to a string cannot fail.
        let _ = writeln!(style, ".s{number}{{fill:{}}}", hex_of(number));
    }
    style
}

/// The style of the index.
pub(crate) fn style_of_index() -> String {
    [PAGE, PRINT, INDEX].concat()
}

/// The policy of a page. It may load nothing and run one script, so that names in it have no effect.
pub(crate) fn policy(style: &str) -> String {
    format!("{}; script-src '{}'", bare(style), digest(&SCRIPT))
}

/// The script of the index.
pub(crate) const SCRIPT_OF_INDEX: &str = include_str!("index.js");

/// The script of the page of encodings.
pub(crate) const SCRIPT_OF_ENCODINGS: &str = include_str!("encodings.js");

/// The policy of the index and of the page beside it, which run one script and load the pictures of reports.
pub(crate) fn policy_of(style: &str, script: &str) -> String {
    format!("{}; script-src '{}'; img-src 'self'", bare(style), digest(script))
}

fn bare(style: &str) -> String {
    let style = digest(style);
    format!("default-src 'none'; style-src '{style}'; base-uri 'none'; form-action 'none'")
}

/// The digest of a text in the form of policies: Content Security Policy Level 3, section 2.3.1, `hash-source`.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_specification_s_example() {
        // Content Security Policy Level 3, section 8.4: the digest of `alert('Hello, world.');`.
        let example = "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=";
        assert_eq!(digest("alert('Hello, world.');"), example);
    }

    #[test]
    fn the_script_is_short() {
        assert!(SCRIPT.len() <= 31 << 10, "{}", SCRIPT.len());
    }

    #[test]
    fn blanks_stay_where_they_separate_words_and_in_texts() {
        for (line, expected) in [
            ("const a = b ? c : d;", "const a=b?c:d;"),
            ("return \"a b\" + `c ${d + e}`;", "return\"a b\"+`c ${d + e}`;"),
            ("x.split(/a b/, 1) / 2 + +y", "x.split(/a b/,1)/2+ +y"),
            ("if (a) make('it\\'s a', b);", "if(a)make('it\\'s a',b);"),
            ("const f = () => { a(); };", "const f=()=>{a()};"),
        ] {
            assert_eq!(squeezed(line), expected);
        }
        for line in FILES.iter().flat_map(|file| file.lines()) {
            let is_template = line.contains('`') && !line.trim_start().starts_with("//");
            let nested = line
                .split("${")
                .skip(1)
                .any(|part| part.split('}').next().is_some_and(|inner| inner.contains('`')));
            assert!(!(is_template && nested), "{line}");
            assert!(line.trim_start().starts_with("//") || !line.contains(" //"), "{line}");
        }
    }

    #[test]
    fn neither_style_nor_script_can_end_its_element() {
        for text in [PAGE, PRINT, INDEX, SCRIPT_OF_INDEX, SCRIPT_OF_ENCODINGS, &SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }
}
