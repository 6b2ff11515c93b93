//! Weighted sums: of literals with weights, those that hold weigh at most a bound.
//!
//! An encoder of sums is registered as an encoder of counts, too. Groups without weights get the clauses of its
//! counting form: [`SumEncoding`] names both. To add one: `bezzel new-encoding NAME --sum` writes its file, and its line in
//! `all`.
//!
//! [`SumLimit`] brings a constraint into the form that encoders take. A literal that is heavier than the bound is
//! excluded by a clause of one literal. If each literal alone keeps the bound when it does not hold, the sum is one
//! clause. Weights are divided by their common divisor, and the bound with them. Equal weights are a count. "At least"
//! is "at most" of the negations, and "exactly" is both.

use std::sync::Arc;

use bezzel_problem::Lists;
use rustsat::types::Lit;

use crate::amk::AtMostOneAsK;
use crate::amk::adder::{Adder, Directions};
use crate::amk::modulo_totalizer::ModuloTotalizer;
use crate::amo::AtMostOne;
use crate::amo::bdd::Bdd;
use crate::amo::sequential_counter::SequentialCounter;
use crate::amo::sorting_network::SortingNetwork;
use crate::amo::totalizer::Totalizer;
use crate::bound::{AtMostK, AtMostSum};
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod adder_network;
pub mod binary_merge;
pub mod diagram;
pub mod diagram_or_watchdog;
pub mod dynamic_watchdog;
pub mod generalised_totalizer;
pub mod global_watchdog;
pub mod limit;
pub mod local_watchdog;
pub mod mixed_radix_sorter;
pub mod n_level_modulo_totalizer;
pub mod parts;
mod places;
mod walk;
pub mod weight_counter;

pub use limit::SumLimit;
pub use parts::{AmoGroups, Parts};

/// The most clauses of one sum. An encoder whose size grows with the weights refuses a sum that needs more.
const MAX_CLAUSES: u128 = 100_000_000;

/// An encoder of sums with the encoder of its counting form.
pub struct SumEncoding<S> {
    sum: S,
    counting: Arc<dyn AtMostOne>,
}

impl<S: AtMostSum> AtMostOne for SumEncoding<S> {
    fn info(&self) -> EncodingInfo {
        let counting = self.counting.info();
        EncodingInfo {
            propagation: counting.propagation,
            auxiliaries: counting.auxiliaries,
            bounds: counting.bounds,
            ..self.sum.about()
        }
    }

    fn size(&self, n: u64) -> Option<Size> {
        self.counting.size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.counting.encode(xs, out);
    }

    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        self.counting.exactly_one_size(n)
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.counting.exactly_one(xs, out);
    }

    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        Some(self)
    }

    fn of_sums(&self) -> Option<&dyn AtMostSum> {
        Some(&self.sum)
    }
}

impl<S: AtMostSum + 'static> SumEncoding<S> {
    /// The encoder, whose counting form is the totalizer.
    pub(crate) fn above_totalizer(sum: S) -> Arc<dyn AtMostOne> {
        Arc::new(Self { sum, counting: Arc::new(Totalizer { full: false, defined: false }) })
    }
}

impl<S: AtMostSum> SumEncoding<S> {
    fn bounds(&self) -> &dyn AtMostK {
        self.counting.of_bounds().expect("the counting form takes larger bounds")
    }
}

/// The counting form under the name of the encoder of sums.
impl<S: AtMostSum> AtMostK for SumEncoding<S> {
    fn about(&self) -> EncodingInfo {
        let EncodingInfo { propagation, auxiliaries, bounds, .. } = self.bounds().about();
        EncodingInfo { propagation, auxiliaries, bounds, ..self.sum.about() }
    }

    fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
        self.bounds().at_most_size(n, k)
    }

    fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        self.bounds().at_most(xs, k, out);
    }

    fn exactly_size(&self, n: u64, k: u64) -> Option<Size> {
        self.bounds().exactly_size(n, k)
    }

    fn exactly(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
        self.bounds().exactly(xs, k, out);
    }
}

/// The encoders of sums, in the order in which they are listed.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    let network = || Arc::new(SortingNetwork { defined: false }) as _;
    let mut all: Vec<Arc<dyn AtMostOne>> = Vec::new();
    for form in [Bdd::Monotone, Bdd::Ite, Bdd::IteRedundant] {
        let sum = diagram::Diagram { form, max_nodes: diagram::MAX_NODES };
        all.push(Arc::new(SumEncoding { sum, counting: Arc::new(form) }));
    }
    all.push(SumEncoding::above_totalizer(generalised_totalizer::GeneralisedTotalizer));
    let sum = weight_counter::WeightCounter;
    all.push(Arc::new(SumEncoding { sum, counting: Arc::new(SequentialCounter) }));
    all.push(SumEncoding::above_totalizer(global_watchdog::GlobalWatchdog));
    all.push(SumEncoding::above_totalizer(local_watchdog::LocalWatchdog));
    all.push(SumEncoding::above_totalizer(dynamic_watchdog::DynamicWatchdog));
    for global in [false, true] {
        let sum = binary_merge::BinaryMerge { global };
        all.push(Arc::new(SumEncoding { sum, counting: network() }));
    }
    let sum = mixed_radix_sorter::MixedRadixSorter;
    all.push(Arc::new(SumEncoding { sum, counting: network() }));
    all.push(Arc::new(SumEncoding {
        sum: n_level_modulo_totalizer::NLevelModuloTotalizer,
        counting: Arc::new(AtMostOneAsK(ModuloTotalizer { cut: false })),
    }));
    for directions in [Directions::Both, Directions::Up] {
        let sum = adder_network::AdderNetwork { directions };
        let counting = Arc::new(AtMostOneAsK(Adder { directions }));
        all.push(Arc::new(SumEncoding { sum, counting }));
    }
    all.push(SumEncoding::above_totalizer(diagram_or_watchdog::DiagramOrWatchdog));
    all
}

/// The parts, the one with the heaviest term first; those of one weight keep their order.
fn heaviest_first(parts: &Lists<(Lit, u64)>) -> Vec<&[(Lit, u64)]> {
    let mut sorted: Vec<&[(Lit, u64)]> = parts.iter().collect();
    sorted.sort_by_key(|part| std::cmp::Reverse(part.last().map(|(_, weight)| *weight)));
    sorted
}

/// A size, if its clauses are not more than [`MAX_CLAUSES`].
fn within(size: Size) -> Option<Size> {
    (size.clauses <= MAX_CLAUSES).then_some(size)
}

#[cfg(test)]
mod tests;
