//! One of two encoders of a sum, by their sizes: its decision diagram, or its global watchdog.
//!
//! *Idea.* A [diagram](super::diagram) is small if few remaining bounds differ: for short sums, and for weights that
//! repeat. A [watchdog](super::global_watchdog) grows with the digits of the weights. A sum gets the diagram unless it has
//! more than twice the clauses of the watchdog.
//!
//! *Clauses, size, parts.* Those of `robdd` or of `global-watchdog`. Each node of a diagram has a clause, so its
//! construction ends at twice as many nodes as the watchdog has clauses.
//!
//! *Propagation of ≤.* Complete where the diagram is taken, else refuting. *Models.* Free.
//!
//! *Source.* Those of both. The factor is ours: `reports/which-sum` compares the encoders.
//!
//! *Departures.* With parts, a lower bound is that of `robdd`, or has the penalties as differences, each a part of its own,
//! if that has fewer clauses.

use std::sync::Arc;

use bezzel_problem::Lists;
use rustsat::types::Lit;

use super::diagram::{Diagram, MAX_NODES};
use super::global_watchdog::GlobalWatchdog;
use super::walk::{PartConstruction, Walk};
use crate::amo::bdd::Bdd;
use crate::bound::{AtMostParts, AtMostSum};
use crate::info::EncodingInfo;

/// The most clauses of a diagram for each clause of the watchdog.
const FACTOR: u128 = 2;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct DiagramOrWatchdog;

impl PartConstruction for DiagramOrWatchdog {
    fn about(&self) -> EncodingInfo {
        let diagram = Diagram { form: Bdd::Monotone, max_nodes: MAX_NODES };
        let both = [AtMostSum::about(&diagram), AtMostSum::about(&GlobalWatchdog)];
        EncodingInfo {
            idea: "The decision diagram of the sum, or its global polynomial watchdog if the diagram has more than \
                   twice its clauses."
                .into(),
            ..EncodingInfo::of_parts(
                "robdd-or-watchdog".into(),
                "decision diagram or global watchdog",
                &both,
            )
        }
    }

    fn counts_heaviest(&self) -> bool {
        false
    }

    fn of_heaviest(&self) -> Option<Arc<dyn AtMostSum>> {
        Some(Arc::new(Diagram { form: Bdd::Monotone, max_nodes: MAX_NODES }))
    }

    fn build(&self, parts: &Lists<(Lit, u64)>, bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let watchdog = GlobalWatchdog.size_of_parts(parts, bound);
        let most = watchdog.map_or(u128::MAX, |size| FACTOR * size.clauses);
        let max_nodes = most.min(MAX_NODES as u128) as usize;
        let diagram = Diagram { form: Bdd::Monotone, max_nodes };
        match (diagram.size_of_parts(parts, bound), watchdog) {
            (Some(size), _) if size.clauses <= most => {
                if walk.is_counting() {
                    return walk.count(size);
                }
                PartConstruction::build(&diagram, parts, bound, walk)
            }
            (_, Some(size)) if walk.is_counting() => walk.count(size),
            _ => PartConstruction::build(&GlobalWatchdog, parts, bound, walk),
        }
    }
}
