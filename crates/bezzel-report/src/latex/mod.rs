//! Files that a paper reads by `\input`: tables, and numbers that its text quotes.
//!
//! Everything is ASCII, so that every engine of LaTeX reads it. Only the packages that the first lines name are needed.

mod escape;
mod numbers;
mod table;

pub(crate) use numbers::numbers;
pub(crate) use table::table;
