//! A map with known keys.

use bezzel_encode::UnknownId;

use super::node::{Node, Value};
use super::source::{ConfigError, Place, Source};

/// The values of a map whose keys are known.
pub(super) struct Fields<'a> {
    /// Where the map begins; nowhere, if it is the whole file.
    place: Option<Place>,
    source: &'a Source,
    entries: &'a [(Node, Node)],
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// Takes `node` for a map with no other keys than the known ones; `what` names the map.
    pub(super) fn new(
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
        for (key, _) in entries {
            let Value::Text(name) = &key.value else {
                let message = format!("a key must be text, not {}", key.value.kind());
                return Err(source
                    .error(key.place, message)
                    .hint(format!("the keys of {what} are {keys}")));
            };
            if !known.contains(&name.as_str()) {
                let near = UnknownId::new("key", name, known).near;
                return Err(source
                    .error(key.place, format!("{what} has no key `{name}`"))
                    .near(near.as_deref(), format!("its keys are {keys}")));
            }
        }
        Ok(Self { place: Some(node.place), source, entries, what })
    }

    /// The same for the map that is the whole file: what it lacks is in none of its lines.
    pub(super) fn of_file(
        source: &'a Source,
        node: &'a Node,
        what: &'static str,
        known: &[&str],
    ) -> Result<Self, ConfigError> {
        Ok(Self { place: None, ..Self::new(source, node, what, known)? })
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        let is_key = |node: &Node| matches!(&node.value, Value::Text(name) if name == key);
        self.entries.iter().find(|(node, _)| is_key(node)).map(|(_, value)| value)
    }

    /// The value of a key that must be there; `example` shows how it may look.
    pub(super) fn need(&self, key: &str, example: &str) -> Result<&'a Node, ConfigError> {
        self.get(key).ok_or_else(|| {
            let message = format!("{} has no `{key}`", self.what);
            let problem = match self.place {
                Some(place) => self.source.error(place, message),
                None => self.source.fault(message),
            };
            problem.hint(format!("add one, as in `{example}`"))
        })
    }

    /// The values of a key, one or a list, and whether the key is there at all.
    pub(super) fn list(&self, key: &str) -> Result<Option<&'a [Node]>, ConfigError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match node.one_or_more() {
            [] => Err(self
                .source
                .error(node.place, format!("`{key}` is empty"))
                .hint("name at least one")),
            nodes => Ok(Some(nodes)),
        }
    }
}
