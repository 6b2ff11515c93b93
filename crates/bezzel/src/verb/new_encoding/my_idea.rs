//! The my-idea at-most-one: REPLACE by what it does, in one sentence.
//!
//! *Idea.* REPLACE: how two inputs that hold come to contradict each other.
//!
//! *Clauses.* ¬xᵢ ∨ ¬xⱼ for every pair i < j. REPLACE by yours, as implications.
//!
//! *Size for n inputs.* No auxiliary variable, n(n − 1)/2 clauses, n(n − 1) literals. REPLACE.
//!
//! *Propagation.* Complete: REPLACE by why.
//!
//! *Models.* No auxiliary variable. REPLACE by whether the inputs determine yours, and why.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: what is otherwise than in the source. None, if nothing is.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MyIdea;

impl AtMostOne for MyIdea {
    fn card(&self) -> Card {
        Card {
            id: "my-idea".into(),
            title: "my-idea".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The laws prove or refute both; guess, and read what `bezzel check` says.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            ..Card::default()
        }
    }

    // REPLACE. What auxiliary variables, clauses and literals come to; `None` if you do not know.
    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        let pairs = n * n.saturating_sub(1) / 2;
        Some(Size::new(0, pairs, 2 * pairs))
    }

    // REPLACE. `out.fresh(k)` makes k auxiliary variables, `out.clause(&[…])` states a clause. There
    // may be no input, or one; nobody may make a variable otherwise.
    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        for (index, &first) in xs.iter().enumerate() {
            for &second in &xs[index + 1..] {
                // xᵢ → ¬xⱼ
                out.clause(&[!first, !second]);
            }
        }
    }
}
