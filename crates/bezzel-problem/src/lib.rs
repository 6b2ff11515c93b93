//! Problems to encode: instances, their solutions, and the checks of solutions.
//!
//! The crate depends on no encoder and no solver. [`kind`] has the kinds of problems; other crates add their own.

mod alignment;
mod drawing;
mod entry;
pub mod file;
mod grid;
mod group;
mod harmless;
mod instance;
pub mod kind;
pub mod layout;
mod literal;
mod mixed_hash;
mod named;
mod problem;
pub mod quantity;
pub mod search;
mod solution;
mod text;
mod unknown;
pub mod weighted;

pub use alignment::{AlignedPairs, Alignment};
pub use drawing::{Cell, CellLook, Drawing};
pub use entry::{EntryError, EntryFile, EntryForm, EntryKey, EntryValue, EntryValues};
pub use file::{Goal, Objective, ObjectiveBound, ProblemFile, is_family};
pub use grid::{Grid, Square};
pub use group::{Bounds, GroupFamily, GroupLayout, GroupSource, Lists};
pub use harmless::{harmless, harmless_line, is_obeyed, is_plain};
pub use instance::Instance;
pub use instance::list::{InstanceConstructor, KindEntry, KindInfo, Kinds, add_kind, kinds};
pub use kind::{
    EntryKind, ExhaustiveSearch, Form, FormRank, InstanceField, Kind, KindSearch, KnownFacts,
    KnownNodes, NodesSpent, ReportedKind,
};
pub use literal::{Candidate, Literal};
pub use mixed_hash::mixed_hash;
pub use named::Named;
pub use problem::{BoundSet, ConstraintViolation, Describe, EncoderRequest, Problem};
pub use search::Search;
pub use solution::Solution;
pub use text::{FileError, Position, Scanner, quoted};
pub use unknown::UnknownId;
