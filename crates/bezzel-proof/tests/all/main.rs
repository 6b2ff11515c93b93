//! Tests of the checker with proofs by hand, proofs by CaDiCaL, and mutants of proofs.

mod cadical;
mod dimacs;
mod forger;
mod formulas;
mod hand;
#[path = "../../../../tests/installed.rs"]
mod installed;
mod judge;
mod mutants;
mod noise;
mod outside;
mod proof;
mod real;
mod resources;
