//! Solvers that are programs, in runs and on the command line: honest ones, and one that misbehaves in
//! every way that was thought of (`examples/fake_solver.rs`).

mod absent;
mod command_line;
mod lies;
mod misbehaviour;
mod place;
mod proofs;
