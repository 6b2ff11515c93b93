//! Decimal numbers that are typed in the author's part of a report. Measured numbers must be placeholders.

use super::node::{Node, Value};
use super::placeholder::outside_placeholders;
use super::report::{ReportAnswer, ReportSpec};
use super::source::{ConfigError, Source};

/// Refuses a typed decimal number in an answer and in the reason of an outcome, since measured numbers are
/// placeholders. A decimal number that another key of the file states is no result, and is accepted. The config
/// of a session is not refused for an answer.
pub(super) fn refuse(spec: &ReportSpec, keys: &[(Node, Node)]) -> Result<(), ConfigError> {
    let because = spec.hypothesis.iter().filter_map(|hypothesis| hypothesis.because.as_ref());
    for passage in spec.answer.iter().flat_map(ReportAnswer::passages).chain(because) {
        for number in decimals(passage) {
            if !states(&spec.source, keys, number) {
                let message = format!("the number `{number}` is typed");
                return Err(spec.error(passage, number, message).hint(
                    "`{table | row | column}` takes a number from the report; a number that is not measured may be \
                     typed if another key of the file states it",
                ));
            }
        }
    }
    Ok(())
}

/// True if a key has this decimal number. Keys with results state none.
fn states(source: &Source, keys: &[(Node, Node)], number: &str) -> bool {
    let is_result = |key: &Node| key.is("answer") || key.is("because");
    keys.iter().any(|(key, value)| !is_result(key) && has_number(source, value, number))
}

fn has_number(source: &Source, node: &Node, number: &str) -> bool {
    match &node.value {
        Value::Text(text) => decimals(text).any(|stated| stated == number),
        Value::Number(_) => source.written(node.place) == number,
        Value::List(nodes) => nodes.iter().any(|node| has_number(source, node, number)),
        Value::Map(entries) => states(source, entries, number),
        Value::Nothing | Value::Flag(_) => false,
    }
}

/// The decimal numbers of a text outside placeholders, as in `1.73`, `.5`, `1,43` and `12.5s`; not those of `v1.2` and
/// `2.1.3`. In `14,200` the comma groups thousands.
fn decimals(text: &str) -> impl Iterator<Item = &str> {
    let words = outside_placeholders(text).flat_map(str::split_whitespace);
    words.flat_map(|word| ['.', ','].into_iter().flat_map(move |mark| decimals_with(word, mark)))
}

/// The numbers of a word with this decimal mark.
fn decimals_with(word: &str, mark: char) -> impl Iterator<Item = &str> {
    let parts = word.split(move |c: char| !c.is_alphanumeric() && c != '.' && c != mark);
    parts.filter_map(move |part| {
        let part = part.trim_end_matches(['.', ',']);
        let (whole, rest) = part.split_once(mark)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = whole.bytes().all(|byte| byte.is_ascii_digit()) && digits > 0;
        let is_grouped = mark == ',' && (digits == 3 || whole.is_empty());
        (is_number && !is_grouped && !rest.contains(['.', mark]))
            .then(|| &part[..=whole.len() + digits])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_is_found_beside_other_signs_and_a_version_is_none() {
        let found = |text| decimals(text).collect::<Vec<_>>();
        assert_eq!(found("1.73 times, 12.5s. {a | 0.5 | b}, ×2.50"), ["1.73", "12.5", "2.50"]);
        assert_eq!(found("{a | {b: c} | 0.5} 1.5"), ["1.5"]);
        assert_eq!(found("1,43 times, .5 of them, 0,5s."), ["1,43", ".5", "0,5"]);
        assert!(found("N = 14. CaDiCaL 2.1.3 in 2020, v1.2, commander:3, 14,200, a.5").is_empty());
        assert_eq!(found("1,780.5 s, 1.5,2.5, a,1.73"), ["780.5", "1.5", "2.5", "1.73"]);
    }
}
