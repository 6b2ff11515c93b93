//! All integration tests of the crate in one program.

mod browser;
#[path = "../../../../tests/chromium.rs"]
mod chromium;
mod knowledge;
mod server;
