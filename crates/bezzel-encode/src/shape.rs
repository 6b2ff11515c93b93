//! Shapes: the constraints that an encoder is asked for, without the literals.
//!
//! Encoders are right or wrong at a shape: a number of literals, a relation and a bound. The groups of a problem have
//! few shapes, so each encoder is tried at the shapes that a problem uses.

use std::fmt;

use bezzel_problem::Bounds;
use rustsat::types::Lit;

use crate::amo::AtMostOne;
use crate::bound::Limit;
use crate::sink::ClauseSink;
use crate::size::Size;

/// A constraint on the number of true literals among `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// The number of literals.
    pub n: u64,
    /// The relation.
    pub limit: Limit,
    /// The bound.
    pub k: u64,
}

impl Shape {
    /// The shapes of a group of `n` literals with these bounds that need an encoder. Bounds that are the same clauses
    /// under every encoder have none.
    pub fn of_group(bounds: Bounds, n: u64) -> impl Iterator<Item = Self> {
        let all = Limit::of(bounds.at_least, bounds.at_most);
        all.map(move |(limit, k)| Self { n, limit, k }).filter(|shape| shape.is_encoded())
    }

    /// True if an encoder writes the clauses.
    fn is_encoded(self) -> bool {
        let Self { n, limit, k } = self;
        match limit {
            Limit::AtMost | Limit::Exactly => k == 1 || (1..n).contains(&k),
            Limit::AtLeast => (2..n).contains(&k),
        }
    }

    /// True if an encoder of at most one alone can state it.
    pub fn is_of_one(self) -> bool {
        self.k == 1
    }

    /// True if `held` literals may hold.
    pub fn allows(self, held: u64) -> bool {
        self.limit.allows(held, self.k)
    }

    /// The numbers of true literals next to the bounds, on both sides, and the extreme ones.
    pub fn edges(self) -> Vec<u64> {
        let Self { n, k, .. } = self;
        let mut edges = vec![k.saturating_sub(1), k, k.saturating_add(1), 0, n];
        edges.retain(|&held| held <= n);
        let mut seen = Vec::new();
        edges.retain(|&held| {
            !seen.contains(&held) && {
                seen.push(held);
                true
            }
        });
        edges
    }

    /// Writes the constraint on `xs` to `out`, as [`direct`](crate::encoding::direct) encodings do.
    ///
    /// # Panics
    ///
    /// When the encoder takes no larger bounds, and this is one.
    pub fn encode(self, encoder: &dyn AtMostOne, xs: &[Lit], out: &mut dyn ClauseSink) {
        match (self.limit, self.k) {
            (Limit::AtMost, 1) => encoder.encode(xs, out),
            (Limit::Exactly, 1) => encoder.exactly_one(xs, out),
            (limit, k) => limit.encode(encoder.of_bounds().expect(NO_BOUNDS), xs, k, out),
        }
    }

    /// The size of the clauses that [`encode`](Self::encode) writes; none if the encoder states none.
    ///
    /// # Panics
    ///
    /// As [`encode`](Self::encode).
    pub fn size(self, encoder: &dyn AtMostOne) -> Option<Size> {
        match (self.limit, self.k) {
            (Limit::AtMost, 1) => encoder.size(self.n),
            (Limit::Exactly, 1) => encoder.exactly_one_size(self.n),
            (limit, k) => limit.size(encoder.of_bounds().expect(NO_BOUNDS), self.n, k),
        }
    }
}

const NO_BOUNDS: &str = "larger bounds are encoded by encoders of bounds alone";

/// `at most 4 of 12`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {}", self.limit, self.k, self.n)
    }
}
