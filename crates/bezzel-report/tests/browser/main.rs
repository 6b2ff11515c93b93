//! The page in the hands of a real browser: Chromium, without a window.
//!
//! Skipped where `chromium` is not installed, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

mod place;
mod reading;
#[path = "../report/sample.rs"]
#[allow(dead_code, reason = "the tests of reports use the rest")]
mod sample;
mod tables;
mod values;
