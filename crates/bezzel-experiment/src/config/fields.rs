//! Maps with known keys.

use std::ops::RangeInclusive;

use bezzel_problem::UnknownId;

use super::node::{Node, Value};
use super::scalar::choice;
use super::source::{ConfigError, Source, SourceLocation};

/// A key, its description, and in Markdown the value that replaces an absent key; empty if there is none.
pub(super) type KeyRow = (&'static str, &'static str, &'static str);

/// The names of keys.
pub(super) fn names(rows: &'static [KeyRow]) -> impl Iterator<Item = &'static str> {
    rows.iter().map(|(name, ..)| *name)
}

/// Keys that are often written in a map that does not have them: the map, the keys, true if only a number can be
/// taken over, the place of the text with this meaning, and the text.
const INSTEAD: [(&str, &[&str], bool, &str, &str); 16] = [
    ("the config", &["seeds", "shuffles"], true, "numberings: [TEXT]", "random: {shuffles: VALUE}"),
    ("the config", &["timeout", "time", "cpu"], false, "limits: {TEXT}", "cpu: VALUE"),
    ("the config", &["wall"], false, "limits: {TEXT}", "wall: VALUE"),
    ("the config", &["memory"], false, "limits: {TEXT}", "memory: VALUE"),
    ("the config", &["n", "size", "sizes"], false, "problems: [TEXT]", "{queens: {size: VALUE}}"),
    ("the config", &["board", "boards"], false, "problems: [TEXT]", "{queens: VALUE}"),
    ("an inclusion", &["board", "boards"], false, "problems: [TEXT]", "{queens: VALUE}"),
    ("a problem", &["size", "sizes", "n"], false, "TEXT", "queens: {size: VALUE}"),
    ("a random numbering", &["seeds", "seed"], true, "TEXT", "shuffles: VALUE"),
    ("a board", &["family"], false, "{queens: …, TEXT}", "family: VALUE"),
    ("a board", &["shuffles"], true, "{queens: …, TEXT}", "shuffles: VALUE"),
    ("a board", &["n", "side", "sizes"], false, "TEXT", "size: VALUE"),
    ("a solver", &["seed"], true, "TEXT", "seeds: VALUE"),
    ("`limits`", &["timeout", "time"], false, "TEXT", "cpu: VALUE"),
    ("an exclusion", &["board", "boards", "problem", "problems"], false, "TEXT", "instance: VALUE"),
    ("an exclusion", &["engine", "engines", "solvers"], false, "TEXT", "solver: VALUE"),
];

/// The longest value that advice repeats, in characters.
const LONGEST_REPEATED: usize = 40;

/// The advice for a key that a map with these entries does not have, if the key is often written.
fn instead(
    source: &Source,
    what: &str,
    (key, value): (&str, &Node),
    entries: &[(Node, Node)],
) -> Option<String> {
    let mut rows = INSTEAD.iter();
    let &(.., number, place, text) = rows.find(|row| row.0 == what && row.1.contains(&key))?;
    let written = source.written(value.place);
    let is_taken_over = match &value.value {
        Value::Number(_) => true,
        Value::Text(_) => !number && written.chars().count() <= LONGEST_REPEATED,
        _ => false,
    };
    let text = text.replace("VALUE", if is_taken_over { written } else { "…" });
    let is_there = |above: &str| entries.iter().any(|(key, _)| key.is(above));
    Some(match place.split_once(':') {
        Some((above, _)) if is_there(above) => format!("write `{text}` in `{above}`"),
        _ => format!("write `{}`", place.replace("TEXT", &text)),
    })
}

/// The values of a map whose keys are known.
pub struct Fields<'a> {
    /// The beginning of the map; none if it is the whole file.
    place: Option<SourceLocation>,
    source: &'a Source,
    entries: &'a [(Node, Node)],
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// Reads `node` as a map with no other keys than the known ones; `what` names the map.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn new(
        source: &'a Source,
        node: &'a Node,
        what: &'static str,
        known: &[&str],
    ) -> Result<Self, ConfigError> {
        let keys = known.join(", ");
        let Value::Map(entries) = &node.value else {
            let message = format!("{what} must be a map, not {}", node.value.kind());
            return Err(source.error(node.place, message).hint(format!("its keys are {keys}")));
        };
        for (key, value) in entries {
            let Value::Text(name) = &key.value else {
                let message = format!("a key must be text, not {}", key.value.kind());
                return Err(source
                    .error(key.place, message)
                    .hint(format!("the keys of {what} are {keys}")));
            };
            if !known.contains(&name.as_str()) {
                let unknown = source.error(key.place, format!("{what} has no key `{name}`"));
                if let Some(advice) = instead(source, what, (name, value), entries) {
                    return Err(unknown.hint(advice));
                }
                let near = UnknownId::new("key", name, known).near;
                return Err(unknown.near(near.as_deref(), format!("its keys are {keys}")));
            }
        }
        Ok(Self { place: Some(node.place), source, entries, what })
    }

    /// Reads the map that is the whole file. A missing key of it has no line.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn of_file(
        source: &'a Source,
        node: &'a Node,
        what: &'static str,
        known: &[&str],
    ) -> Result<Self, ConfigError> {
        Ok(Self { place: None, ..Self::new(source, node, what, known)? })
    }

    /// The config.
    pub(super) fn source(&self) -> &'a Source {
        self.source
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(name, _)| name.is(key)).map(|(_, value)| value)
    }

    /// All keys with their values.
    pub fn entries(&self) -> &'a [(Node, Node)] {
        self.entries
    }

    /// Returns the value of a key that must be there; `example` shows a possible value.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn need(&self, key: &str, example: &str) -> Result<&'a Node, ConfigError> {
        self.get(key).ok_or_else(|| {
            let message = format!("{} has no `{key}`", self.what);
            let problem = match self.place {
                Some(place) => self.source.error(place, message),
                None => self.source.fault(message),
            };
            problem.hint(format!("add one, as in `{example}`"))
        })
    }

    /// Returns the values of a key, one or a list; none if the key is not there.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn list(&self, key: &str) -> Result<Option<&'a [Node]>, ConfigError> {
        self.get(key).map(|node| self.source.listed(node, key)).transpose()
    }

    /// The whole number of a key.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn whole(&self, key: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, ConfigError> {
        let read = |node| self.source.whole(node, &format!("`{key}`"), range);
        self.get(key).map(read).transpose()
    }

    /// The state of a switch; `default` if the key is not there.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub(super) fn switch(&self, key: &str, default: bool) -> Result<bool, ConfigError> {
        let read = |node| self.source.switch(node, &format!("`{key}`"));
        self.get(key).map_or(Ok(default), read)
    }

    /// Returns the choice that a key names.
    ///
    /// # Errors
    ///
    /// When the config is not of this form there; the error has the place.
    pub fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ConfigError> {
        self.get(key).map(|node| choice(self.source, node, key, choices)).transpose()
    }
}
