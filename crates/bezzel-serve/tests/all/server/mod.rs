//! The server through a real socket: its answers, its refusals, and its availability.

mod answers;
mod ends;
mod floods;
mod guarded;
mod questions;
mod reports;
mod slow;
mod spent;
pub(crate) mod test_server;
