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
//! A program of somebody else's, which may start others, is run as a [`Supervised`] one instead: by a
//! small process between, which sees all its descendants, keeps limits for all of them together, and
//! has an [`Account`] when none is left:
//!
//! ```no_run
//! use bezzel_external::{SoftLimits, Supervised};
//!
//! let limits = SoftLimits { cpu_s: 60.0, wall_s: 120.0, memory_bytes: 2 << 30 };
//! let solver = Supervised::new("exec kissat formula.cnf", "/scratch", limits, "/scratch/answer");
//! let account = solver.run(None)?;
//! println!("{:?} after {} s, {:?}", account.exit, account.cpu_s, account.stopped);
//! # Ok::<(), bezzel_external::ExternalError>(())
//! ```
//!
//! Where control groups can be had ([`cgroup`]), a job is put into one, so that nothing escapes.
//!
//! A [`browser`] is shown a page; that is all that is ever started for its own sake.
//!
//! A worker measures its own memory (see [`usage`]): what the kernel tells the parent about a
//! reaped child's peak includes memory of the parent.

mod account;
pub mod blame;
pub mod browser;
mod capture;
pub mod cgroup;
pub mod cores;
mod error;
mod exit;
pub mod limits;
mod marker;
mod process;
pub mod program;
mod running;
pub mod supervised;
pub mod supervisor;
mod sweep;
pub mod usage;
pub mod watch;

pub use account::{Account, Stopped};
pub use blame::Killer;
pub use capture::Captured;
pub use cgroup::{Cgroups, JobCgroup, Level};
pub use error::ExternalError;
pub use exit::Exit;
pub use limits::Fences;
pub use program::{Cause, Outcome, Program};
pub use running::end_all;
pub use supervised::Supervised;
pub use watch::{Limit, SoftLimits, Watch};
