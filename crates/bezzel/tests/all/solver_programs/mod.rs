//! Solvers that are programs, in runs and on the command line: correct ones, and one that misbehaves in every known way
//! (`examples/fake_solver.rs`).

mod absent;
mod command_line;
mod from_file;
mod lies;
mod misbehaviour;
mod proofs;
mod workspace;
