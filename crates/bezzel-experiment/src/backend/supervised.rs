//! External command lines whose output is read as a whole: encoders and version commands.
//!
//! They run under the supervisor, as solvers do, so the limits include every process that they start, and no process
//! is left when they have ended. Their input and output are files in memory. These files are removed when this
//! process ends, in any way.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::{env, process};

use bezzel_process::{
    Captured, EndCause, Exit, ExternalError, SoftLimits, StopReason, Supervised, SupervisedOutcome,
};
use bezzel_solve::{SolverError, SolverErrorKind};
use rustix::fs::{MemfdFlags, memfd_create};

use crate::model::permission::Permitted;
use crate::model::quantity::memory;

/// A command line with its input and its limits.
pub(crate) struct SupervisedCommand<'a> {
    /// The line, for `/bin/sh`.
    pub(crate) line: Permitted<'a>,
    /// The names of the variables that it inherits from this process's environment.
    pub(crate) environment: &'a [&'a str],
    /// Its standard input.
    pub(crate) input: &'a [u8],
    /// The limits of the command line and all processes that it starts, together.
    pub(crate) limits: SoftLimits,
    /// The largest number of bytes on its standard output, and on its standard error.
    pub(crate) output_bytes: u64,
}

impl SupervisedCommand<'_> {
    /// Runs the line to its end. Returns its resource usage and its standard output when no process of it is left.
    pub(crate) fn run(&self) -> Result<(SupervisedOutcome, Vec<u8>), ExternalError> {
        let failed = |reason| ExternalError::Start { program: self.line.text().to_owned(), reason };
        let mut input = in_memory().map_err(failed)?;
        input.write_all(self.input).map_err(failed)?;
        let mut output = in_memory().map_err(failed)?;
        let given = |name: &&str| Some((OsString::from(*name), env::var_os(name)?));
        let line = format!("exec < {}\n{}", path_of(&input).display(), self.line.text());
        let directory = env::current_dir().map_err(failed)?;
        let account = Supervised {
            supervisor: supervisor(),
            environment: self.environment.iter().filter_map(given).collect(),
            output_bytes: self.output_bytes,
            error_bytes: self.output_bytes,
            ..self.line.supervised(line, directory, self.limits, path_of(&output))
        }
        .run(None)?;
        let mut stdout = Vec::new();
        output.rewind().and_then(|()| output.read_to_end(&mut stdout)).map_err(failed)?;
        Ok((account, stdout))
    }
}

fn in_memory() -> io::Result<File> {
    Ok(memfd_create("bezzel", MemfdFlags::CLOEXEC)?.into())
}

/// A name by which other processes open the file from its beginning.
fn path_of(file: &File) -> PathBuf {
    format!("/proc/{}/fd/{}", process::id(), file.as_raw_fd()).into()
}

/// The messages of interpreters and libraries that are refused memory, in small letters.
const REFUSALS: [&str; 7] = [
    "memoryerror",
    "bad_alloc",
    "memory allocation of",
    "cannot allocate memory",
    "out of memory",
    "out of space",
    "out-of-memory",
];

/// Returns the exit code of a program that came to its end within these limits, if it is accepted. Returns the reason of
/// its stop if not, in a note that names the program `who`; `Err(None)` if the job was cancelled.
pub(crate) fn exit_code(
    who: &str,
    account: &SupervisedOutcome,
    limits: &SoftLimits,
    file_bytes: u64,
    is_accepted: impl Fn(i32) -> bool,
) -> Result<i32, Option<SolverError>> {
    let killer = account.end_cause(limits);
    let (kind, note) = match killer {
        EndCause::Exited | EndCause::Fault => match account.exit {
            Exit::Code(code) if is_accepted(code) => return Ok(code),
            exit => by_itself(exit, &stderr_tail(&account.stderr)),
        },
        EndCause::Limit(StopReason::Cancelled) => return Err(None),
        EndCause::Limit(StopReason::Cpu) => (SolverErrorKind::Cpu, "was out of CPU time".into()),
        EndCause::Limit(StopReason::Wall) => (SolverErrorKind::Wall, "was out of wall time".into()),
        EndCause::Limit(StopReason::Memory) => {
            (SolverErrorKind::Memory, "was out of memory".into())
        }
        EndCause::Limit(StopReason::Output) => {
            (SolverErrorKind::Fault, "wrote more than an answer may have, and was killed".into())
        }
        EndCause::Limit(StopReason::Processes) => {
            (SolverErrorKind::Fault, "started too many processes, and was killed".into())
        }
        EndCause::FileSize => {
            let max = memory(file_bytes.into());
            (SolverErrorKind::Fault, format!("wrote a file of more than {max}, and was killed"))
        }
        EndCause::Host { .. } => (SolverErrorKind::Host, format!("was {killer}")),
    };
    Err(Some(SolverError { kind, note: format!("the {who} {note}") }))
}

/// Returns the failure of a program that ended by a signal or with a code that is not accepted.
fn by_itself(exit: Exit, stderr: &str) -> (SolverErrorKind, String) {
    let lower = stderr.to_lowercase();
    if REFUSALS.iter().any(|refusal| lower.contains(refusal)) {
        return (SolverErrorKind::Memory, format!("was refused memory: {stderr}"));
    }
    let how = match exit {
        Exit::Signal(signal) => format!("by signal {signal}"),
        Exit::Code(127) => "with exit code 127, which shells use if a program is not found".into(),
        Exit::Code(code) if (129..=192).contains(&code) => {
            format!("with exit code {code}, as if by signal {}", code - 128)
        }
        Exit::Code(code) => format!("with exit code {code}"),
    };
    let colon = if stderr.is_empty() { "" } else { ": " };
    (SolverErrorKind::Fault, format!("ended {how}{colon}{stderr}"))
}

/// Returns the last lines of stderr, joined, without the characters that control a terminal.
fn stderr_tail(stderr: &Captured) -> String {
    /// The number of lines, and the number of characters of each.
    const LINES: usize = 3;
    const WIDTH: usize = 200;
    let tail = &stderr.tail[stderr.tail.len().saturating_sub(1 << 16)..];
    let text = String::from_utf8_lossy(tail);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).rev().take(LINES);
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut lines: Vec<String> =
        lines.map(|line| line.chars().take(WIDTH).map(clean).collect()).collect();
    lines.reverse();
    lines.join(" / ")
}

/// Returns the path of the supervisor: this program.
#[cfg(not(test))]
fn supervisor() -> PathBuf {
    "/proc/self/exe".into()
}

/// Returns the path of an example program, since the tests of this crate cannot supervise.
#[cfg(test)]
fn supervisor() -> PathBuf {
    let test = env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/supervisor");
    assert!(path.exists(), "build the examples first: cargo build -p bezzel-experiment --examples");
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::permission::Permission;

    const AMPLE: SoftLimits = SoftLimits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30 };

    #[test]
    fn a_command_line_reads_its_input_and_its_output_is_kept() {
        let input: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        let command = SupervisedCommand {
            line: Permission::everything().permit("cat; echo words >&2").unwrap(),
            environment: &["PATH"],
            input: &input,
            limits: AMPLE,
            output_bytes: 1 << 20,
        };
        let (account, stdout) = command.run().unwrap();
        assert!(stdout == input);
        assert_eq!(account.stderr.text(), "words\n");
        assert_eq!(account.stopped, None);
    }
}
