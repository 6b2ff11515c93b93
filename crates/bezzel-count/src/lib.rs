//! All solutions and their number: published counts, and an exhaustive search.
//!
//! Both are here to check others by, and share no code with encodings or solvers.

pub mod backtrack;
pub mod published;

pub use backtrack::{Backtrack, BudgetSpent};
pub use published::Published;
