//! Constraints on the number of literals that hold, and their encoders.

use std::sync::Arc;

use bezzel_problem::{Lists, named};
use rustsat::types::Lit;

use crate::info::{EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// A method that states in clauses that at most k of some literals hold.
pub trait AtMostK: Send + Sync {
    /// Name, source, and the properties that are declared for at most k, 1 ≤ k < n.
    fn about(&self) -> EncodingInfo;

    /// The propagation for k = 1, which may be stronger than for larger bounds.
    fn propagation_of_one(&self) -> Propagation {
        self.about().propagation
    }

    /// The auxiliary variables, clauses and literals of [`at_most`](Self::at_most) for `n` literals, 1 ≤ k < n. None if
    /// no size is stated.
    fn at_most_size(&self, n: u64, k: u64) -> Option<Size>;

    /// Writes to `out` that at most `k` of `xs` hold, for 1 ≤ k < n. The literals are of different variables.
    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink);

    /// The size of [`exactly`](Self::exactly) for `n` literals, 1 ≤ k < n.
    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        both_size(self, n, k)
    }

    /// Writes to `out` that exactly `k` of `xs` hold, for 1 ≤ k < n: that at least `k` hold, and at most `k`.
    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        both(self, xs, k, out);
    }
}

/// A method that states in clauses that a weighted sum of literals is at most a bound.
pub trait AtMostSum: Send + Sync {
    /// Name and source, and the properties that are declared for at most.
    fn about(&self) -> EncodingInfo;

    /// The auxiliary variables, clauses and literals of [`at_most`](Self::at_most). None if these are more than 10⁸
    /// clauses, or if the method would use too much memory.
    fn size(&self, weights: &[u64], bound: u64) -> Option<Size>;

    /// Writes to `out` that Σ wᵢ·xᵢ ≤ `bound`. The literals are of different variables, 1 ≤ wᵢ ≤ `bound` < Σ wᵢ, and
    /// [`size`](Self::size) accepts the sum.
    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink);

    /// The same method for sums whose terms are in parts; none if it has no such form.
    fn of_parts(&self) -> Option<&dyn AtMostParts> {
        None
    }
}

/// A method that states in clauses that a weighted sum is at most a bound, where at most one literal of each part holds.
/// Other clauses state the latter.
///
/// A sum has two parts or more. The weights of a part ascend, and are from 1 to the bound. The heaviest weights of the
/// parts add up to more than the bound.
pub trait AtMostParts: Send + Sync {
    /// True if the clauses are right for parts of which several literals hold, too: the heaviest of them counts.
    fn counts_heaviest(&self) -> bool;

    /// Another method, which counts the heaviest. A lower bound is stated by it if that has no more clauses.
    fn of_heaviest(&self) -> Option<Arc<dyn AtMostSum>>;

    /// The size of [`at_most_of_parts`](Self::at_most_of_parts), which does not depend on the literals. None as for
    /// [`AtMostSum::size`].
    fn size_of_parts(&self, parts: &Lists<(Lit, u64)>, bound: u64) -> Option<Size>;

    /// Writes to `out` that the sum of the parts is at most `bound`.
    fn at_most_of_parts(&self, parts: &Lists<(Lit, u64)>, bound: u64, out: &mut dyn ClauseSink);
}

/// Writes that at least `k` of `xs` hold, and then that at most `k` do.
pub(crate) fn both<K: AtMostK + ?Sized>(encoder: &K, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
    Limit::AtLeast.encode(encoder, xs, k, out);
    encoder.at_most(xs, k, out);
}

/// The size of [`both`].
pub(crate) fn both_size<K: AtMostK + ?Sized>(encoder: &K, n: u64, k: u64) -> Option<Size> {
    Some(Limit::AtLeast.size(encoder, n, k)? + encoder.at_most_size(n, k)?)
}

named! {
    /// A constraint on the number of literals that hold.
    pub enum Limit {
        /// At most k.
        AtMost = "at most",
        /// At least k.
        AtLeast = "at least",
        /// Exactly k.
        Exactly = "exactly",
    }
}

impl Limit {
    /// The constraints that state two bounds, each with its k.
    pub fn of(at_least: Option<u64>, at_most: Option<u64>) -> impl Iterator<Item = (Self, u64)> {
        let limits = match (at_least, at_most) {
            (Some(least), Some(max)) if least == max => [Some((Self::Exactly, least)), None],
            (least, max) => [least.map(|k| (Self::AtLeast, k)), max.map(|k| (Self::AtMost, k))],
        };
        limits.into_iter().flatten()
    }

    /// True if `held` literals may hold.
    pub fn allows(self, held: u64, k: u64) -> bool {
        match self {
            Self::AtMost => held <= k,
            Self::AtLeast => held >= k,
            Self::Exactly => held == k,
        }
    }

    /// Writes to `out` the constraint on `xs` with any bound. At least k is at most n − k of the negations. At least
    /// one, and bounds from 0 down and from n up, are the same clauses under every encoder.
    pub fn encode<K: AtMostK + ?Sized>(
        self,
        encoder: &K,
        xs: &[Lit],
        k: u64,
        out: &mut dyn ClauseSink,
    ) {
        let n = xs.len() as u64;
        match self {
            Self::AtMost if k >= n => {}
            Self::AtLeast if k == 0 => {}
            Self::AtLeast | Self::Exactly if k > n => out.clause(&[]),
            Self::AtMost | Self::Exactly if k == 0 => {
                for &x in xs {
                    out.clause(&[!x]);
                }
            }
            Self::AtLeast | Self::Exactly if k == n => {
                for &x in xs {
                    out.clause(&[x]);
                }
            }
            Self::AtMost => encoder.at_most(xs, k, out),
            Self::AtLeast if k == 1 => out.clause(xs),
            Self::AtLeast => {
                let negations: Vec<Lit> = xs.iter().map(|&x| !x).collect();
                encoder.at_most(&negations, n - k, out);
            }
            Self::Exactly => encoder.exactly(xs, k, out),
        }
    }

    /// The auxiliary variables, clauses and literals that [`encode`](Self::encode) writes for `n` literals.
    pub fn size<K: AtMostK + ?Sized>(self, encoder: &K, n: u64, k: u64) -> Option<Size> {
        let units = Size::new(0, n.into(), n.into());
        match self {
            Self::AtMost if k >= n => Some(Size::default()),
            Self::AtLeast if k == 0 => Some(Size::default()),
            Self::AtLeast | Self::Exactly if k > n => Some(Size::new(0, 1, 0)),
            Self::AtMost | Self::Exactly if k == 0 => Some(units),
            Self::AtLeast | Self::Exactly if k == n => Some(units),
            Self::AtMost => encoder.at_most_size(n, k),
            Self::AtLeast if k == 1 => Some(Size::new(0, 1, n.into())),
            Self::AtLeast => encoder.at_most_size(n, n - k),
            Self::Exactly => encoder.exactly_size(n, k),
        }
    }
}
