//! Problems to encode: instances, their solutions, and the checks of solutions.
//!
//! The crate depends on no encoder and no solver. [`queens`] has the boards, the pieces on them, and recipes, which
//! draw boards with given queens or blocked squares by a seed.

mod drawing;
mod entry;
pub mod file;
mod group;
mod harmless;
mod instance;
pub mod kind;
mod literal;
mod mixed_hash;
mod named;
mod problem;
pub mod quantity;
pub mod queens;
pub mod search;
mod solution;
mod text;
mod unknown;

pub use drawing::{Cell, CellLook, Drawing};
pub use entry::{EntryError, EntryFile, EntryForm, EntryKey, EntryValue, EntryValues};
pub use file::{FAMILY_PATTERN, Goal, Objective, ObjectiveBound, ProblemFile, is_family};
pub use group::{Bounds, GroupFamily, Lists};
pub use harmless::{harmless, harmless_line, is_obeyed};
pub use instance::{Instance, InstanceConstructor};
pub use kind::{EntryKind, Kind};
pub use literal::{Candidate, Literal};
pub use mixed_hash::mixed_hash;
pub use named::Named;
pub use problem::{ConstraintViolation, Describe, Problem};
pub use queens::board::{Board, BoardError, Geometry, MAX_SIDE, Piece};
pub use queens::line::{Family, Line};
pub use queens::placement::{Placement, Violation};
pub use queens::recipe::{InstanceError, Recipe};
pub use queens::square::Square;
pub use search::Search;
pub use solution::Solution;
pub use text::{FileError, Position, Scanner, quoted};
pub use unknown::UnknownId;
