//! All tests of the crate from outside, in one program.

mod browser;
#[path = "../../../../tests/chromium.rs"]
mod chromium;
mod report;
