//! The dynamic polynomial watchdog for one bound: a global watchdog whose tare is made of variables.
//!
//! *Idea.* A literal is in the bucket of each place where its weight has a one. A bucket below the last has a variable of
//! the tare, too. The counts of the buckets are the same for every bound: the bound determines which bits of the tare hold,
//! and which output of the last bucket does not.
//!
//! *Clauses.* Those of the [global watchdog](super::global_watchdog) with tⱼ as the last literal of the bucket of place
//! j, with all outputs, and with the carries 2, 4, … of each place. With T = (−(b + 1)) mod 2ᵖ for the highest place p,
//! tⱼ or ¬tⱼ states the bit j of T. Last, ¬rₘ for m = (b + 1 + T)/2ᵖ.
//!
//! *Size.* p variables and p clauses of one literal for the tare. The nodes are those of the global watchdog, with all
//! outputs. They are counted by the walk that writes the clauses.
//!
//! *Propagation of ≤.* Refuting: the bits of the tare hold by unit propagation, and counts then follow as in the global
//! watchdog. *Models.* Free.
//!
//! *Source.* T. Paxian, S. Reimer, B. Becker, "Dynamic Polynomial Watchdog Encoding for Solving Weighted MaxSAT", SAT
//! 2018, LNCS 10929, 37–53.
//!
//! *Departures.* The paper moves the bound of one formula while it solves it, and adds clauses where a bound needs them.
//! Here there is one bound, and the formula is made once: it is the static part, with the tare stated and not assumed.

use rustsat::types::Lit;

use super::places::Places;
use super::walk::{Construction, Counter, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct DynamicWatchdog;

impl Construction for DynamicWatchdog {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "dynamic-watchdog".into(),
            aliases: vec!["dpw".into()],
            title: "dynamic polynomial watchdog, for one bound".into(),
            idea: "The bits of the weights are counted in unary, place by place, with half of the count \
                   of each place as a carry. A variable at each place moves the bound."
                .into(),
            citation: "Paxian, Reimer, Becker, SAT 2018".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn build(&self, xs: &[Lit], weights: &[u64], bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        let places = Places::binary(weights, bound);
        let tares = walk.fresh_lits(places.tare().len());
        let excess = places.excess(Counter::Totalizer, xs, weights, Some(&tares), walk)?;
        for (&tare, &digit) in tares.iter().zip(places.tare()) {
            walk.clause(&[if digit == 1 { tare } else { !tare }]);
        }
        walk.clause(&[!excess]);
        Some(())
    }
}
