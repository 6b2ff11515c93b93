//! Native cardinality: the constraint itself, for sinks that take it.
//!
//! *Idea.* OPB, KNF and solvers like `MiniCard` have "at most k of these" as a constraint. A sink that takes such
//! constraints gets it whole. For a sink of clauses it is written as [pairwise](super::pairwise). An experiment refuses
//! the encoding with a solver that takes clauses only, since that would measure pairwise under another name.
//!
//! *Constraint.* x₁ + … + xₙ ≤ 1, for n ≥ 2. Larger bounds are ≤ k, for 1 ≤ k < n. A weight is stated by repeating the
//! literal; OPB states it as a coefficient. With the condition r it is x₁ + … + xₙ + (n − k)·r ≤ n.
//!
//! *Size.* One constraint of n literals where it is taken; as clauses n(n − 1)/2 of two literals, the number that
//! [`size`](super::AtMostOne::size) states. No auxiliary variables.
//!
//! *Propagation.* Complete: the counter of a native constraint propagates as the pairs do.
//!
//! *Models.* Untouched.
//!
//! *Source.* M. H. Liffiton, J. C. Maglalang, "A Cardinality Solver: More Expressive Constraints for
//! Free", SAT 2012, for the solver's side. *Departures.* None.

use rustsat::types::Lit;

use super::AtMostOne;
use super::pairwise::Pairwise;
use crate::bound::AtMostK;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl AtMostOne for Native {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "native".into(),
            title: "native cardinality".into(),
            idea:
                "The constraint itself, for formats and solvers that have cardinality constraints. \
                 Its clauses are those of pairwise."
                    .into(),
            citation: "Liffiton, Maglalang, SAT 2012; OPB and KNF".into(),
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::None,
            cardinality: true,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Pairwise.size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if !out.takes_cardinality() {
            Pairwise.encode(xs, out);
        } else if xs.len() > 1 {
            out.at_most(xs, 1);
        }
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }
}

impl AtMostK for Native {
    fn about(&self) -> EncodingInfo {
        AtMostOne::info(self)
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        Pairwise.at_most_size(n, k)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        if out.takes_cardinality() {
            out.at_most(xs, k);
        } else {
            Pairwise.at_most(xs, k, out);
        }
    }
}
