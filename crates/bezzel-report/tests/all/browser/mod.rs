//! The page in the hands of a real browser: Chromium, without a window.
//!
//! Skipped where `chromium` is not installed, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

mod place;
mod reading;
mod tables;
mod values;
