//! At-most-one encodings: of some literals, no two hold.
//!
//! One file each. [`direct`](crate::encoding::direct) lifts any of them to problems. To add one:
//! write its file, and add its line to `register`.

use std::sync::Arc;

use ::rustsat::types::Lit;

use crate::bound::{AtMostK, AtMostSum};
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod bdd;
pub mod bimander;
pub mod bitwise;
pub mod cardinality_network;
pub mod commander;
pub(crate) mod comparator;
pub mod cutoff;
pub mod edge;
pub mod family;
pub mod k_product;
pub mod ladder;
pub mod native;
pub mod nested;
pub mod pairwise;
pub mod product;
pub mod recorded;
pub mod rustsat;
pub mod sequential_counter;
pub mod sorting_network;
pub mod split;
pub mod totalizer;
pub mod tree;

pub use family::Family;

/// A way to state in clauses that at most one of some literals holds.
pub trait AtMostOne: Send + Sync {
    /// The information on the encoding: name, source and declared properties.
    fn info(&self) -> EncodingInfo;

    /// The cost of `n` inputs: auxiliary variables, clauses and literals, in closed form. Planners call it for every
    /// group of every instance, so it must be fast.
    fn size(&self, n: u64) -> Option<Size>;

    /// Writes to `out` that at most one of `xs` holds. The literals are of different variables.
    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink);

    /// The cost of [`exactly_one`](Self::exactly_one) for `n` inputs.
    fn exactly_one_size(&self, n: u64) -> Option<Size> {
        Some(Size::new(0, 1, n.into()) + self.size(n)?)
    }

    /// Writes to `out` that exactly one of `xs` holds: the clause that one of them does, and
    /// [`encode`](Self::encode). An encoding with a better way has its own.
    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        out.clause(xs);
        self.encode(xs, out);
    }

    /// The encoder of larger bounds by the same method; none if there is no such encoder.
    fn of_bounds(&self) -> Option<&dyn AtMostK> {
        None
    }

    /// The encoder of weighted sums; none if a literal of weight w is encoded as w literals. An encoder of sums has
    /// [larger bounds](Self::of_bounds), too.
    fn of_sums(&self) -> Option<&dyn AtMostSum> {
        None
    }
}

/// A list to which at-most-one encodings are added.
pub(crate) trait AtMostOneList: Sized {
    /// The list and one more encoding.
    fn with_at_most_one(self, at_most_one: impl AtMostOne + 'static) -> Self {
        self.with_at_most_ones([Arc::new(at_most_one) as Arc<dyn AtMostOne>])
    }

    /// The list and more encodings.
    fn with_at_most_ones(self, all: impl IntoIterator<Item = Arc<dyn AtMostOne>>) -> Self;

    /// The list and one more family of encodings.
    fn with_family(self, family: Family) -> Self;
}

/// Registers the at-most-one encodings of Bezzel, in the order in which they are listed.
pub(crate) fn register<L: AtMostOneList>(list: L) -> L {
    list.with_at_most_one(pairwise::Pairwise)
        .with_at_most_one(sequential_counter::SequentialCounter)
        .with_at_most_one(sequential_counter::SimplifiedCounter)
        .with_at_most_one(sequential_counter::DefinedCounter)
        .with_at_most_ones(ladder::all())
        .with_at_most_one(bitwise::Bitwise)
        .with_family(bimander::family())
        .with_family(commander::family())
        .with_family(split::family())
        .with_family(nested::family())
        .with_at_most_ones(product::all())
        .with_family(k_product::family())
        .with_at_most_one(tree::Tree { defined: false })
        .with_at_most_one(tree::Tree { defined: true })
        .with_at_most_ones(totalizer::all())
        .with_at_most_one(sorting_network::SortingNetwork { defined: false })
        .with_at_most_one(sorting_network::SortingNetwork { defined: true })
        .with_at_most_one(cardinality_network::CardinalityNetwork)
        .with_at_most_ones(bdd::all())
        .with_at_most_one(edge::Edge)
        .with_at_most_one(native::Native)
        // RustSAT's encoders, for comparison.
        .with_at_most_ones(rustsat::all())
}
