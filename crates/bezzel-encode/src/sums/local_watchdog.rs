//! The local polynomial watchdogs: each literal has a watchdog, which counts the other literals.
//!
//! *Idea.* A literal xᵢ of weight wᵢ may hold only if the others weigh at most b − wᵢ. The counts of a
//! [global watchdog](super::global_watchdog) over the others say whether they weigh more.
//!
//! *Clauses* for each literal: those of the global watchdog of the other literals with the bound b − wᵢ, but for the
//! last one, which is xᵢ → ¬rₘ.
//!
//! *Size.* That of the n global watchdogs, and one more literal for each. It is counted by the walk that writes the
//! clauses, once for each weight: O(n²·log n·log w) variables and O(n³·log w) clauses for the largest weight w.
//!
//! *Parts* of which at most one literal holds: the watchdog of a literal counts the other parts, as the global watchdog
//! does. A literal has none if the heaviest literals of the other parts leave room for it.
//!
//! *Propagation of ≤.* Complete: if the literals that hold leave no room for xᵢ, its watchdog finds this. If they weigh
//! more than the bound, the watchdogs of those that hold are conflicts. *Models.* Free.
//!
//! *Source.* O. Bailleux, Y. Boufkhad, O. Roussel, "New Encodings of Pseudo-Boolean Constraints into CNF", SAT 2009,
//! LNCS 5584, 181–194, the local polynomial watchdog. Parts: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean,
//! M. Villaret, "SAT Encodings for Pseudo-Boolean Constraints Together With At-Most-One Constraints", Artificial
//! Intelligence 302 (2022), the generalised local polynomial watchdog.
//!
//! *Departures.* Those of the global watchdog. The watchdogs share no count.

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::places::exclude_each;
use super::walk::{Counter, PartConstruction, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct LocalWatchdog;

impl PartConstruction for LocalWatchdog {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "local-watchdog".into(),
            aliases: vec!["lpw".into()],
            title: "local polynomial watchdogs".into(),
            idea: "For each literal, the bits of the weights of the others are counted in unary, place \
                   by place. If they leave no room for it, the literal is false."
                .into(),
            citation: "Bailleux, Boufkhad, Roussel, SAT 2009, local polynomial watchdog".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn counts_heaviest(&self) -> bool {
        false
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        exclude_each(Counter::Totalizer, parts, bound, |_| true, walk)
    }
}
