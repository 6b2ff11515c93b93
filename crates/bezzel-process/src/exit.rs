//! Exits of programs.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

/// The exit of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// A normal exit, with this code.
    Code(i32),
    /// An end by this signal.
    Signal(i32),
}

impl Exit {
    /// Returns true if the signal is that of the CPU limit.
    pub fn is_cpu_limit(self) -> bool {
        self == Self::Signal(Signal::XCPU.as_raw())
    }

    pub(crate) fn from_status(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => unreachable!("a reaped process has left a code or died by a signal"),
        }
    }
}
