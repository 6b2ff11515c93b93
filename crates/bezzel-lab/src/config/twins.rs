//! The same thing named twice in a list, which would count its cells twice.

use std::collections::HashMap;
use std::hash::Hash;

use super::source::{ConfigError, Place, Source};

/// Refuses a list in which something stands twice, naming both places.
pub(super) fn refuse_twins<T: Eq + Hash>(
    source: &Source,
    things: impl IntoIterator<Item = (T, Place)>,
    describe: impl Fn(&T) -> String,
) -> Result<(), ConfigError> {
    let mut seen: HashMap<T, Place> = HashMap::new();
    for (thing, place) in things {
        if let Some(first) = seen.get(&thing) {
            let Place { line, column, .. } = first;
            let message = format!(
                "{} is here for the second time; the first is in line {line}, column {column}",
                describe(&thing)
            );
            return Err(source.error(place, message).hint("keep one of them"));
        }
        seen.insert(thing, place);
    }
    Ok(())
}
