//! All solutions of a board, and their number.
//!
//! *For checks*: the sizes of diagrams in [`diagram_sizes`].
//!
//! *To find solutions*: a fast search with rows as words, [`bitmask`]; diagrams of all solutions, made directly from
//! the board in [`direct`], which also counts without one, or from rules [by squares](by_square).
//!
//! *Up to symmetry*: [`fundamental`](mod@fundamental) solutions, from the number of all.
//!
//! *To draw instances*: those that need a search, [`instance`], around some solution ([`plant`](mod@plant)) or, each
//! with the same chance, any of a [`pool`] of all.

pub mod bitmask;
pub mod by_square;
pub mod diagram_sizes;
pub mod direct;
pub mod fundamental;
pub mod instance;
pub mod plant;
pub mod pool;

pub use bitmask::{Bitmask, Counted};
pub use fundamental::fundamental;
pub use instance::{DrawError, RequiredAnswer};
