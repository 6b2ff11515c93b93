//! Values that have names.

use std::fmt::Display;
use std::str::FromStr;

use crate::unknown::UnknownId;

/// A type of values that have names.
pub(crate) trait Named: Display + FromStr<Err = UnknownId> {
    /// A regular expression for names with a number.
    const PATTERN: Option<&'static str> = None;

    /// The names without a number, the default first.
    fn names() -> Vec<&'static str>;
}
