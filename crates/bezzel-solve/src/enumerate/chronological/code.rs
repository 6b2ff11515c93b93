//! Literals as indices.

use std::ops::Not;

/// A literal by its index: twice its variable, plus one if it is negated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Code(pub(super) u32);

impl Code {
    /// Returns the positive literal of a variable.
    pub(super) fn positive(variable: usize) -> Self {
        Self(2 * variable as u32)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) fn variable(self) -> usize {
        self.index() / 2
    }

    #[inline]
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the literal `positive`, negated if this one is.
    pub(super) fn of(self, positive: Self) -> Self {
        Self(positive.0 ^ (self.0 & 1))
    }
}

impl Not for Code {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}
