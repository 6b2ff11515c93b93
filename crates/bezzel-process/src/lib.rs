//! External processes: start, limits, measurement and end.
//!
//! This is the only crate that starts processes and sets limits; it runs on Linux. A job has two sides:
//!
//! - Outside, the runner starts a [`Program`], writes its input, reads its outputs, ends it at its wall limit, and
//!   returns an [`Outcome`] when none of its processes is left.
//! - Inside, a worker process first sets its [`HardLimits`](limits::set_hard_limits), which the kernel enforces.
//!   Then it arms a [`Watch`] for the soft limits, which are lower than the hard limits. When a soft limit is passed,
//!   the watch asks the worker to stop, so that the measurements until then are kept; a hard limit ends the process and
//!   loses them.
//!
//! A foreign program, which may start others, is run as a [`Supervised`] one instead. A small process between
//! runner and program sees all descendants, enforces limits on their sum, and returns a [`SupervisedOutcome`] when none is
//! left. A process that [adopts orphans](adopt_orphans) ends those of a killed supervisor:
//!
//! ```no_run
//! use bezzel_process::{SoftLimits, Supervised};
//!
//! let limits = SoftLimits { cpu_s: 60.0, wall_s: 120.0, memory_bytes: 2 << 30 };
//! let solver = Supervised::new("exec kissat formula.cnf", "/scratch", limits, "/scratch/answer");
//! let outcome = solver.run(None)?;
//! println!("{:?} after {} s, {:?}", outcome.exit, outcome.cpu_s, outcome.stopped);
//! # Ok::<(), bezzel_process::ExternalError>(())
//! ```
//!
//! A command that must end in time in each of its phases is run in a process of its own as [`CommandLimits`] say.
//!
//! If control groups are available ([`cgroup`]), a job is put into one, so that no process escapes.
//!
//! [`open_in_browser`] opens a page. Only the browser is started without supervision.
//!
//! A worker process measures its own memory (see [`usage`]): the peak of a reaped child that the kernel reports to
//! the parent includes memory of the parent.

mod capture;
pub mod cgroup;
mod cgroups;
pub mod cores;
mod error;
pub mod limited;
pub mod limits;
mod meter;
mod outcome;
pub mod program;
mod running;
pub mod supervised;
pub mod supervisor;
mod tree;
pub mod usage;

pub use capture::Captured;
pub use cgroup::{IsolationLevel, JobCgroup};
pub use cgroups::Cgroups;
pub use error::{Exit, ExternalError};
pub use limited::{CommandLimits, LimitedChild, LimitedOutcome, PhaseWriter};
pub use limits::{HardLimits, SoftLimit, SoftLimits, Watch};
pub use outcome::{EndCause, Outcome, StopReason, SupervisedOutcome, host_oom_kills};
pub use program::Program;
pub use running::{adopt_orphans, end_all, end_orphans, open_in_browser};
pub use supervised::Supervised;
