//! Configs that extend others: the key `extends`.
//!
//! A config may name one file beside it. It takes over each key of this file as a whole, unless it has the key
//! itself. That file may extend another one. The files are stored with the evidence, as files of boards are, so that
//! the frozen config keeps its meaning.

use std::path::Path;

use super::file::path_beside;
use super::node::{self, Node, Value};
use super::source::{ConfigError, Source};
use super::{former, report, text_of_file};
use crate::results::store::Attached;

/// The largest number of files in a chain of extensions. Readers find more than two hard to follow.
const LONGEST: usize = 8;

/// Keys that are not taken over, besides those for the report.
const OWN: [&str; 2] = ["name", "extends"];

/// The tree of a config with the keys that it takes over.
pub(super) struct ConfigTree {
    /// The tree, without former words.
    pub(super) root: Node,
    /// The files from which keys were taken over.
    pub(super) files: Vec<Attached>,
    /// Notes on former words, each in one line.
    pub(super) notes: Vec<String>,
}

/// Reads the tree of a config; `is_frozen` is true for that of a record.
pub(super) fn read(source: &mut Source, is_frozen: bool) -> Result<ConfigTree, ConfigError> {
    let mut notes = Vec::new();
    let mut root = node::parse(source, 0)?;
    former::replace_former_instances(source, &mut root, is_frozen)?;
    former::replace(source, &mut root, &mut notes);
    former::note_single_seeds(source, &root, &mut notes);
    let mut files: Vec<Attached> = Vec::new();
    let extended = |root: &Node| root.entry("extends").map(|(_, value)| value.clone());
    let mut next = extended(&root);
    while let Some(node) = next {
        let path = path_beside(source, &node, "`extends`")?.to_owned();
        let full = source.folder(node.place).join(&path);
        let below = source.below(&full);
        // Paths are compared by their components, so the number of slashes between these makes no difference.
        let is_this = |file: &Attached| Path::new(&file.path) == Path::new(&below);
        if files.iter().any(is_this) || source.is_itself(&full) {
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
        let mut parent = node::parse(source, file)?;
        former::replace_former_instances(source, &mut parent, is_frozen)?;
        former::replace(source, &mut parent, &mut notes);
        next = extended(&parent);
        let Value::Map(entries) = parent.value else {
            let message =
                format!("a config that is extended must be a map, not {}", parent.value.kind());
            return Err(source.error(parent.place, message));
        };
        files.push(Attached { path: below, bytes: text.into_bytes() });
        take_over(&mut root, entries);
    }
    Ok(ConfigTree { root, files, notes })
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
