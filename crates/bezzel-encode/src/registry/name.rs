//! Names composed of others: mixtures and cut-offs, written as YAML's flow maps.
//!
//! `{rows: sequential-counter, columns: pairwise, diagonals: product}` and `{short: pairwise, long: product, at: 7}`
//! are allowed in every place of an id, on the command line and in rows too, so each encoding has one spelling.

use std::fmt;

use thiserror::Error;

/// The largest nesting of maps.
const MAX_DEPTH: usize = 64;

/// A parsed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// An id, or a number in its place.
    Id(String),
    /// Keys with their names, in their order.
    Map(Vec<(String, Name)>),
}

/// The reason why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not the name of an encoding: {what} at character {at}")]
pub struct NameSyntaxError {
    /// The text.
    pub text: String,
    /// The fault.
    pub what: String,
    /// The position, counted from 1.
    pub at: usize,
}

impl Name {
    /// Parses a name.
    ///
    /// # Errors
    ///
    /// When a map is not closed, has a key without a value, or is followed by more text; when maps are nested more than
    /// 64 deep.
    pub fn parse(text: &str) -> Result<Self, NameSyntaxError> {
        let mut parser = Parser { text, rest: text, open: 0 };
        let name = parser.value()?;
        parser.blank();
        if parser.rest.is_empty() {
            Ok(name)
        } else {
            Err(parser.fault("nothing more is expected"))
        }
    }
}

/// The text that [`Name::parse`] reads; words that would end early are quoted.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) if id.contains([' ', ',', '{', '}', '"', '\'']) => {
                f.write_str(&quoted(id))
            }
            Self::Id(id) => f.write_str(id),
            Self::Map(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, name)| format!("{key}: {name}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

/// A word in quotes, as in YAML: in double quotes if it has none and no backslash, else in single quotes, within which a
/// single quote is written twice.
pub fn quoted(word: &str) -> String {
    if word.contains(['"', '\\']) {
        format!("'{}'", word.replace('\'', "''"))
    } else {
        format!("\"{word}\"")
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    /// The number of maps that are not closed yet.
    open: usize,
}

impl Parser<'_> {
    fn fault(&self, what: &str) -> NameSyntaxError {
        let before = &self.text[..self.text.len() - self.rest.len()];
        NameSyntaxError {
            text: self.text.to_owned(),
            what: what.to_owned(),
            at: before.chars().count() + 1,
        }
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a character if it comes next.
    fn take(&mut self, expected: char) -> bool {
        self.blank();
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self) -> Result<Name, NameSyntaxError> {
        if !self.take('{') {
            return self.word(&[',', '}']).map(Name::Id);
        }
        if self.open == MAX_DEPTH {
            return Err(self.fault("too many maps stand in each other"));
        }
        self.open += 1;
        let mut entries: Vec<(String, Name)> = Vec::new();
        loop {
            let key = self.word(&[':', ',', '}'])?;
            if !self.take(':') {
                return Err(self.fault(&format!("`: ` and a value are expected after `{key}`")));
            }
            if entries.iter().any(|(earlier, _)| *earlier == key) {
                return Err(self.fault(&format!("the key `{key}` stands twice")));
            }
            entries.push((key, self.value()?));
            if self.take('}') {
                self.open -= 1;
                return Ok(Name::Map(entries));
            }
            if !self.take(',') {
                return Err(self.fault("`,` or `}` is expected"));
            }
        }
    }

    /// A word that ends before one of these characters; quotes are removed, and a quoted word ends at its quote only.
    /// Two single quotes within single quotes are one.
    fn word(&mut self, ends: &[char]) -> Result<String, NameSyntaxError> {
        self.blank();
        for quote in ['"', '\''] {
            if let Some(quoted) = self.rest.strip_prefix(quote) {
                let (mut word, mut left) = (String::new(), quoted);
                loop {
                    let Some((part, after)) = left.split_once(quote) else {
                        return Err(self.fault("the quote is not closed"));
                    };
                    word.push_str(part);
                    let Some(after) = after.strip_prefix('\'').filter(|_| quote == '\'') else {
                        self.rest = after;
                        return Ok(word);
                    };
                    word.push(quote);
                    left = after;
                }
            }
        }
        let length = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        let word = word.trim_end();
        if word.is_empty() {
            return Err(self.fault("a word is expected"));
        }
        self.rest = rest;
        Ok(word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Name {
        Name::Id(text.into())
    }

    #[test]
    fn maps_are_taken_apart_however_deep() {
        assert_eq!(Name::parse("commander:3+flat"), Ok(id("commander:3+flat")));
        let expected = Name::Map(vec![
            ("rows".into(), Name::Map(vec![("short".into(), id("a")), ("at".into(), id("7"))])),
            ("columns".into(), id("b:2")),
        ]);
        assert_eq!(Name::parse(" { rows: {short: a,at: 7} , columns: b:2 }"), Ok(expected));
        let quoted = Name::Map(vec![("command".into(), id("python3 a.py {x}"))]);
        let text = "{command: \"python3 a.py {x}\"}";
        assert_eq!(quoted.to_string(), text);
        assert_eq!(Name::parse(text), Ok(quoted));
    }

    #[test]
    fn a_malformed_name_is_refused_with_its_place() {
        let fault = |text: &str| Name::parse(text).unwrap_err().to_string();
        let cases = [
            (
                "{rows: a",
                "`{rows: a` is not the name of an encoding: `,` or `}` is expected at character 9",
            ),
            (
                "{rows}",
                "`{rows}` is not the name of an encoding: `: ` and a value are expected after \
                 `rows` at character 6",
            ),
            ("{}", "`{}` is not the name of an encoding: a word is expected at character 2"),
            ("", "`` is not the name of an encoding: a word is expected at character 1"),
            ("a}", "`a}` is not the name of an encoding: nothing more is expected at character 2"),
            (
                "{a: b, a: c}",
                "`{a: b, a: c}` is not the name of an encoding: the key `a` stands twice at \
                 character 10",
            ),
            (
                "{a: \"b}",
                "`{a: \"b}` is not the name of an encoding: the quote is not closed at character 5",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(fault(text), expected);
        }
        let nested = |depth| "{a: ".repeat(depth) + "b" + &"}".repeat(depth);
        assert!(Name::parse(&nested(64)).is_ok());
        assert!(
            fault(&nested(100_000)).ends_with("too many maps stand in each other at character 258")
        );
    }
}
