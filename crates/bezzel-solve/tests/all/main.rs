//! All integration tests of the crate in one program.

mod enumerate;
mod proofs;
mod requirements;
mod sums;

use std::sync::Arc;

use bezzel_solve::{Enumerator, Solver};

fn solver(id: &str) -> Arc<dyn Solver> {
    let mut all = bezzel_solve::solvers().into_iter();
    all.find(|solver| solver.info().id == id).unwrap()
}

fn enumerator(id: &str) -> Arc<dyn Enumerator> {
    let mut all = bezzel_solve::enumerators().into_iter();
    all.find(|enumerator| enumerator.info().id == id).unwrap()
}
