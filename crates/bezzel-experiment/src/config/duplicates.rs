//! Repeated entries of a list, which would count their cells twice.

use std::collections::HashMap;
use std::hash::Hash;

use super::source::{ConfigError, Source, SourceLocation};

/// Refuses a list with two equal entries, and names both places.
pub(super) fn refuse_duplicates<T: Eq + Hash>(
    source: &Source,
    things: impl IntoIterator<Item = (T, SourceLocation)>,
    describe: impl Fn(&T) -> String,
) -> Result<(), ConfigError> {
    let mut seen: HashMap<T, SourceLocation> = HashMap::new();
    for (thing, place) in things {
        if let Some(first) = seen.get(&thing) {
            let SourceLocation { line, column, .. } = first;
            let message = format!(
                "{} is listed twice; the first is in line {line}, column {column}",
                describe(&thing)
            );
            return Err(source.error(place, message).hint("keep one of them"));
        }
        seen.insert(thing, place);
    }
    Ok(())
}
