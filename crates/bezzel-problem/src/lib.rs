//! Problems to encode: instances, their solutions, and the checks of solutions.
//!
//! Nothing here knows clauses, encoders or solvers. [`queens`] has the boards, the pieces on them, and the
//! seeded recipes for further instances.

mod named;
pub mod queens;
mod unknown;

pub use named::Named;
pub use queens::board::{Board, BoardError, Geometry, MAX_SIDE, Piece};
pub use queens::dihedral::Dihedral;
pub use queens::line::{Family, Line};
pub use queens::placement::{Placement, Violation};
pub use queens::recipe::{InstanceError, Recipe};
pub use queens::square::Square;
pub use unknown::UnknownId;
