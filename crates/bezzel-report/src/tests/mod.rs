//! Helpers for the tests of several modules, and the files of papers.

#[cfg(feature = "pdf")]
mod pdf;
pub(crate) mod sample;
