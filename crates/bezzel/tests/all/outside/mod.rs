//! Files of ours in the hands of outside programs, and their answers in ours. Each file says which
//! programs read it.
//!
//! Programs that are not installed are skipped, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

mod benchexec;
mod counters;
mod dimacs;
mod encoders;
mod packing;
mod pseudo_boolean;
mod rows;
mod smt;
mod solvers;
mod tools;
mod veripb;
