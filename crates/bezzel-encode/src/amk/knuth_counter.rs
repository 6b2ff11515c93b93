//! Knuth's form of the sequential counter.
//!
//! *Idea.* sⱼʰ means that at least h of the first j + h − 1 literals hold. The table has n − k columns, since at most k
//! literals hold and a later place means nothing new.
//!
//! *Clauses.* For 1 ≤ j ≤ n − k and 0 ≤ h ≤ k: xⱼ₊ₕ ∧ sⱼʰ → sⱼʰ⁺¹, where sⱼ⁰ is true and sⱼᵏ⁺¹ is false; for
//! 1 ≤ j < n − k and 1 ≤ h ≤ k: sⱼʰ → sⱼ₊₁ʰ.
//!
//! *Size for 1 ≤ k < n.* k(n − k) auxiliary variables, k(n − k − 1) + (k + 1)(n − k) clauses, and
//! 2k(n − k − 1) + (3k + 1)(n − k) literals.
//!
//! *Propagation.* Complete. *Models.* Free: a place may be true although fewer literals hold.
//!
//! *Source.* D. E. Knuth, "The Art of Computer Programming", volume 4, fascicle 6, 2015, section 7.2.2.2,
//! formulas (18) and (19), after Sinz, CP 2005. *Departures.* None.

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct KnuthCounter;

impl AtMostK for KnuthCounter {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "sequential-counter:knuth".into(),
            title: "sequential counter, Knuth's form".into(),
            idea:
                "A table of variables: the variable in column j and row h means that at least h of \
                 the first j + h − 1 literals are true. It needs n − k columns only."
                    .into(),
            citation: "Knuth, TAOCP 7.2.2.2, (18) and (19); after Sinz, CP 2005".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let (k, columns) = (u128::from(k), u128::from(n - k));
        let next = k * (columns - 1);
        let counted = (k + 1) * columns;
        Some(Size::new(k * columns, next + counted, 2 * next + (3 * k + 1) * columns))
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let k = k as usize;
        let columns = xs.len() - k;
        let places = out.fresh((k * columns) as u32);
        // From 0: the place of column j in row h means that h + 1 literals hold.
        let s = |row: usize, column: usize| places.lit((row * columns + column) as u32);
        for row in 0..k {
            for column in 1..columns {
                // sⱼʰ → sⱼ₊₁ʰ
                out.clause(&[!s(row, column - 1), s(row, column)]);
            }
        }
        for column in 0..columns {
            for row in 0..=k {
                // xⱼ₊ₕ ∧ sⱼʰ → sⱼʰ⁺¹
                let x = !xs[column + row];
                match (row > 0, row < k) {
                    (true, true) => out.clause(&[x, !s(row - 1, column), s(row, column)]),
                    (true, false) => out.clause(&[x, !s(row - 1, column)]),
                    (false, _) => out.clause(&[x, s(0, column)]),
                }
            }
        }
    }
}
