//! The supervisor: what a small process of its own does for one program of somebody else's.
//!
//! It is asked by one line on its standard input and answers by one on its standard output. In
//! between its input stays open; when it ends, whoever asked has ended or does not want the answer
//! any more, and the supervisor kills everything. That is better than the signal at a parent's
//! end, which could only kill the supervisor.
//!
//! It starts itself once more to enter the limits and become the program, so that nothing of
//! the program ever ran outside of them.

mod enter;
mod look;
mod tree;
mod within;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::watch::SoftLimits;

/// What is asked of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) mark: String,
    pub(crate) command: String,
    // Names of files need not be text.
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

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Report {
    /// The program ran and ended.
    Ended(Account),
    /// It could not be run or watched, and nothing of it is left.
    Failed(String),
}

/// Does what the hidden verb `supervise` is there for: reads a request of
/// [`Supervised::run`](crate::Supervised::run), and answers it on `out`, which is the standard
/// output. With `enter`, becomes the program instead, as the supervisor asks itself to. Nothing of
/// the standard input may have been read before.
///
/// # Errors
///
/// When what is read is no request, nobody listens, or the program cannot be begun.
pub fn serve(enter: bool, out: &mut dyn Write) -> io::Result<()> {
    if enter {
        return enter::enter();
    }
    let mut line = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut line)?;
    let request: Request = serde_json::from_slice(&line)?;
    let report = within::run(&request).map_or_else(Report::Failed, Report::Ended);
    let mut answer = serde_json::to_vec(&report)?;
    answer.push(b'\n');
    out.write_all(&answer)?;
    out.flush()
}
