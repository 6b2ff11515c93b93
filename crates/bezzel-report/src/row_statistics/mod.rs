//! Statistics that read rows: cells, curves, replicates, scores and propagation.
//!
//! A wrong answer enters none of them. A run without an answer enters as
//! [`Value::OverLimit`](bezzel_statistics::Value::OverLimit).

pub mod cell;
pub mod replicates;

pub use cell::{Cell, CellIndex, cells};
