//! Encodings of one name that differ by a number: the size of groups, of sides, of a base.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::AtMostOne;

/// Encodings of one name that differ by a number, written after a colon: `commander:4`.
#[derive(Clone)]
pub struct Family {
    /// What the ids begin with.
    pub name: &'static str,
    /// What the number means, in words.
    pub parameter: &'static str,
    /// The numbers that it may be.
    pub range: RangeInclusive<u32>,
    /// The numbers that are listed, and tried by every test. The others are made when named.
    pub listed: &'static [u32],
    /// Every variant with this number.
    pub make: fn(u32) -> Vec<Arc<dyn AtMostOne>>,
}

impl Family {
    /// The variants that are listed.
    pub fn members(&self) -> impl Iterator<Item = Arc<dyn AtMostOne>> + '_ {
        self.listed.iter().flat_map(|&number| (self.make)(number))
    }
}
