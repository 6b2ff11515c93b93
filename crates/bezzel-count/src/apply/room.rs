//! How much room a store gets.
//!
//! `OxiDD` reserves its store at once: 16 bytes for each node that it shall hold, of which the system
//! gives only what is touched. Tables to find nodes by grow with them, and stand twice while they do.
//! Together that is up to [`NODE_BYTES`] a node. The cache of results is written at once, 20 bytes for
//! each of its [`CACHE`] places.
//!
//! *The cache is small on purpose.* Layers are conjoined from the root on, and what is asked for again
//! is mostly asked for soon; a cache that fits into a processor's own finds it, and one that does not
//! costs a trip to memory for every question. One of 2²⁴ places doubles the time at N = 13.

use crate::budget::{Budget, Halt};

/// The most bytes that a node takes, with its share of the tables.
pub const NODE_BYTES: u64 = 40;

/// The results that are remembered, a power of two.
const CACHE: u64 = 1 << 18;
const CACHE_BYTES: u64 = 20 * CACHE;

/// More nodes are never asked for: their numbers have 31 bits, and twice as many places are 32 GiB.
const MOST: u64 = 1 << 30;

/// When so many nodes are in the store, it is looked for dead ones.
const COLLECT: u64 = 1 << 20;

/// What a store gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The most nodes that it may hold after an operation and a look for dead ones. Until that look
    /// there may be as many as [`capacity`](Self::capacity) tells.
    pub(super) nodes: u64,
    /// How many results it remembers.
    pub(super) cache: usize,
    /// What to say when that does not do.
    pub(super) halt: Halt,
    /// What the diagram that is copied out of it may take; as much again is left for the table of
    /// what has been copied.
    pub(super) copy_bytes: u64,
}

impl Room {
    /// A share of what may be used. Three quarters of the bytes are the store's, the rest is for the
    /// copy.
    ///
    /// # Errors
    ///
    /// When not even functions of so many variables fit.
    pub(super) fn new(variables: usize, budget: Budget<'_>) -> Result<Self, Halt> {
        let copy_bytes = budget.bytes / 4;
        // Of a small budget the cache gets a quarter.
        let bytes = budget.bytes - copy_bytes;
        let cache_bytes = CACHE_BYTES.min(bytes / 4);
        let cache = if cache_bytes < CACHE_BYTES {
            (cache_bytes / 20 + 1).next_power_of_two() / 2
        } else {
            CACHE
        };
        let afforded = (bytes - cache_bytes) / NODE_BYTES;
        let wanted = budget.nodes.min(afforded).min(MOST);
        let nodes = reservable(wanted);
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

    /// What the store is made for. It begins to collect by itself, in a thread of its own, when 95 in
    /// 100 places are taken: that is more than it may hold, so that every run is like the next.
    pub(super) fn capacity(self) -> usize {
        (self.nodes + self.nodes / 16 + 1024) as usize
    }

    /// At how many nodes dead ones are collected if so many were left the last time.
    pub(super) fn collect_at(self, left: u64) -> u64 {
        (2 * left).clamp(COLLECT.min(self.nodes), self.nodes)
    }
}

/// So many nodes, or as many as the system lets reserve: who asks it for more is ended.
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
