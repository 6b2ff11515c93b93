//! The memory of a store.
//!
//! `OxiDD` reserves its store at once: 16 bytes for each node of its capacity, of which the system provides only the
//! pages that are used. The tables that find nodes grow with them, and exist twice while they do. Together that is up
//! to [`NODE_BYTES`] a node. The cache of results is written at once, 20 bytes for each of its [`CACHE`] places.
//!
//! *The cache is small on purpose.* Layers are conjoined from the root on, and most repeated results are needed soon. A
//! cache that fits into a processor's own finds them, and a larger one costs an access to memory for every query. One
//! of 2²⁴ places doubles the time at N = 13.

use crate::budget::{Budget, Halt};

/// The most bytes that a node takes, with its share of the tables.
pub const NODE_BYTES: u64 = 40;

/// The number of results that the cache holds, a power of two.
const CACHE: u64 = 1 << 18;
const CACHE_BYTES: u64 = 20 * CACHE;

/// The largest number of nodes: their numbers have 31 bits, and twice as many places are 32 GiB.
const MAX_NODES: u64 = 1 << 30;

/// The number of nodes in the store from which on dead ones are collected.
const COLLECT: u64 = 1 << 20;

/// The memory of a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoreMemory {
    /// The most nodes that it may hold after an operation and a collection of dead ones. Before the collection there
    /// may be up to [`capacity`](Self::capacity).
    pub(super) nodes: u64,
    /// The number of results in its cache.
    pub(super) cache: usize,
    /// The error if that does not suffice.
    pub(super) halt: Halt,
    /// The bytes for the diagram that is copied out of it; as many again are left for the table of copies.
    pub(super) copy_bytes: u64,
}

impl StoreMemory {
    /// The share of the budget. Three quarters of the bytes are the store's, the rest is for the copy.
    ///
    /// # Errors
    ///
    /// When not even a node for each of `variables` variables fits.
    pub(super) fn new(variables: usize, budget: Budget<'_>) -> Result<Self, Halt> {
        let copy_bytes = budget.bytes / 4;
        // The cache gets at most a quarter.
        let bytes = budget.bytes - copy_bytes;
        let cache_bytes = CACHE_BYTES.min(bytes / 4);
        let cache = if cache_bytes < CACHE_BYTES {
            (cache_bytes / 20 + 1).next_power_of_two() / 2
        } else {
            CACHE
        };
        let afforded = (bytes - cache_bytes) / NODE_BYTES;
        let requested = budget.nodes.min(afforded).min(MAX_NODES);
        let nodes = reservable(requested);
        let halt = if nodes == budget.nodes {
            Halt::Nodes(nodes)
        } else if nodes == afforded {
            Halt::Bytes(budget.bytes)
        } else {
            Halt::Nodes(nodes)
        };
        // A family of sets that may have any variable has a node for each.
        if nodes <= variables as u64 {
            return Err(halt);
        }
        Ok(Self { nodes, cache: cache.max(1) as usize, halt, copy_bytes: copy_bytes / 2 })
    }

    /// The capacity of the store. The store collects by itself, in a thread of its own, when 95 in 100 places are
    /// taken. The capacity is larger than the permitted number, so that this never happens and every run is the same.
    pub(super) fn capacity(self) -> usize {
        (self.nodes + self.nodes / 16 + 1024) as usize
    }

    /// The number of nodes at which dead ones are collected next, if `left` were left the last time.
    pub(super) fn collect_at(self, left: u64) -> u64 {
        (2 * left).clamp(COLLECT.min(self.nodes), self.nodes)
    }
}

/// The number of nodes, halved until the system can reserve it: a larger reservation would end the process.
fn reservable(mut nodes: u64) -> u64 {
    let can = |nodes: u64| {
        let nodes = usize::try_from(nodes + nodes / 16 + 1024).unwrap_or(usize::MAX);
        Vec::<[u64; 2]>::new().try_reserve_exact(nodes).is_ok()
    };
    while nodes > 0 && !can(nodes) {
        nodes /= 2;
    }
    nodes
}
