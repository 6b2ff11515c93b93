//! Binary merge: the bits of the weights are sorted place by place, and merged from the low places to the high ones.
//!
//! *Idea.* A literal is in the bucket of each place where its weight has a one. A network sorts the literals of a
//! bucket. Every second output of the place below is a carry, and the carries are merged into the sorted bucket. A
//! constant, the tare, is added to the sum, so that one output of the last place means that the sum is above the bound.
//!
//! *Clauses* of a merger: those of the [global watchdog](super::global_watchdog) with merges of a
//! [sorting network](crate::amo::sorting_network) in place of the nodes of a totalizer. A comparator of a and b with
//! outputs h and l: a → h, b → h, a ∧ b → l. All outputs are made.
//!
//! - `binary-merge`: for each literal xᵢ whose weight wᵢ has several ones, a merger of the others for the bound b − wᵢ,
//!   which ends in xᵢ → ¬rₘ. If a weight has a single one, a merger of all literals for b, too, which ends in ¬rₘ.
//! - `binary-merge+global`: the merger of all literals alone.
//!
//! *Size.* A merge of sorted parts of a and b has M(a, b) comparators: M(1, 1) = 1, and else M(⌈a/2⌉, ⌈b/2⌉) + M(⌊a/2⌋,
//! ⌊b/2⌋) + ⌊(a + b − 1)/2⌋, none for an empty part. Each has 2 variables, 3 clauses and 7 literals. The clause that
//! ends a merger has two literals, or one. Mergers are counted by the walk that writes them, once for each weight. One
//! of n literals has O(n·log² n·log w) clauses for the largest weight w.
//!
//! *Propagation of ≤.* `binary-merge`: complete. A literal of one place is excluded by the merger of all, since its count
//! goes up one path; any other one by its own merger. `binary-merge+global`: refuting. *Models.* Free.
//!
//! *Source.* N. Manthey, T. Philipp, P. Steinke, "A More Compact Translation of Pseudo-Boolean Constraints into CNF Such
//! That Generalized Arc Consistency Is Maintained", KI 2014, LNCS 8736, 123–134.
//!
//! *Departures.* The networks are odd-even merges for any number of literals. Bits of the tare are not inputs: they move
//! the carries of their place, as in the global watchdog.

use rustsat::types::Lit;

use super::places::{Places, exclude_each};
use super::walk::{Construction, Counter, Walk};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct BinaryMerge {
    /// True if there is one merger, of all literals.
    pub global: bool,
}

impl Construction for BinaryMerge {
    fn about(&self) -> EncodingInfo {
        let (id, title, own) = if self.global {
            ("binary-merge+global", "binary merge, one merger", "")
        } else {
            (
                "binary-merge",
                "binary merge",
                " Each literal whose weight has several ones is excluded by such a network of the others.",
            )
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea: format!(
                "The bits of the weights are sorted place by place, and every second output of a place \
                 is merged into the next one.{own}"
            ),
            citation: "Manthey, Philipp, Steinke, KI 2014".into(),
            propagation: if self.global { Propagation::Refuting } else { Propagation::Complete },
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    fn build(&self, xs: &[Lit], weights: &[u64], bound: u64, walk: &mut Walk<'_>) -> Option<()> {
        if self.global || weights.iter().any(|weight| weight.is_power_of_two()) {
            let places = Places::binary(weights, bound);
            let excess = places.excess(Counter::Network, xs, weights, None, walk)?;
            walk.clause(&[!excess]);
        }
        let is_own = |weight: u64| !self.global && !weight.is_power_of_two();
        let terms = xs.iter().copied().zip(weights.iter().copied());
        exclude_each(Counter::Network, &terms.map(|x| [x]).collect(), bound, is_own, walk)
    }
}
