//! Texts of an author with their places in the file.

use std::fmt;
use std::ops::Deref;

use super::node::Node;
use super::source::{ConfigError, Source, SourceLocation};

/// The longest text, in characters.
const LONGEST: usize = 2000;

/// A text of an author with its place in the file.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    text: String,
    /// The place; none for a text that does not come from a file.
    place: Option<SourceLocation>,
}

impl Passage {
    /// The place; none for a text that does not come from a file.
    pub(super) fn place(&self) -> Option<SourceLocation> {
        self.place
    }

    /// A text with its place.
    pub(super) fn at(text: &str, place: SourceLocation) -> Self {
        Self { text: text.into(), place: Some(place) }
    }
}

impl Deref for Passage {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<T: Into<String>> From<T> for Passage {
    fn from(text: T) -> Self {
        Self { text: text.into(), place: None }
    }
}

impl fmt::Display for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Passage {
    /// The place makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Passage {}

/// A text of one paragraph with its place.
pub(super) fn passage(source: &Source, node: &Node, what: &str) -> Result<Passage, ConfigError> {
    Ok(Passage { text: paragraph(source, node, what)?, place: Some(node.place) })
}

/// A text of one paragraph.
pub(super) fn paragraph(source: &Source, node: &Node, what: &str) -> Result<String, ConfigError> {
    let text = source.text_of(node, what)?.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    match length {
        0 => Err(source.error(node.place, format!("{what} is empty"))),
        1..=LONGEST => Ok(text),
        _ => {
            let message = format!("{what} has {length} characters, and may have {LONGEST}");
            Err(source.error(node.place, message))
        }
    }
}
