//! All integration tests of the crate in one program.

mod browser;
#[path = "../../../bezzel-queens/tests/all/knowledge/brute.rs"]
mod brute;
#[path = "../../../../tests/chromium.rs"]
mod chromium;
mod server;
