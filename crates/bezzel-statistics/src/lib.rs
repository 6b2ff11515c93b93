//! Statistics: pure functions of measured numbers.
//!
//! A run without an answer enters as [`Value::OverLimit`], which is larger than
//! every measured value. Medians and quartiles are then correct as long as they do not depend on the time that the run
//! would have taken. If they do, they are over the limit themselves. For ratios and intervals, the cost of a run until
//! its end is known too: an [`Observation`] is exact, or a lower bound.
//!
//! The crate is apart from the reports, since it is optimised: an interval needs thousands of resamples.

mod batch;
pub mod bootstrap;
pub mod contrast;
pub mod families;
pub mod interval;
pub mod number;
pub mod observation;
pub mod order;
pub mod outcome;
pub mod paired_design;
mod question;
pub mod ranking;
pub mod ratio;
pub mod replicability;
mod replicate_table;
mod resample;
mod sampled;
mod sampler;
pub mod score;
pub mod tolerance;
pub mod virtual_best;

pub use bootstrap::{ContrastEstimate, estimate};
pub use contrast::{Contrast, DRAWS, Draws};
pub use interval::{Interval, LEVEL, MARGIN, Relation, simultaneous};
pub use observation::Observation;
pub use order::{Spread, Value, median, quantile};
pub use outcome::{Compared, Outcome, Outcomes, Rule, compare_solvers, outcomes};
pub use paired_design::{DesignInstance, PairedDesign};
pub use ratio::{Estimate, Ratio};
