//! The knowledge of boards, compared with brute force: every solution listed, every rule in coordinates.

pub(crate) mod brute;
mod conflicts;
mod export;
mod propagation;
mod solutions;
mod why;
