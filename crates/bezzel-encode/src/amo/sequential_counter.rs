//! The sequential counter for one: a register remembers whether an input has held so far.
//!
//! *Idea.* sᵢ says that one of x₁ … xᵢ holds. An input may hold only if none before it does.
//!
//! *Clauses.* x₁ → s₁; for 1 < i < n: xᵢ → sᵢ, sᵢ₋₁ → sᵢ and xᵢ → ¬sᵢ₋₁; at the end xₙ → ¬sₙ₋₁.
//!
//! *Size for n ≥ 2 inputs.* n − 1 auxiliary variables, 3n − 4 clauses, 6n − 8 literals; nothing for
//! fewer inputs. On the plane of side n with the full constraints: 5n² − 6n + 2 variables and
//! 12n² − 22n + 12 clauses (n ≥ 2).
//!
//! *Propagation.* Complete: a true xᵢ makes sᵢ and all later s true and all earlier s false, and
//! each of them falsifies an input.
//!
//! *Models.* Free: the register is only pushed upwards, so it may rise before any input holds, and
//! n inputs alone have 2n models. Where at least one input is stated to hold, as on rows and
//! columns, the register is determined; on empty diagonals it is not.
//!
//! *Source.* C. Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality Constraints",
//! CP 2005, LNCS 3709, 827–831, section 2: LT-SEQ with k = 1. With s = ¬y it is the relaxed ladder of
//! others, which RustSAT calls the ladder.
//!
//! *Departures.* None. Short lines are no special case: two inputs cost two clauses and a variable.

use rustsat::types::Lit;

use super::AtMostOne;
use crate::card::{Auxiliaries, Card, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct SequentialCounter;

impl AtMostOne for SequentialCounter {
    fn card(&self) -> Card {
        Card {
            id: "sequential-counter".into(),
            aliases: vec!["sinz".into()],
            title: "sequential counter".into(),
            citation: "Sinz, CP 2005, section 2, LT-SEQ with k = 1".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..Card::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        let n = u128::from(n);
        Some(if n < 2 { Size::default() } else { Size::new(n - 1, 3 * n - 4, 6 * n - 8) })
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        let [first, inner @ .., last] = xs else { return };
        let s = out.fresh(xs.len() as u32 - 1);
        // x₁ → s₁
        out.clause(&[!*first, s.lit(0)]);
        for (index, &x) in (0..).zip(inner) {
            let (before, here) = (s.lit(index), s.lit(index + 1));
            // xᵢ → sᵢ
            out.clause(&[!x, here]);
            // sᵢ₋₁ → sᵢ
            out.clause(&[!before, here]);
            // xᵢ → ¬sᵢ₋₁
            out.clause(&[!x, !before]);
        }
        // xₙ → ¬sₙ₋₁
        out.clause(&[!*last, !s.lit(s.len() - 1)]);
    }
}
