//! Statistics: pure functions of rows and numbers.
//!
//! A wrong answer enters none of them. A run without an answer enters as [`Value::OverLimit`],
//! which is larger than every measured value, so that medians and quartiles stay right as long as
//! they do not depend on how long the run would have taken; where they do, they are over the limit
//! themselves.

pub mod cactus;
pub mod cell;
pub mod growth;
pub mod order;
pub mod replicates;
pub mod score;

pub use cell::{Cell, Place, cells};
pub use order::{Spread, Value, median, quantile};
