//! Encodings of one name that differ by a number: the size of groups, of sides, of a base.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::AtMostOne;

/// Encodings of one name that differ by a number, written after a colon: `commander:4`.
#[derive(Clone)]
pub struct Family {
    /// The beginning of the ids.
    pub name: &'static str,
    /// The meaning of the number, in words.
    pub parameter: &'static str,
    /// The allowed numbers.
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
