//! Queens and rooks on boards, as a plug-in.
//!
//! [`rules`] has the boards, the pieces on them, placements and their check, the exhaustive search of the judge,
//! published numbers, and recipes, which draw boards with given queens or blocked squares by a seed. [`encode`] has the
//! encodings of whole boards, and the properties of encodings on boards. [`count`] finds and counts all solutions, and draws
//! instances that need a search. [`experiment`] has
//! the engines, the entries of configs and the checks of experiments. [`report`]
//! has the figures and tables that only boards have. [`knowledge`] answers the questions of the board in the browser.

pub mod count;
pub mod encode;
pub mod experiment;
pub mod knowledge;
pub mod report;
mod reported;
pub mod rules;

pub use bezzel_problem::Square;
pub use encode::register;
pub use rules::backtrack::{Backtrack, BudgetSpent};
pub use rules::board::{Board, BoardError, Geometry, MAX_SIDE, Piece};
pub use rules::line::{Family, Line};
pub use rules::placement::{Placement, Violation};
pub use rules::published::Published;
pub use rules::recipe::{InstanceError, Recipe};
pub use rules::{backtrack, draw, published, search};

/// Adds the kind of boards to those that this process can read.
pub fn add_kinds() {
    bezzel_problem::add_kind(&bezzel_problem::KindEntry::of::<Board>());
}
