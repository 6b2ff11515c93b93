//! The mark in the environment of a supervised process.
//!
//! It contains the supervisor's process number and the number of its run; the mark of a run within a run begins
//! with that of the outer one. A worker process detects by it that its supervisor has ended; the sweep finds by it
//! the processes that left the process group.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, getppid};

/// The environment variable that holds the mark.
pub(crate) const VARIABLE: &str = "BEZZEL_RUN";

/// The environment variable in which a supervisor keeps the mark of its program. The supervisor ends by itself,
/// after the program.
pub(crate) const SUPERVISES: &str = "BEZZEL_SUPERVISES";

/// Returns a new mark: that of this process, if it has one, and a slash; then the number of this process, a dot,
/// and the number of the run.
pub(crate) fn next() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let outer = std::env::var(VARIABLE).map(|mark| mark + "/").unwrap_or_default();
    format!("{outer}{}.{}", process::id(), RUNS.fetch_add(1, Ordering::Relaxed))
}

/// Returns true if this process carries the mark of a supervisor that is no longer its parent.
pub(crate) fn orphaned() -> bool {
    let mark = std::env::var(VARIABLE).ok();
    mark.is_some_and(|mark| supervisor(&mark) != getppid())
}

/// Returns the supervisor that a mark names.
fn supervisor(mark: &str) -> Option<Pid> {
    let (_, own) = mark.rsplit_once('/').unwrap_or(("", mark));
    Pid::from_raw(own.split_once('.')?.0.parse().ok()?)
}

/// Returns true if an entry of a process's environment marks it as part of the run with this mark.
pub(crate) fn marks(entry: &[u8], mark: &str) -> bool {
    holds(entry, VARIABLE, mark)
}

/// Returns true if an entry of a process's environment marks it as the supervisor of a run with this mark, or of
/// one within.
pub(crate) fn supervises(entry: &[u8], mark: &str) -> bool {
    holds(entry, SUPERVISES, mark)
}

fn holds(entry: &[u8], variable: &str, mark: &str) -> bool {
    let held = entry.strip_prefix(variable.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
    let inner = held.and_then(|held| held.strip_prefix(mark.as_bytes()));
    inner.is_some_and(|inner| matches!(inner.first(), None | Some(b'/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ_and_name_their_supervisor() {
        let (first, second) = (next(), next());
        assert_ne!(first, second);
        assert_eq!(supervisor(&first), Some(rustix::process::getpid()));
        assert_eq!(supervisor(&second), supervisor(&first));
        assert_eq!(supervisor("12.0/34.5"), Pid::from_raw(34));
        assert_eq!(supervisor("garbage"), None);
    }

    #[test]
    fn a_mark_covers_the_run_and_the_runs_within_it() {
        assert!(marks(b"BEZZEL_RUN=12.3", "12.3"));
        assert!(marks(b"BEZZEL_RUN=12.3/45.6", "12.3"));
        assert!(!marks(b"BEZZEL_RUN=12.34", "12.3"));
        assert!(!marks(b"BEZZEL_RUN=12.3", "12.3/45.6"));
        assert!(!marks(b"OTHER=12.3", "12.3"));
    }
}
