//! The properties that are computed of an encoding or of a formula, without a declaration.

mod board;
mod bound;
mod case;
mod correct;
mod examine;
mod gap;
mod line;
mod lines;
mod models;
mod placements;
mod same;
mod seen;
mod strength;
mod subject;
mod violation;

pub use board::BoardProfile;
pub use bound::BoundProfile;
pub(super) use case::Case;
pub use case::MissedConsequence;
pub use correct::Correct;
pub use examine::{Examination, can_be_listed, examine};
pub use line::{FormProfile, LineProfile, SHOWN};
pub use models::ModelCounts;
pub use same::ids_with_same_clauses;
pub(super) use seen::seen;
pub use strength::Strength;
pub(super) use subject::ExaminedFormula;
pub use violation::violation;
