//! All integration tests of the crate in one program.

mod browser;
#[expect(dead_code, reason = "the browser needs one part of it")]
#[path = "../../../bezzel-queens/tests/all/knowledge/brute.rs"]
mod brute;
#[path = "../../../../tests/chromium.rs"]
mod chromium;
mod server;
