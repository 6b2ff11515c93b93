//! What is known of boards, against brute force: every solution listed, every rule in coordinates.

pub(crate) mod brute;
mod compiled;
mod export;
mod eyes;
mod fundamental;
mod squares;
mod why;
