//! All solutions of a board, and their number.
//!
//! *To judge by*: [published] counts, the sizes of diagrams in [`diagram_sizes`], and an exhaustive
//! search that is kept simple, [`backtrack`]. They share no code with encodings or solvers, nor with
//! what they judge.
//!
//! *To find them*: a fast search with rows as words, [`bitmask`]; diagrams of all solutions, made
//! straight from the board in [`direct`], which also counts without one, or from the rules that an
//! encoding states in [`apply`], with the operations of `OxiDD`. A finished [`diagram`] can be asked
//! for the number of its models, for all of them, for the k-th and for a random one. All that takes
//! long is told by its [`budget`] when to end.
//!
//! *To draw instances*: those that need a search, [`instance`], around some solution
//! ([`plant`](mod@plant)) or, each with the same chance, any of a [`pool`] of all.

pub mod apply;
pub mod backtrack;
pub mod bitmask;
pub mod budget;
pub mod diagram;
pub mod diagram_sizes;
pub mod direct;
pub mod instance;
pub mod plant;
pub mod pool;
pub mod published;

pub use backtrack::{Backtrack, BudgetSpent};
pub use bitmask::{Bitmask, Counted};
pub use budget::{Budget, Halt};
pub use diagram::Diagram;
pub use instance::{DrawError, Wanted};
pub use published::Published;
