//! The my-idea at-most-one: REPLACE by its effect, in one sentence.
//!
//! *Idea.* REPLACE: the way in which two inputs that hold come to contradict each other.
//!
//! *Clauses.* ¬xᵢ ∨ ¬xⱼ for every pair i < j. REPLACE by yours, as implications.
//!
//! *Size for n inputs.* No auxiliary variable, n(n − 1)/2 clauses, n(n − 1) literals. REPLACE.
//!
//! *Propagation.* Complete: REPLACE by the reason.
//!
//! *Models.* No auxiliary variable. REPLACE: the inputs determine yours or do not, and the reason.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: the differences from the source. None, if there is no difference.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MyIdea;

impl AtMostOne for MyIdea {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "my-idea".into(),
            title: "my-idea".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The checks confirm or refute both. Guess, and read the output of `bezzel check`.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            ..EncodingInfo::default()
        }
    }

    // REPLACE. The numbers of auxiliary variables, clauses and literals; `None` if you do not know.
    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        let pairs = n * n.saturating_sub(1) / 2;
        Some(Size::new(0, pairs, 2 * pairs))
    }

    // REPLACE. `out.fresh(k)` makes k auxiliary variables, `out.clause(&[…])` states a clause. There may be no input,
    // or one. Make variables only by `out.fresh`.
    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        for (index, &first) in xs.iter().enumerate() {
            for &second in &xs[index + 1..] {
                // xᵢ → ¬xⱼ
                out.clause(&[!first, !second]);
            }
        }
    }
}
