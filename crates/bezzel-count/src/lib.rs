//! All solutions and their number: published counts, and an exhaustive search; and instances that
//! need a search to be drawn.
//!
//! Both are here to check others by, and share no code with encodings or solvers.

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
