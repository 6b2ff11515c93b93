//! Requirements on every engine, tested on all linked engines.
//!
//! The expected results come from the exhaustive search that also judges engines in experiments.

mod budgets;
mod expected;
mod given;
mod models;
mod names;
mod running;
mod solutions;
mod subjects;
mod trap;
