//! RustSAT's encoders of larger bounds, unchanged, for comparison.
//!
//! *Idea.* The totalizer is RustSAT's encoder of cardinality constraints. The others are its encoders of weighted sums,
//! with all weights 1. RustSAT gives literals to assume for an upper bound; they are stated as clauses of one literal.
//!
//! *Size.* The size is RustSAT's; no closed form is stated.
//!
//! *Propagation and models.* Computed, in `docs/at-most-k.md`.
//!
//! *Source.* RustSAT 0.7.5, modules `encodings::card` and `encodings::pb`, which name Bailleux and Boufkhad 2003
//! (totalizer), Warners 1998 (adder), Joshi, Martins and Manquinho 2015 (generalized totalizer).
//!
//! *Departures* are RustSAT's.

use rustsat::encodings::card::{self, BoundUpper as _};
use rustsat::encodings::pb;
use rustsat::types::Lit;

use super::AtMostK;
use crate::amo::rustsat::{Collector, Manager, NEVER_FULL, with_sink};
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// Encodes, and gives the literals that state the bound.
type Encode = fn(&[Lit], usize, &mut Collector<'_, '_>, &mut Manager<'_, '_>) -> Vec<Lit>;

/// An encoder of RustSAT.
struct RustsatAtMostK {
    name: &'static str,
    citation: &'static str,
    propagation: Propagation,
    auxiliaries: Auxiliaries,
    encode: Encode,
}

impl AtMostK for RustsatAtMostK {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: format!("rustsat-{}", self.name),
            title: format!("{} (RustSAT)", self.name.replace('-', " ")),
            idea: "The encoder of the library RustSAT, for comparison.".into(),
            citation: format!("RustSAT 0.7.5, after {}", self.citation),
            propagation: self.propagation,
            auxiliaries: self.auxiliaries,
            ..EncodingInfo::default()
        }
    }

    fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
        None
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        let mut units = Vec::new();
        with_sink(xs, out, |collector, manager| {
            units = (self.encode)(xs, k as usize, collector, manager);
        });
        for unit in units {
            out.clause(&[unit]);
        }
    }
}

/// Encodes with an encoder of weighted sums, each weight 1.
fn weighted<E: pb::BoundUpper + FromIterator<(Lit, usize)>>(
    xs: &[Lit],
    k: usize,
    collector: &mut Collector<'_, '_>,
    manager: &mut Manager<'_, '_>,
) -> Vec<Lit> {
    let mut encoder: E = xs.iter().map(|&x| (x, 1)).collect();
    encoder.encode_ub(k..=k, collector, manager).expect(NEVER_FULL);
    encoder.enforce_ub(k).expect("the bound is encoded")
}

/// RustSAT's encoders.
pub(super) fn all() -> [impl AtMostK + 'static; 3] {
    [
        RustsatAtMostK {
            name: "totalizer",
            citation: "Bailleux, Boufkhad 2003",
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            encode: |xs, k, collector, manager| {
                let mut encoder: card::Totalizer = xs.iter().copied().collect();
                encoder.encode_ub(k..=k, collector, manager).expect(NEVER_FULL);
                encoder.enforce_ub(k).expect("the bound is encoded")
            },
        },
        RustsatAtMostK {
            name: "adder",
            citation: "Warners 1998",
            propagation: Propagation::Weak,
            auxiliaries: Auxiliaries::Free,
            encode: weighted::<pb::BinaryAdder>,
        },
        RustsatAtMostK {
            name: "generalized-totalizer",
            citation: "Joshi, Martins, Manquinho 2015",
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            encode: weighted::<pb::GeneralizedTotalizer>,
        },
    ]
}
