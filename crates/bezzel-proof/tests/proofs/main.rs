//! The checker against proofs by hand, by CaDiCaL and by forgers.

mod cadical;
mod dimacs;
mod drat;
mod forger;
mod formulas;
mod hand;
mod judge;
mod mutants;
mod noise;
mod outside;
mod proof;
mod real;
mod resources;
