//! The page in a real browser: Chromium, without a window.
//!
//! Skipped with a message where `chromium` is not installed. With `BEZZEL_REQUIRE_OUTSIDE` set, as in `.ci/run`, the
//! test fails instead.

mod details;
mod index;
mod open;
mod reading;
mod runs;
mod series;
mod tables;
mod values;
