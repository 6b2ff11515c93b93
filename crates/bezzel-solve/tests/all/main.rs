//! All tests of the crate from outside, in one program.

mod enumerate;
mod laws;
mod proofs;
