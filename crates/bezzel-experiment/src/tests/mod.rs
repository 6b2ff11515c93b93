//! A kind of problem and a catalog for the tests of this crate.

mod catalog;
pub(crate) mod seating;
