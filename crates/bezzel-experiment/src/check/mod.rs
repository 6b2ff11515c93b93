//! Checks of rows that read no file: the numbers of a row, its consistency, the judge of its verdict, its claim compared
//! with those of other rows, and listed solutions.
//!
//! The runner applies those of verdict and consistency when a row is made. `verify` applies all when the row is read.

pub mod claim;
pub(crate) mod consistent;
pub(crate) mod counted;
pub mod cross;
pub mod judge;
pub mod model_check;
pub(crate) mod report;
pub(crate) mod row;
pub mod solution_collector;
pub(crate) mod verdicts;
