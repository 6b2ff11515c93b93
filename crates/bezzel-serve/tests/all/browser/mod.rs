//! The board in the hands of a real browser: Chromium, without a window.
//!
//! Skipped where `chromium` is not installed, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

mod accessible;
mod busy;
mod desk;
mod exports;
mod eyes;
mod framed;
mod keyboard;
mod legible;
mod links;
mod placing;
mod rules;
mod solutions;
mod true_marks;
mod undoing;
mod unsettled;
mod why;
