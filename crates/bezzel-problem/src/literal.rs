//! Candidates of a problem, and literals over them.

use std::fmt;
use std::ops::Not;

/// A Boolean choice of a problem, by its number from 0.
pub type Candidate = u32;

/// A candidate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The literal of a candidate below 2³¹; with `negated`, the one that holds if the candidate is not chosen.
    #[inline]
    pub const fn new(candidate: Candidate, negated: bool) -> Self {
        Self(candidate << 1 | negated as u32)
    }

    /// The literal that holds if the candidate is chosen.
    #[inline]
    pub const fn chosen(candidate: Candidate) -> Self {
        Self::new(candidate, false)
    }

    /// The candidate.
    #[inline]
    pub const fn candidate(self) -> Candidate {
        self.0 >> 1
    }

    /// True if the literal holds when its candidate is not chosen.
    #[inline]
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The number of the literal among all, from 0: two for each candidate, the negated one second.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The candidate's number counted from 1, with a minus sign for a negated literal.
impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated() { "-" } else { "" };
        write!(f, "{sign}{}", u64::from(self.candidate()) + 1)
    }
}
