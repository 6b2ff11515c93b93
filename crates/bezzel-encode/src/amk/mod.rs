//! At-most-k encodings: of some literals, at most k hold.
//!
//! An encoder of at-most-one constraints whose method also takes larger bounds has both traits in its file of
//! [`amo`](crate::amo), and its clauses for k = 1 are those of [`AtMostOne`]. The other encoders are
//! here, one file each. To add one: write its file, and add its line to [`all`].

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
use crate::info::{EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod adder;
pub mod bounded_totalizer;
pub mod knuth_counter;
pub mod modulo_totalizer;
mod rustsat;

use adder::Directions;

pub use crate::bound::{AtMostK, Limit};

/// The encoders of at-most-k constraints, in the order in which they are listed.
pub fn all() -> Vec<Arc<dyn AtMostK>> {
    let mut all: Vec<Arc<dyn AtMostK>> = vec![
        Arc::new(Pairwise),
        Arc::new(SequentialCounter),
        Arc::new(knuth_counter::KnuthCounter),
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

/// An at-most-k encoder that encodes at most one by k = 1, with the propagation for that.
struct AtMostOneAsK<K> {
    encoder: K,
    propagation: Propagation,
}

impl<K: AtMostK> AtMostOne for AtMostOneAsK<K> {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { propagation: self.propagation, ..self.encoder.about() }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Limit::AtMost.size(&self.encoder, n, 1)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        Limit::AtMost.encode(&self.encoder, xs, 1, out);
    }

    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        Limit::Exactly.size(&self.encoder, n, 1)
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        Limit::Exactly.encode(&self.encoder, xs, 1, out);
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(&self.encoder)
    }
}

/// The adder as an encoding of at most one.
pub(crate) fn adder_at_most_one(directions: Directions) -> Arc<dyn AtMostOne> {
    Arc::new(AtMostOneAsK { encoder: adder::Adder { directions }, propagation: Propagation::Weak })
}

/// The modulo totalizer as an encoding of at most one.
pub(crate) fn modulo_totalizer_at_most_one(cut: bool) -> Arc<dyn AtMostOne> {
    let encoder = modulo_totalizer::ModuloTotalizer { cut };
    Arc::new(AtMostOneAsK { encoder, propagation: Propagation::Complete })
}

/// The encoders of this module, as encodings of at most one.
pub(crate) fn as_at_most_one() -> Vec<Arc<dyn AtMostOne>> {
    vec![
        Arc::new(AtMostOneAsK {
            encoder: knuth_counter::KnuthCounter,
            propagation: Propagation::Complete,
        }),
        adder_at_most_one(Directions::Both),
        modulo_totalizer_at_most_one(false),
        modulo_totalizer_at_most_one(true),
    ]
}

/// Encodings of at most one that no list contains: variants that larger bounds are made for, and RustSAT's encoders,
/// which has others for at most one.
pub(crate) fn unlisted_at_most_one() -> impl Iterator<Item = Arc<dyn AtMostOne>> {
    let of_rustsat = rustsat::all().into_iter().map(|encoder| {
        let propagation = encoder.about().propagation;
        Arc::new(AtMostOneAsK { encoder, propagation }) as _
    });
    let bounded: Arc<dyn AtMostOne> = Arc::new(AtMostOneAsK {
        encoder: bounded_totalizer::BoundedTotalizer,
        propagation: Propagation::Complete,
    });
    [bounded, adder_at_most_one(Directions::Up)].into_iter().chain(of_rustsat)
}
