//! All integration tests of the crate, in one program.

#![expect(
    clippy::disallowed_methods,
    reason = "the crate that starts processes tests its own ways"
)]

mod processes;
mod supervised;
