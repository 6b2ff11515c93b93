//! Things in the order of their first appearance.

/// Each once, in the order of first appearance.
pub(crate) fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for thing in things {
        if !seen.contains(&thing) {
            seen.push(thing);
        }
    }
    seen
}
