//! Helpers for the tests of several modules, and the files of papers.

#[path = "../../../../tests/committed.rs"]
pub(crate) mod committed;
#[cfg(feature = "pdf")]
mod pdf;
pub(crate) mod sample;
