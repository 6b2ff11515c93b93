//! The name of an experiment, which is also the name of folders.

use std::path::Path;

use super::node::{self, Node, Value};
use super::source::{ConfigError, Source};
use super::text_of_file;

/// The longest name, in characters.
const LONGEST: usize = 100;

/// Names that some system reserves for a device, with any ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Reads a name that is one plain folder on every system.
pub(super) fn read(source: &Source, node: &Node) -> Result<String, ConfigError> {
    let name = source.text_of(node, "`name`")?;
    check(name).map_err(|reason| {
        let problem = source.error(node.place, format!("`name` {reason}"));
        match tidied(name) {
            Some(tidied) => problem.hint(format!("for example `{tidied}`")),
            None => problem.hint("for example `first-look`"),
        }
    })?;
    Ok(name.to_owned())
}

/// The name that a config states; none if the file cannot be read or states none.
pub fn in_file(config: &Path) -> Option<String> {
    let path = config.display().to_string();
    let source = Source::new(&path, &text_of_file(config, &path).ok()?);
    let Value::Map(entries) = node::parse(&source, 0).ok()?.value else { return None };
    let is_name = |key: &Node| matches!(&key.value, Value::Text(key) if key == "name");
    let (_, name) = entries.iter().find(|(key, _)| is_name(key))?;
    read(&source, name).ok()
}

/// Refuses a name that is not one plain folder on every system.
///
/// # Errors
///
/// The reason, as the end of a sentence that begins with the named thing.
pub fn check(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    let refused = if name.is_empty() {
        "is empty, and must name a folder"
    } else if length > LONGEST {
        return Err(format!("has {length} characters, and may have {LONGEST}"));
    } else if !name.chars().all(is_plain) {
        "names a folder, so it takes lower-case letters, digits, hyphens and dots only"
    } else if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        "must begin with a letter or a digit"
    } else if name.ends_with('.') || name.contains("..") {
        "must not end in a dot, nor hold two in a row"
    } else if is_device(name) {
        "is the name of a device on some systems"
    } else {
        return Ok(());
    };
    Err(refused.to_owned())
}

fn is_plain(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.'
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let numbered = |port: &str| {
        let number = stem.strip_prefix(port);
        number.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
    };
    DEVICES.contains(&stem) || numbered("com") || numbered("lpt")
}

/// Returns the nearest accepted name.
fn tidied(name: &str) -> Option<String> {
    // Other scripts would lose letters.
    if !name.is_ascii() {
        return None;
    }
    let words: Vec<String> = name
        .to_lowercase()
        .split(|c| !is_plain(c))
        .map(|word| word.trim_matches(['.', '-']).to_owned())
        .filter(|word| !word.is_empty() && !word.contains(".."))
        .collect();
    let joined: String = words.join("-").chars().take(LONGEST).collect();
    let tidied = joined.trim_end_matches(['.', '-']);
    (!tidied.is_empty() && !is_device(tidied)).then(|| tidied.to_owned())
}
