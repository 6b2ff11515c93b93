//! All tests of the crate from outside, in one program.

mod browser;
mod report;
