//! Files of Bezzel read by outside programs, and their answers read by Bezzel. Each file names the programs that read
//! it.
//!
//! Programs that are not installed are skipped with a message. With `BEZZEL_REQUIRE_OUTSIDE` set, as in `.ci/run`, the
//! test fails instead.

mod counters;
mod dimacs;
mod encoders;
mod file_proof_mutants;
mod file_proofs;
mod packing;
mod pseudo_boolean;
mod smt;
mod solvers;
mod tools;
mod veripb;
