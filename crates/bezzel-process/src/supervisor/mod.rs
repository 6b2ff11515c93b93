//! The supervisor: a small process that runs one external program.
//!
//! It reads one line from its standard input and answers by one line on its standard output. In between, its input
//! stays open. The end of the input means that the caller has ended or does not want the answer any more; the
//! supervisor then kills all processes. The signal at a parent's end would be worse: it could only kill the
//! supervisor.
//!
//! It starts itself once more to set the limits and execute the program, so that no part of the program ever runs
//! outside of them.

mod enter;
mod meter;
mod run_supervised;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::outcome::SupervisedOutcome;
use crate::watch::SoftLimits;

/// The request to a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) command: String,
    // File names need not be text.
    pub(crate) directory: OsString,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) limits: SoftLimits,
    pub(crate) output: OsString,
    pub(crate) output_bytes: u64,
    pub(crate) error_bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) keep_bytes: usize,
    pub(crate) processes: usize,
    pub(crate) cgroup: Option<OsString>,
    pub(crate) grace: Duration,
}

/// The answer of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Report {
    /// The program ran and ended.
    Ended(SupervisedOutcome),
    /// It could not be run or watched, and none of its processes is left.
    Failed(String),
}

/// Implements the hidden command `supervise`: reads a request of [`Supervised::run`](crate::Supervised::run), and
/// answers it on `out`, which is the standard output. With `enter`, which the supervisor uses itself, executes the
/// program instead. No part of the standard input may have been read before.
///
/// # Errors
///
/// The input is no request, the answer cannot be written, or the program cannot be started.
pub fn serve(enter: bool, out: &mut dyn Write) -> io::Result<()> {
    if enter {
        return enter::enter();
    }
    let mut line = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut line)?;
    let request: Request = serde_json::from_slice(&line)?;
    let report = run_supervised::run(&request).map_or_else(Report::Failed, Report::Ended);
    let mut answer = serde_json::to_vec(&report)?;
    answer.push(b'\n');
    out.write_all(&answer)?;
    out.flush()
}
