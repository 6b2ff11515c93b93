//! All integration tests of the crate in one program.

mod browser;
mod knowledge;
mod server;
