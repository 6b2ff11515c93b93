//! Placeholders in the author's texts, `{table | row | column}`. The word of a mixture has braces of its own.

use std::iter;

/// Splits a text at its first placeholder: the text before it, the text between its braces, and the text after it. None
/// if the text has no placeholder, or if it has no end.
pub fn split_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let mut open = 1_usize;
    let end = rest.char_indices().find(|&(_, letter)| {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        open == 0
    });
    end.map(|(at, _)| (before, &rest[..at], &rest[at + 1..]))
}

/// The texts before, between and after the placeholders of a text.
pub(super) fn outside_placeholders(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let split = split_placeholder(text);
        rest = split.map(|(_, _, after)| after);
        Some(split.map_or(text, |(before, ..)| before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_mixture_keeps_its_braces() {
        let text = "a {ranking | {rows: a, columns: {b: c}} | Ratio} and {d}";
        let inner = "ranking | {rows: a, columns: {b: c}} | Ratio";
        assert_eq!(split_placeholder(text), Some(("a ", inner, " and {d}")));
        assert_eq!(split_placeholder("{ranking | {rows: a} | Ratio"), None);
        assert_eq!(outside_placeholders(text).collect::<Vec<_>>(), ["a ", " and ", ""]);
        assert_eq!(outside_placeholders("a} {b").collect::<Vec<_>>(), ["a} {b"]);
    }
}
