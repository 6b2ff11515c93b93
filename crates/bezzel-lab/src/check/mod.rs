//! Checks of rows that read no file: the numbers of a row, its consistency, the judge of its verdict, its claim compared
//! with those of other rows, and listed solutions.
//!
//! Each statement of a row has one check. The runner applies it when a row is made, `verify` when the row is read.

pub(crate) mod consistent;
pub(crate) mod counted;
pub mod cross;
pub mod judge;
pub mod model_check;
pub(crate) mod report;
pub(crate) mod row;
pub mod said;
pub(crate) mod verdicts;
pub mod witness;
