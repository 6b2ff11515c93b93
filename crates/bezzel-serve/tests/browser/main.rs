//! The board in the hands of a real browser: Chromium, without a window.
//!
//! Skipped where `chromium` is not installed, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

mod accessible;
#[path = "../knowledge/brute.rs"]
#[allow(dead_code, reason = "the tests of knowledge use the rest")]
mod brute;
mod busy;
mod desk;
mod exports;
mod eyes;
mod framed;
mod keyboard;
mod legible;
mod links;
#[path = "../server/place.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod place;
mod placing;
mod rules;
mod solutions;
mod true_marks;
mod undoing;
mod unsettled;
mod why;
