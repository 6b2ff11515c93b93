//! Tests of names, command lines, statistics and answers. Tests that need a process use the binary, in
//! `crates/bezzel/tests/solver_programs/`.

mod answers;
mod invocation;
mod mutants;
mod names;
mod statistics;
mod template;
