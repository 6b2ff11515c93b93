//! A kind of problem, a catalog and helpers for the tests of this crate.

mod catalog;
pub(crate) mod encoder_script;
pub(crate) mod grid_script;
pub(crate) mod judging;
pub(crate) mod seating;
