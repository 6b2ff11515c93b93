//! The subject of Bezzel: boards, encodings, circuits and the formulas they become.
//!
//! Data flows one way: a [`Board`] goes into an [`Encoding`], whose clauses go into a
//! [`ClauseSink`]: a [`Tally`] that measures, a [`Formula`] that stores, a DIMACS writer, a solver.
//! The encoding hands back a [`Layout`], which says what its variables mean, and from which
//! answers are decoded.
//!
//! Nothing here does input or output of its own, starts a process, or reads a clock, and encoding
//! cannot fail: what could go wrong with a board is refused when the board is made.

pub mod amo;
pub mod board;
pub mod card;
pub mod circuit;
pub mod constraints;
pub mod digest;
pub mod draw;
pub mod encoding;
mod family;
pub mod format;
pub mod formula;
pub mod instance;
pub mod layout;
pub mod line;
pub mod models;
mod named;
pub mod numbering;
pub mod placement;
pub mod propagate;
pub mod properties;
pub mod registry;
pub mod settings;
pub mod sink;
pub mod size;
pub mod square;
pub mod symmetry;
pub mod tally;
mod unknown;

pub use amo::AtMostOne;
pub use board::{Board, BoardError, Geometry, Piece};
pub use card::{Auxiliaries, Card, Propagation};
pub use constraints::{Constraints, Misfit};
pub use digest::Digest;
pub use encoding::Encoding;
pub use formula::Formula;
pub use instance::{InstanceError, Recipe};
pub use layout::Layout;
pub use line::{Family, Line};
pub use named::Named;
pub use numbering::{Images, Numbering};
pub use placement::{Placement, Violation};
pub use registry::{NameError, Registry};
pub use rustsat::types::{Lit, Var};
pub use settings::{Blocked, InputOrder, SettingAxis, Settings};
pub use sink::{ClauseSink, Tee, VarRange};
pub use size::Size;
pub use square::Square;
pub use symmetry::Symmetry;
pub use tally::Tally;
pub use unknown::UnknownId;
