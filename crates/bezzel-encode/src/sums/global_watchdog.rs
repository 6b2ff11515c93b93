//! The global polynomial watchdog: the bits of the weights are counted in unary, place by place.
//!
//! *Idea.* A literal is in the bucket of each place where its weight has a one. A totalizer counts the literals of a
//! bucket, and half of the count of the bucket below is added, as a carry. A constant, the tare, is added to the sum,
//! so that the bound becomes a multiple of the last place: the sum is above the bound if the count of the last bucket
//! reaches a number, whose output is false.
//!
//! *Clauses.* With p the highest place of a weight and T = (−(b + 1)) mod 2ᵖ the tare, the sum is at most b if the last
//! count is below m = (b + 1 + T)/2ᵖ. Bits of T are inputs that hold. A node of a totalizer with outputs r above
//! children with outputs a and b: aᵢ → rᵢ, bⱼ → rⱼ, aᵢ ∧ bⱼ → rᵢ₊ⱼ. The carries of a bucket are its outputs 2, 4, …, or
//! 1, 3, … if T has its bit. A node of the last bucket has at most m outputs. If the place above has at most m′, a node
//! has at most 2m′, or 2m′ − 1 if T has its bit. Where i + j is more, rᵢ₊ⱼ is the last output. Last, ¬rₘ.
//!
//! *Size.* A node with r outputs above children with a and b outputs has r variables. Its a + b + ab clauses have
//! 2(a + b) + 3ab literals. A child without outputs makes no node. The last clause has one literal.
//!
//! *Parts* of which at most one literal holds are in the bucket of a place once. The entry is a new variable o with x → o
//! for each literal x whose weight has a one there, or the literal if it is alone. Places with the same literals share o.
//!
//! *Propagation of ≤.* Refuting: a sum above the bound is a conflict, and a literal that no longer fits is not always
//! excluded. *Models.* Free.
//!
//! *Source.* O. Bailleux, Y. Boufkhad, O. Roussel, "New Encodings of Pseudo-Boolean Constraints into CNF", SAT 2009,
//! LNCS 5584, 181–194, sections 3 and 4. Parts: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret,
//! "SAT Encodings for Pseudo-Boolean Constraints Together With At-Most-One Constraints", Artificial Intelligence 302
//! (2022), the generalised global polynomial watchdog.
//!
//! *Departures.* The paper sorts by totalizers in both directions; here they have the direction that the bound needs.
//! Outputs that no bound needs are left out: revision 1 had them at all places but the last.

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::places::{Places, ones};
use super::walk::{Counter, PartConstruction, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct GlobalWatchdog;

impl PartConstruction for GlobalWatchdog {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "global-watchdog".into(),
            aliases: vec!["gpw".into()],
            title: "global polynomial watchdog".into(),
            idea: "The bits of the weights are counted in unary, place by place, with half of the count \
                   of each place as a carry."
                .into(),
            citation: "Bailleux, Boufkhad, Roussel, SAT 2009, sections 3 and 4".into(),
            revision: 2,
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn counts_heaviest(&self) -> bool {
        false
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let (xs, weights): (Vec<Lit>, Vec<u64>) = ones(parts, walk).items().iter().copied().unzip();
        let places = Places::binary(&weights, bound);
        let excess = places.excess(Counter::Totalizer, &xs, &weights, None, walk)?;
        walk.clause(&[!excess]);
        Some(())
    }
}
