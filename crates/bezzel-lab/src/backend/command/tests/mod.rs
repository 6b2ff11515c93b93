//! Names, command lines, statistics, answers. What needs a process is tested with the binary, in
//! `crates/bezzel/tests/solver_programs/`.

mod answers;
mod invocation;
mod mutants;
mod names;
mod statistics;
mod template;
