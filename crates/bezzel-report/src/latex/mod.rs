//! What a paper takes in by `\input`: tables, and numbers that its text quotes. The sources of
//! figures are drawings, and made by [`render`](mod@crate::render).
//!
//! Everything is ASCII, so that every engine of LaTeX reads it, and names no package but those that
//! its first lines tell.

mod numbers;
mod table;

pub(crate) use numbers::numbers;
pub(crate) use table::table;
