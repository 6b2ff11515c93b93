//! At-most-k encodings: of some literals, at most k hold.
//!
//! An encoder of at-most-one constraints whose method also takes larger bounds has both traits in its file of
//! [`amo`](crate::amo), and its clauses for k = 1 are those of [`AtMostOne`]. The other encoders are
//! here, one file each. To add one: `bezzel new-encoding NAME --at-most-k` writes its file, and its lines in [`all`] and
//! `as_at_most_one`.

use std::sync::Arc;

use ::rustsat::types::Lit;

use crate::amo::AtMostOne;
use crate::amo::bdd::Bdd;
use crate::amo::cardinality_network::CardinalityNetwork;
use crate::amo::pairwise::Pairwise;
use crate::amo::product::ProductOfK;
use crate::amo::sequential_counter::SequentialCounter;
use crate::amo::sorting_network::SortingNetwork;
use crate::amo::totalizer::Totalizer;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod adder;
pub mod bounded_totalizer;
pub mod knuth_counter;
pub mod modulo_totalizer;
mod rustsat;
pub mod smallest;

use adder::Directions;

pub use crate::bound::{AtMostK, Limit};

/// The encoders of at-most-k constraints, in the order in which they are listed.
pub fn all() -> Vec<Arc<dyn AtMostK>> {
    let mut all: Vec<Arc<dyn AtMostK>> = vec![
        Arc::new(Pairwise),
        Arc::new(SequentialCounter),
        Arc::new(knuth_counter::KnuthCounter),
        Arc::new(smallest::Smallest),
    ];
    let totalizers = [(false, false), (false, true), (true, false), (true, true)];
    all.extend(totalizers.map(|(full, defined)| Arc::new(Totalizer { full, defined }) as _));
    all.push(Arc::new(bounded_totalizer::BoundedTotalizer));
    all.extend([false, true].map(|cut| Arc::new(modulo_totalizer::ModuloTotalizer { cut }) as _));
    all.extend([false, true].map(|defined| Arc::new(SortingNetwork { defined }) as _));
    all.push(Arc::new(CardinalityNetwork));
    all.push(Arc::new(ProductOfK));
    for directions in [Directions::Both, Directions::Up] {
        all.push(Arc::new(adder::Adder { directions }));
    }
    all.extend([Bdd::Monotone, Bdd::Ite, Bdd::IteRedundant].map(|bdd| Arc::new(bdd) as _));
    // RustSAT's encoders, for comparison.
    all.extend(rustsat::all().map(|encoder| Arc::new(encoder) as _));
    all
}

/// An at-most-k encoder as an encoding of at most one, by k = 1.
pub(crate) struct AtMostOneAsK<K>(pub(crate) K);

impl<K: AtMostK> AtMostOne for AtMostOneAsK<K> {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { propagation: self.0.propagation_of_one(), ..self.0.about() }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Limit::AtMost.size(&self.0, n, 1)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        Limit::AtMost.encode(&self.0, xs, 1, out);
    }

    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        Limit::Exactly.size(&self.0, n, 1)
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        Limit::Exactly.encode(&self.0, xs, 1, out);
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(&self.0)
    }
}

/// The encoders of this module, as encodings of at most one.
pub(crate) fn as_at_most_one() -> Vec<Arc<dyn AtMostOne>> {
    vec![
        Arc::new(AtMostOneAsK(knuth_counter::KnuthCounter)),
        Arc::new(AtMostOneAsK(adder::Adder { directions: Directions::Both })),
        Arc::new(AtMostOneAsK(modulo_totalizer::ModuloTotalizer { cut: false })),
        Arc::new(AtMostOneAsK(modulo_totalizer::ModuloTotalizer { cut: true })),
    ]
}

/// Encodings of at most one that no list contains: variants that larger bounds are made for, and RustSAT's encoders,
/// which has others for at most one.
pub(crate) fn unlisted_at_most_one() -> impl Iterator<Item = Arc<dyn AtMostOne>> {
    let one_way: Arc<dyn AtMostOne> =
        Arc::new(AtMostOneAsK(adder::Adder { directions: Directions::Up }));
    let of_rustsat = rustsat::all().into_iter().map(|encoder| Arc::new(AtMostOneAsK(encoder)) as _);
    let bounded = Arc::new(AtMostOneAsK(bounded_totalizer::BoundedTotalizer)) as _;
    let smallest = Arc::new(AtMostOneAsK(smallest::Smallest)) as _;
    [bounded, one_way, smallest].into_iter().chain(of_rustsat)
}
