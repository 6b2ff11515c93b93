//! What every engine must do, run on all that can be named.
//!
//! What is right is found out by the exhaustive search that judges them in experiments too.

mod asking;
mod budgets;
mod expected;
mod given;
mod models;
mod names;
mod solutions;
mod subjects;
mod trap;
