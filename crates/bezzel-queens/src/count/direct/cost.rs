//! The cost of a count, other than time.

/// The cost of a direct construction or of a count over states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectCost {
    /// The nodes of the diagram that was made.
    pub nodes: u64,
    /// The different states that were found and kept.
    pub states: u64,
    /// The most nodes and states that were kept at a time.
    pub peak: u64,
    /// The most memory that these and the tables that find them took at a time, in bytes.
    pub bytes: u64,
}
