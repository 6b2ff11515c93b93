//! Files that a paper reads by `\input`: tables, and numbers that its text quotes. The sources of figures are drawings,
//! and made by [`render`](mod@crate::render).
//!
//! Everything is ASCII, so that every engine of LaTeX reads it. Only the packages that the first lines name are needed.

mod numbers;
mod table;

pub(crate) use numbers::numbers;
pub(crate) use table::table;
