//! The encodings and sizes that tests try: one encoding of each family and small sizes by default, all in the second
//! tier.

use std::collections::BTreeSet;

/// The tier of a test.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Tier {
    Default,
    Second,
}

impl Tier {
    /// Keeps the first of each family in the default tier. A family is the part of an id before a `:` or `+`.
    pub(crate) fn encodings<T>(self, mut all: Vec<T>, id: impl Fn(&T) -> String) -> Vec<T> {
        let mut families = BTreeSet::new();
        all.retain(|one| {
            let is_first = families.insert(id(one).split([':', '+']).next().map(str::to_owned));
            self == Self::Second || is_first
        });
        all
    }

    /// The size for this tier.
    pub(crate) fn pick<T>(self, default: T, second: T) -> T {
        match self {
            Self::Default => default,
            Self::Second => second,
        }
    }
}
