//! Statistics: pure functions of rows and numbers.
//!
//! A wrong answer enters none of them. A run without an answer enters as [`Value::OverLimit`],
//! which is larger than every measured value, so that medians and quartiles stay right as long as
//! they do not depend on how long the run would have taken; where they do, they are over the limit
//! themselves. Where ratios and intervals are made, what a run took until it was ended is known too:
//! an [`Observation`] is exact, or at least a number.

pub mod bootstrap;
pub mod cactus;
pub mod cell;
pub mod distribution;
pub mod exponent;
pub mod growth;
pub mod interval;
pub mod letters;
pub mod median_interval;
pub mod observation;
pub mod order;
pub mod outcome;
pub mod panel;
pub mod ranking;
pub mod ratio;
pub mod replicates;
pub mod score;
pub mod strength;
pub mod virtual_best;

pub use bootstrap::{Contrast, DRAWS, Draws, Estimated, estimate};
pub use cell::{Cell, Place, cells};
pub use interval::{Interval, LEVEL, MARGIN, Relation, simultaneous};
pub use observation::Observation;
pub use order::{Spread, Value, median, quantile};
pub use outcome::{Outcome, Outcomes, Rule, compare_solvers, outcomes};
pub use panel::{Instance, Panel};
pub use ratio::{Estimate, Ratio};
