//! The server through a real socket: its answers, its refusals, and its availability.

mod answers;
mod ends;
mod limits;
mod questions;
mod refusals;
pub(crate) mod reports;
pub(crate) mod test_server;
