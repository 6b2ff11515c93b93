//! The rows of a record, for other programs: [`csv()`] has every field of every row, [`benchexec()`] the results
//! that BenchExec's table-generator reads.
//!
//! Verdicts are those after the rows were examined together. Rows are in the order of the plan, and the same record
//! gives the same bytes.

mod benchexec;
mod cell;
mod csv;
mod program;
#[cfg(test)]
mod tests;

pub use benchexec::benchexec;
pub use csv::csv;
pub(crate) use program::run_words;
