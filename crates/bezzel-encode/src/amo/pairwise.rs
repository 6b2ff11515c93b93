//! The pairwise, or binomial, at-most-one: no two inputs hold.
//!
//! *Clauses.* ¬xᵢ ∨ ¬xⱼ for every pair i < j.
//!
//! *Size for n inputs.* No auxiliary variable, n(n − 1)/2 clauses, n(n − 1) literals. On the
//! board of side n with the full constraints: n² variables, n(n − 1)(5n − 1)/3 + 2n clauses.
//!
//! *Propagation.* Complete: a true input falsifies every other one directly.
//!
//! *Models.* No auxiliary variable, so the number of models is kept.
//!
//! *Source.* Folklore. J. D. Cook, "Solving the eight queens problem with a SAT solver", second
//! approach; H. Zantema, example of 2IW15, Eindhoven; X. Cao, CS517 project, 2020, ψ₁ to ψ₇.
//!
//! *Departures.* Zantema prints i + k = j + m for the second diagonal; i + j = k + m is meant. Cao's
//! ψ₃ runs k to n + d and ψ₆ to d − 1; n − d and n are meant. As printed, Zantema's formula has no
//! model at n = 6 and 7, and Cao's mentions squares outside the board.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, pairs};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Pairwise;

impl AtMostOne for Pairwise {
    fn card(&self) -> Card {
        Card {
            id: "pairwise".into(),
            aliases: vec!["binomial".into(), "naive".into()],
            title: "pairwise".into(),
            idea: "Of any two inputs, not both: a clause for each pair.".into(),
            citation: "folklore; Cook, second approach; Zantema; Cao 2020, ψ1–ψ7".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            ..Card::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let pairs = pairs(n.into());
        Some(Size::binary(0, pairs))
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        for (index, &first) in xs.iter().enumerate() {
            for &second in &xs[index + 1..] {
                out.clause(&[!first, !second]);
            }
        }
    }
}
