//! The numbers of an accepted proof.

use crate::step::Notation;

/// The numbers of an accepted proof and of its check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofStats {
    /// Steps up to the empty clause; 0 if the formula contains it.
    pub steps: u64,
    /// Clauses that were added, the empty one included.
    pub additions: u64,
    /// Those of them that follow by their first literal only, and not by unit propagation.
    pub rat: u64,
    /// Clauses that were deleted.
    pub deletions: u64,
    /// Deletions of clauses that did not exist, which were passed over.
    pub unknown_deletions: u64,
    /// Literals that became true by a hint.
    pub propagations: u64,
    /// The largest number of clauses at one time, those of the formula included.
    pub peak_live_clauses: u64,
    /// Bytes of the proof that were read.
    pub bytes: u64,
    /// The most memory that was in use, in bytes, as [`Limits`](crate::Limits) counts it.
    pub peak_memory_bytes: u64,
    /// The notation of the proof; `None` if no byte of it was read.
    pub notation: Option<Notation>,
}

impl ProofStats {
    /// Clauses that follow by unit propagation.
    pub fn rup(&self) -> u64 {
        self.additions - self.rat
    }
}
