//! Repeated entries of a list, which would count their cells twice.

use std::collections::HashMap;
use std::hash::Hash;

use super::source::{ConfigError, Source, SourceLocation};

/// Refuses a list with two equal entries, and names both places. `describe` states the fault of a first and a second
/// entry.
///
/// # Errors
///
/// When the config is not of this form there; the error has the place.
pub fn refuse_duplicates<T: Eq + Hash>(
    source: &Source,
    things: impl IntoIterator<Item = (T, SourceLocation)>,
    describe: impl Fn(&T, &T) -> String,
) -> Result<(), ConfigError> {
    let mut seen: HashMap<T, SourceLocation> = HashMap::new();
    for (thing, place) in things {
        if let Some((other, first)) = seen.get_key_value(&thing) {
            let message = describe(other, &thing);
            // Two instances of one entry have the same place.
            let SourceLocation { line, column, .. } = first;
            let message = if *first == place {
                message
            } else {
                format!("{message}; the first is in line {line}, column {column}")
            };
            return Err(source.error(place, message).hint("keep one of them"));
        }
        seen.insert(thing, place);
    }
    Ok(())
}
