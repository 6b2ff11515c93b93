//! The style and the script of a page, and the policy that permits only these two, by their digests.

use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::render::hex_of;
use crate::report::Report;

const PAGE: &str = include_str!("page.css");
const PRINT: &str = include_str!("print.css");
const INDEX: &str = include_str!("index.css");
/// The page's one script: its files in one scope, in their order.
pub(super) const SCRIPT: &str = concat!(
    "\"use strict\";(() => {\n",
    include_str!("script/start.js"),
    include_str!("script/values.js"),
    include_str!("script/tables.js"),
    include_str!("script/series.js"),
    include_str!("script/state.js"),
    include_str!("script/filter.js"),
    include_str!("script/compare.js"),
    include_str!("script/details.js"),
    include_str!("script/end.js"),
    "})();"
);

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
    format!("{}; script-src '{}'", bare(style), digest(SCRIPT))
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
        assert!(SCRIPT.len() <= 44 << 10, "{}", SCRIPT.len());
    }

    #[test]
    fn neither_style_nor_script_can_end_its_element() {
        for text in [PAGE, PRINT, INDEX, SCRIPT_OF_INDEX, SCRIPT_OF_ENCODINGS, SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }
}
