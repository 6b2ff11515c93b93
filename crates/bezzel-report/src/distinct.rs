//! Values in the order of their first appearance.

use std::hash::Hash;

use indexmap::IndexMap;

/// The distinct values, in the order of first appearance.
pub fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for thing in things {
        if !seen.contains(&thing) {
            seen.push(thing);
        }
    }
    seen
}

/// The distinct values with their numbers of occurrences, in the order of first appearance.
pub(crate) fn count_distinct<T: Eq + Hash>(things: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counted: IndexMap<T, usize> = IndexMap::new();
    for thing in things {
        *counted.entry(thing).or_default() += 1;
    }
    counted.into_iter().collect()
}
