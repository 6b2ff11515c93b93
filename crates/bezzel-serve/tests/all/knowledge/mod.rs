//! The knowledge of boards, compared with brute force: every solution listed, every rule in coordinates.

pub(crate) mod brute;
mod compiled;
mod export;
mod propagation_view;
mod squares;
mod why;
