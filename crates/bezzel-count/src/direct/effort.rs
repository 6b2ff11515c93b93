//! What a count cost, other than time.

/// What a direct construction or a count over states took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The nodes of the diagram that was made.
    pub nodes: u64,
    /// The different states that were met and kept.
    pub states: u64,
    /// The most nodes and states that were kept at a time.
    pub peak: u64,
    /// The most memory that these and the tables to find them by took at a time, in bytes.
    pub bytes: u64,
}
