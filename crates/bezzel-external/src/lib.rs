//! Other processes: starting, limiting, measuring and ending them.
//!
//! The only crate that starts processes and sets limits; it runs on Linux. A job has two sides:
//!
//! - Without, the runner starts a [`Program`], feeds it, drains it, ends it at its wall limit, and
//!   has an [`Outcome`] when nothing of it is left.
//! - Within, a worker first [enters](limits::enter) its [`Fences`], which the kernel enforces, then
//!   arms a [`Watch`] for the soft limits, which lie inside the fences. When a soft limit is
//!   passed, the watch asks the worker to stop, so that what was measured until then is kept; a
//!   fence ends the process and loses it.
//!
//! A worker measures its own memory (see [`usage`]): what the kernel tells the parent about a
//! reaped child's peak includes memory of the parent.

mod capture;
mod error;
pub mod limits;
mod marker;
mod running;
mod shell;
pub mod supervise;
mod sweep;
pub mod usage;
pub mod watch;

pub use capture::Captured;
pub use error::ExternalError;
pub use limits::Fences;
pub use running::end_all;
pub use supervise::{Cause, Exit, Outcome, Program};
pub use watch::{Limit, SoftLimits, Watch};
