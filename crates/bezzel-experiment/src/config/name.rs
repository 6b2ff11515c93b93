//! The name of an experiment, which is also the name of folders.

use std::path::Path;

use super::node::{self, Node};
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
    let root = node::parse(&source, 0).ok()?;
    read(&source, &root.entry("name")?.1).ok()
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

/// Returns an accepted name that begins with `prefix` and resembles a text, such as the name of a file. If letters of the
/// text are lost, eight digits distinguish it from other texts.
///
/// `prefix` is the begin of accepted names, with at most 20 characters.
pub fn derived(prefix: &str, text: &str) -> String {
    let longest = LONGEST - prefix.len() - 9;
    let words = words(text);
    let is_whole = !words.is_empty() && words.len() <= longest && text.is_ascii();
    if is_whole {
        return format!("{prefix}{words}");
    }
    let digest = &blake3::hash(text.as_bytes()).to_hex()[..8];
    match words[..words.len().min(longest)].trim_end_matches(['.', '-']) {
        "" => format!("{prefix}{digest}"),
        words => format!("{prefix}{words}-{digest}"),
    }
}

/// Returns the nearest accepted name.
fn tidied(name: &str) -> Option<String> {
    // Other scripts would lose letters.
    if !name.is_ascii() {
        return None;
    }
    let words = words(name);
    let tidied = words[..words.len().min(LONGEST)].trim_end_matches(['.', '-']);
    (!tidied.is_empty() && !is_device(tidied)).then(|| tidied.to_owned())
}

/// The plain words of a text, joined by hyphens. A word with two dots in a row is left out.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c| !is_plain(c)).map(|word| word.trim_matches(['.', '-']));
    let words = words.filter(|word| !word.is_empty() && !word.contains(".."));
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_derived_name_is_accepted() {
        for (text, expected) in [
            ("lo_8x8_009", "tune-lo-8x8-009"),
            ("normalized-mds_50_10_4", "tune-normalized-mds-50-10-4"),
            ("KNF", "tune-knf"),
            ("v1.2 final", "tune-v1.2-final"),
            ("-rf", "tune-rf"),
            ("con", "tune-con"),
            ("a.", "tune-a"),
        ] {
            assert_eq!(derived("tune-", text), expected);
        }
        let pieces = [
            "a", "A", "_", " ", "-", ".", "..", "/", "ü", "数", "\n", "\0", "\"", "'", "*", "{",
            "#", "9",
        ];
        let pairs =
            pieces.iter().flat_map(|one| pieces.iter().map(move |two| format!("{one}{two}")));
        let triples =
            pairs.clone().flat_map(|pair| pieces.iter().map(move |one| format!("{pair}{one}")));
        let long = pieces.iter().map(|piece| piece.repeat(300));
        let texts: Vec<String> = pairs.chain(triples).chain(long).chain([String::new()]).collect();
        for text in &texts {
            let name = derived("tune-", text);
            assert_eq!(check(&name), Ok(()), "{text:?}: {name}");
            assert!(name.starts_with("tune-") && name.len() > 5, "{name}");
        }
        // Texts that lose letters differ still.
        let lost = ["数", "填", "ü", "aü", "aö", "", &"a".repeat(200), &"a".repeat(201), "a"];
        let names: std::collections::BTreeSet<_> =
            lost.iter().map(|text| derived("tune-", text)).collect();
        assert_eq!(names.len(), lost.len());
    }
}
