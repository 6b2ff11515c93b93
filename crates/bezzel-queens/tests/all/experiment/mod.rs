//! Requirements on every engine, tested on all linked engines with boards; the judge on boards.
//!
//! The expected results come from the exhaustive search that also judges engines in experiments.

mod budgets;
mod expected;
mod given;
mod implied;
mod judged;
mod models;
mod names;
mod recorded;
mod running;
mod solutions;
mod subjects;
