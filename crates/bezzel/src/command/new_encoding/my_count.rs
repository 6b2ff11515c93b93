//! The my-count at-most-k: REPLACE by its effect, in one sentence.
//!
//! *Idea.* REPLACE: the way in which k + 1 inputs that hold come to contradict each other. Here sᵢⱼ means that at least j
//! of the first i inputs hold.
//!
//! *Clauses.* xᵢ → sᵢ₁; sᵢ₋₁ⱼ → sᵢⱼ; xᵢ ∧ sᵢ₋₁ⱼ → sᵢⱼ₊₁, where sᵢₖ₊₁ is false. REPLACE by yours, as implications.
//!
//! *Size for 1 ≤ k < n.* kn auxiliary variables, n + 2k(n − 1) clauses, 2n + (5k − 1)(n − 1) literals. REPLACE.
//!
//! *Propagation.* Complete: REPLACE by the reason.
//!
//! *Models.* Free: REPLACE: the inputs determine the auxiliary variables or do not, and the reason.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: the differences from the source. None, if there is no difference.

use rustsat::types::Lit;

use super::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MyCount;

impl AtMostK for MyCount {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "my-count".into(),
            title: "my-count".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The checks confirm or refute both. Guess, and read the output of `bezzel check`. If the propagation for k = 1
            // is stronger than for larger k, the method `propagation_of_one` declares it.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    // REPLACE. The numbers of auxiliary variables, clauses and literals; `None` if you do not know.
    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        let (n, k) = (u128::from(n), u128::from(k));
        Some(Size::new(k * n, n + 2 * k * (n - 1), 2 * n + (5 * k - 1) * (n - 1)))
    }

    // REPLACE. `out.fresh(m)` makes m auxiliary variables, `out.clause(&[…])` states a clause. There are more than k
    // inputs, and k is at least 1. Make variables only by `out.fresh`.
    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let k = k as usize;
        let table = out.fresh((k * xs.len()) as u32);
        // From 0: the variable in row i and column j means that at least j + 1 of the first i + 1 inputs hold.
        let s = |row: usize, column: usize| table.lit((row * k + column) as u32);
        for (row, &x) in xs.iter().enumerate() {
            // xᵢ → sᵢ₁
            out.clause(&[!x, s(row, 0)]);
            if row == 0 {
                continue;
            }
            for column in 0..k {
                let before = s(row - 1, column);
                // sᵢ₋₁ⱼ → sᵢⱼ
                out.clause(&[!before, s(row, column)]);
                // xᵢ ∧ sᵢ₋₁ⱼ → sᵢⱼ₊₁
                if column + 1 < k {
                    out.clause(&[!x, !before, s(row, column + 1)]);
                } else {
                    out.clause(&[!x, !before]);
                }
            }
        }
    }
}
