//! Configs that commands write: data as YAML. Every text from outside is quoted where it must be, so it is read again as
//! the same text.

use std::fmt::Write;

use serde_json::Value as Json;

/// Words that YAML does not read as text.
const NOT_TEXT: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"];

/// Returns the text of a config with these keys. The entries of a list stand on a line each if one of them is a map.
pub fn written(keys: &[(&str, Json)]) -> String {
    let mut text = String::new();
    for (key, value) in keys {
        // Writing to a string cannot fail.
        let _ = match value.as_array() {
            Some(entries) if entries.iter().any(Json::is_object) => {
                let entries = entries.iter().map(|entry| format!("\n  - {}", flow(entry)));
                writeln!(text, "{}:{}", word(key), entries.collect::<String>())
            }
            _ => writeln!(text, "{}: {}", word(key), flow(value)),
        };
    }
    text
}

/// A value on one line.
pub(super) fn flow(value: &Json) -> String {
    match value {
        Json::String(text) => word(text),
        Json::Array(entries) => {
            let entries: Vec<_> = entries.iter().map(flow).collect();
            format!("[{}]", entries.join(", "))
        }
        Json::Object(entries) => {
            let entries: Vec<_> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", word(key), flow(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        // A config has plain digits, without an exponent.
        Json::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => real.to_string(),
            _ => number.to_string(),
        },
        // JSON is YAML.
        Json::Null | Json::Bool(_) => value.to_string(),
    }
}

/// A text, quoted unless it is a plain word. Within quotes everything but printable ASCII and letters is escaped.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-+_.".contains(c);
    let is_word = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(is_plain)
        && !NOT_TEXT.contains(&text);
    if is_word {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            c if c.is_alphanumeric() => quoted.push(c),
            c => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::node;
    use super::super::source::Source;
    use super::*;

    fn read(text: &str) -> Json {
        node::parse(&Source::new("written.yaml", text), 0).unwrap().data().unwrap()
    }

    #[test]
    fn every_text_is_read_as_the_same_text() {
        let pieces = [
            "a",
            "\"",
            "'",
            "\\",
            "\n",
            "\r",
            "\t",
            "\0",
            "\u{1b}",
            "\u{85}",
            "\u{2028}",
            "\u{202e}",
            "\u{feff}",
            "\u{fffe}",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            ": ",
            " #",
            "#",
            "*",
            "&",
            "!",
            "%",
            "@",
            "`",
            "|",
            ">",
            "-",
            "- ",
            "?",
            "? ",
            "---",
            "...",
            " ",
            "ü",
            "数",
            "\u{1f600}",
            "1",
            ".",
            "~",
            "=",
            "<<",
            "\"}\n",
        ];
        let words = [
            "true", "No", "null", "Null", "0x1", "1e3", "1_000", "12:30", ".inf", "nan", "y", "e",
            "",
        ];
        let pairs =
            pieces.iter().flat_map(|one| pieces.iter().map(move |two| format!("{one}{two}")));
        let texts = pieces.iter().chain(&words).map(ToString::to_string).chain(pairs);
        for text in texts {
            let keys = [("text", json!(text)), ("list", json!([text, {(text.clone()): [text]}]))];
            let expected: Json =
                keys.iter().cloned().map(|(key, value)| (key.to_owned(), value)).collect();
            assert_eq!(read(&written(&keys)), expected, "{text:?}: {}", written(&keys));
        }
    }

    #[test]
    fn plain_words_need_no_quotes() {
        let keys = [
            ("name", json!("tune-a")),
            ("encodings", json!(["pairwise", "commander:3", {"short": "pairwise", "at": 7}])),
            ("limits", json!({"cpu": "1.5 s"})),
            ("solvers", json!(["cadical", "batsat"])),
        ];
        let expected = "name: tune-a\nencodings:\n  - pairwise\n  - \"commander:3\"\n  - {short: pairwise, at: 7}\n\
                        limits: {cpu: \"1.5 s\"}\nsolvers: [cadical, batsat]\n";
        assert_eq!(written(&keys), expected);
    }
}
