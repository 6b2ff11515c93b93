//! At-most-one encodings: of some literals, no two hold.
//!
//! One file each. [`direct`](crate::encoding::direct) lifts any of them to the board. To add one:
//! write its file, and add its line to `standard`.

use std::sync::Arc;

use ::rustsat::types::Lit;

use crate::card::Card;
use crate::sink::ClauseSink;
use crate::size::Size;

pub mod bitwise;
pub mod pairwise;
pub mod product;
pub mod rustsat;
pub mod sequential_counter;

/// A way to say in clauses that at most one of some literals holds.
pub trait AtMostOne: Send + Sync {
    /// Name, source and promises.
    fn card(&self) -> Card;

    /// What `n` inputs cost: auxiliary variables, clauses and literals, in closed form. Planners
    /// ask it for every line of every board, so it must take no time to speak of.
    fn size(&self, n: u64) -> Option<Size>;

    /// Writes to `out` that at most one of `xs` holds. The literals are of different variables.
    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink);
}

/// The at-most-one encodings that Bezzel comes with, in the order in which they are listed.
pub(crate) fn standard() -> Vec<Arc<dyn AtMostOne>> {
    let mut all: Vec<Arc<dyn AtMostOne>> = vec![
        Arc::new(pairwise::Pairwise),
        Arc::new(sequential_counter::SequentialCounter),
        Arc::new(bitwise::Bitwise),
        Arc::new(product::Product),
    ];
    // Rivals, measured beside ours.
    all.extend(rustsat::all());
    all
}
