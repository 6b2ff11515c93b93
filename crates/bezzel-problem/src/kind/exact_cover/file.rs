//! Exact covers in files: the items on the first line, then one option on each line, its items by their names.
//!
//! A `|` between the items stands before the secondary ones. Empty lines, and lines whose first byte is `|`, are
//! comments. Names have neither `|` nor `:`. An option without a primary item is refused.
//!
//! *Source.* The input of D. E. Knuth's program DLX1, without the colours of later ones. That program passes over
//! options without a primary item, which would change the numbers of those behind them.

use std::collections::HashMap;

use super::ExactCover;
use crate::text::{FileError, Position};

/// The rule for names, for messages.
pub(super) const IS_NAME: &str = "the name of an item has neither blanks nor `|` nor `:`";

/// True if an item may have this name.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && !word.contains(|char: char| char.is_whitespace() || "|:".contains(char))
}

/// Reads an exact cover.
///
/// # Errors
///
/// The first word that cannot be read.
pub fn read(text: &str) -> Result<ExactCover, FileError> {
    let mut items: HashMap<&str, u32> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    let mut primary = None;
    let mut options: Vec<Vec<u32>> = Vec::new();
    let mut has_items = false;
    // The last option that names each item.
    let mut last: Vec<Option<usize>> = Vec::new();
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('|') {
            continue;
        }
        let start = text.as_ptr() as usize;
        let column = |word: &str| text[..word.as_ptr() as usize - start].chars().count() as u64 + 1;
        let words = text.split_whitespace().map(|word| (column(word), word));
        let error =
            |column: u64, message: String| FileError::at(Position { line, column }, message);
        if !has_items {
            has_items = true;
            for (column, word) in words {
                if word == "|" {
                    if primary.replace(names.len()).is_some() {
                        return Err(error(column, "a second `|` among the items".into()));
                    }
                } else if !is_name(word) {
                    return Err(error(column, format!("{IS_NAME}, not `{word}`")));
                } else if items.insert(word, names.len() as u32).is_some() {
                    return Err(error(column, format!("the item `{word}` is listed twice")));
                } else {
                    names.push(word.to_owned());
                }
            }
            last = vec![None; names.len()];
            continue;
        }
        let mut option: Vec<u32> = Vec::new();
        for (column, word) in words {
            let Some(&item) = items.get(word) else {
                let message = format!("`{word}` is not an item: the items stand on the first line");
                return Err(error(column, message));
            };
            if last[item as usize].replace(options.len()) == Some(options.len()) {
                return Err(error(column, format!("the option names the item `{word}` twice")));
            }
            option.push(item);
        }
        let primary = primary.unwrap_or(names.len());
        if option.iter().all(|&item| item as usize >= primary) {
            let message =
                "the option has no primary item: every cover may have it or not, so delete it";
            return Err(error(1, message.into()));
        }
        options.push(option);
    }
    if names.is_empty() {
        let message = "the first line lists the items, and there is none";
        return Err(FileError::at(Position::START, message));
    }
    if options.is_empty() {
        let message = "there is no option: write one on each line after the items";
        let line = text.lines().count() as u64;
        return Err(FileError::at(Position { line, column: 1 }, message));
    }
    let secondary = primary.map_or(0, |primary| names.len() - primary);
    Ok(ExactCover::of(names, secondary as u32, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_and_the_ends_of_lines_change_nothing() {
        let expected = read("a b | c\na c\nb c\n").unwrap();
        assert_eq!(read("\u{feff}a b | c\r\na c\r\nb c").unwrap(), expected);
    }

    #[test]
    fn a_file_that_is_no_exact_cover_is_refused_with_its_place() {
        for (text, message) in [
            ("", "line 1, column 1: the first line lists the items"),
            ("| only a comment\n", "line 1, column 1: the first line lists the items"),
            ("a b\n\n", "line 2, column 1: there is no option"),
            ("a b a\n", "line 1, column 5: the item `a` is listed twice"),
            ("a | b | c\n", "line 1, column 7: a second `|` among the items"),
            ("a b\na c\n", "line 2, column 3: `c` is not an item"),
            ("a b\n\n b  b\n", "line 3, column 5: the option names the item `b` twice"),
            ("ä b\nä c\n", "line 2, column 3: `c` is not an item"),
            ("a b:1\n", "line 1, column 3: the name of an item has neither"),
            ("a b|\n", "line 1, column 3: the name of an item has neither"),
            ("a | b\na\nb\n", "line 3, column 1: the option has no primary item"),
            (" | a\na\n", "line 2, column 1: the option has no primary item"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }
}
