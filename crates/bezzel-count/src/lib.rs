//! All solutions of a board, and their number.
//!
//! *For checks*: the sizes of diagrams in [`diagram_sizes`].
//!
//! *To find solutions*: a fast search with rows as words, [`bitmask`]; diagrams of all solutions, made directly from
//! the board in [`direct`], which also counts without one, or from the rules that an encoding states in [`apply`], with
//! the operations of `OxiDD`. A finished [`diagram`] gives the number of its models, all of them, the k-th and a random
//! one. A [`budget`] limits every computation that may take long.
//!
//! *To draw instances*: those that need a search, [`instance`], around some solution ([`plant`](mod@plant)) or, each
//! with the same chance, any of a [`pool`] of all.

pub mod apply;
pub mod bitmask;
pub mod budget;
pub mod diagram;
pub mod diagram_sizes;
pub mod direct;
pub mod instance;
pub mod plant;
pub mod pool;

pub use bitmask::{Bitmask, Counted};
pub use budget::{Budget, Halt};
pub use diagram::Diagram;
pub use instance::{DrawError, RequiredAnswer};
