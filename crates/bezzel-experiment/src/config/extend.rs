//! Configs that extend others: the key `extends`.
//!
//! A config may name one file beside it. It takes over each key of this file as a whole, unless it has the key
//! itself. That file may extend another one. A session states the keys together.

use std::path::PathBuf;

use super::file::path_beside;
use super::node::{self, Node, Value};
use super::source::{ConfigError, Source};
use super::{report, text_of_file};

/// The largest number of files in a chain of extensions. Readers find more than two hard to follow.
const LONGEST: usize = 8;

/// Keys that are not taken over, besides those for the report.
const OWN: [&str; 2] = ["name", "extends"];

/// The tree of a config with the keys that it takes over.
pub(super) struct ConfigTree {
    /// The tree.
    pub(super) root: Node,
    /// Notes on it, each in one line.
    pub(super) notes: Vec<String>,
}

/// Reads the tree of a config.
pub(super) fn read(source: &mut Source) -> Result<ConfigTree, ConfigError> {
    let mut notes = Vec::new();
    let mut root = node::parse(source, 0)?;
    note_single_seeds(source, &root, &mut notes);
    let mut files: Vec<PathBuf> = Vec::new();
    let extended = |root: &Node| root.entry("extends").map(|(_, value)| value.clone());
    let mut next = extended(&root);
    if let Some(node) = next.as_ref().filter(|_| source.is_of_session()) {
        return Err(source.error(node.place, "the config of a session extends no other one"));
    }
    while let Some(node) = next {
        let path = path_beside(source, &node, "`extends`")?.to_owned();
        let full = source.folder(node.place).join(&path);
        // Paths are compared by their components, so the number of slashes between these makes no difference.
        if files.contains(&full) || source.is_itself(&full) {
            let message = format!("`{path}` extends itself, through this file");
            return Err(source.error(node.place, message).hint("remove one `extends`"));
        }
        if files.len() == LONGEST {
            let message = format!("more than {LONGEST} configs extend one another");
            return Err(source.error(node.place, message).hint("write some of them as one"));
        }
        let name = full.display().to_string();
        let text = text_of_file(&full, &name).map_err(|error| {
            let message = format!("{name}: {}", error.message);
            source.error(node.place, message)
        })?;
        let file = source.add(&name, &text);
        let parent = node::parse(source, file)?;
        next = extended(&parent);
        let Value::Map(entries) = parent.value else {
            let message =
                format!("a config that is extended must be a map, not {}", parent.value.kind());
            return Err(source.error(parent.place, message));
        };
        files.push(full);
        take_over(&mut root, entries);
    }
    Ok(ConfigTree { root, notes })
}

/// Adds the entries whose keys the config does not state itself.
fn take_over(root: &mut Node, entries: Vec<(Node, Node)>) {
    let Value::Map(own) = &mut root.value else { return };
    for (key, value) in entries {
        let known = |name: &str| own.iter().any(|(own, _)| own.is(name));
        let keeps = match &key.value {
            Value::Text(name) => {
                let is_own = OWN.contains(&name.as_str()) || report::is_key(name);
                !is_own && !known(name)
            }
            // Kept here, since the reader of keys refuses it with its place.
            _ => true,
        };
        if keeps {
            own.push((key, value));
        }
    }
}

/// Adds a note for each `seeds` with a single number above 1, which is one seed and no number of seeds.
fn note_single_seeds(source: &Source, node: &Node, notes: &mut Vec<String>) {
    match &node.value {
        Value::List(nodes) => {
            for node in nodes {
                note_single_seeds(source, node, notes);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                match (&key.value, &value.value) {
                    (Value::Text(name), Value::Number(seed)) if name == "seeds" && *seed > 1.0 => {
                        let message = format!(
                            "`seeds: {seed}` is the one seed {seed}; {seed} seeds are `seeds: 1..{seed}`"
                        );
                        notes.push(source.note(key.place, &message));
                    }
                    _ => note_single_seeds(source, value, notes),
                }
            }
        }
        _ => {}
    }
}
