//! The page in a real browser: Chromium, without a window.
//!
//! Without `chromium` the tests are skipped and print a message; with `BEZZEL_REQUIRE_OUTSIDE` set, as in
//! `.ci/run`, they fail instead.

mod accessible;
mod busy;
mod desk;
mod exports;
mod first_screen;
mod framed;
mod keyboard;
mod legible;
mod links;
mod placing;
mod problems;
mod propagation;
mod rules;
mod solutions;
mod true_marks;
mod undoing;
mod unsettled;
mod why;
