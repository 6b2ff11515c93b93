//! The server through a real socket: what it answers, what it refuses, and that it goes on.

mod answers;
mod ends;
mod floods;
mod guarded;
pub(crate) mod place;
mod questions;
mod reports;
mod slow;
mod spent;
