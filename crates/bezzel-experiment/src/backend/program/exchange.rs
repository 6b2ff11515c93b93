//! One run of a program: it reads all requests and prints all answers, within limits.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::registry::Command;
use bezzel_process::{Captured, Exit, SoftLimits, StopReason, SupervisedOutcome};

use super::answer::{self, EncoderAnswer};
use super::fault::{ProgramError, ProgramFault};
use super::request::{EncodeRequest, GREETING};
use crate::backend::supervised;
use crate::model::job::Limits;
use crate::model::permission::Permission;
use crate::model::quantity::memory;

/// The largest number of bytes on stdout, and on stderr.
pub const MAX_BYTES: u64 = 256 << 20;

/// The variables of the environment that a program inherits. Other values must be in its command line.
pub(crate) const ENVIRONMENT: [&str; 3] = ["PATH", "HOME", "LD_LIBRARY_PATH"];

/// The number that a shell adds to the signal that ended its command, to make an exit code of it.
const BY_SIGNAL: i32 = 128;

/// The signal of the CPU limit.
const XCPU: i32 = 24;

/// The messages of interpreters and libraries that are refused memory.
pub(crate) const REFUSALS: [&str; 6] = [
    "MemoryError",
    "bad_alloc",
    "memory allocation of",
    "Cannot allocate memory",
    "ut of memory",
    "Out of space",
];

/// Runs the program with these requests, and parses its answers.
pub(super) fn run(
    command: &Command,
    requests: &BTreeSet<EncodeRequest>,
    limits: &Limits,
    permission: &Permission,
) -> Result<BTreeMap<EncodeRequest, EncoderAnswer>, ProgramError> {
    let line =
        permission.permit(&command.line).map_err(|_| ProgramFault::NotPermitted.of(command))?;
    let input = input(requests);
    let program = supervised::SupervisedCommand {
        line,
        environment: &ENVIRONMENT,
        input: input.as_bytes(),
        limits: SoftLimits {
            cpu_s: limits.cpu_s,
            wall_s: limits.wall_s,
            memory_bytes: limits.memory_bytes,
        },
        output_bytes: MAX_BYTES,
    };
    let (account, stdout) = program.run().map_err(|error| ProgramFault::Run(error).of(command))?;
    if let Some(fault) = fault(&account, limits) {
        return Err(fault.of(command));
    }
    answer::read(&stdout, requests).map_err(|fault| fault.of(command))
}

/// Returns all requests, in the form that the program reads.
fn input(requests: &BTreeSet<EncodeRequest>) -> String {
    let mut stdin = format!("{GREETING}\n");
    for request in requests {
        stdin.push_str(&request.to_string());
        stdin.push('\n');
    }
    stdin
}

/// Returns the fault of its end, if there is one.
fn fault(account: &SupervisedOutcome, limits: &Limits) -> Option<ProgramFault> {
    let stderr = stderr_tail(&account.stderr);
    let stderr = if stderr.is_empty() { stderr } else { format!(": {stderr}") };
    let out_of_memory =
        |stderr| Some(ProgramFault::Memory { limit: memory(limits.memory_bytes.into()), stderr });
    match account.stopped {
        Some(StopReason::Output) => return Some(ProgramFault::Flood(memory(MAX_BYTES.into()))),
        Some(StopReason::Wall) => return Some(ProgramFault::Wall(limits.wall_s)),
        Some(StopReason::Cpu) => return Some(ProgramFault::Cpu(limits.cpu_s)),
        Some(StopReason::Memory) => return out_of_memory(stderr),
        Some(StopReason::Processes) => return Some(ProgramFault::Processes),
        Some(StopReason::Cancelled) | None => {}
    }
    let how = match account.exit {
        Exit::Code(code) if code == BY_SIGNAL + XCPU => {
            return Some(ProgramFault::Cpu(limits.cpu_s));
        }
        Exit::Code(0) => return None,
        Exit::Code(code) if (BY_SIGNAL + 1..BY_SIGNAL + 32).contains(&code) => {
            format!("with exit code {code}, as if by signal {}", code - BY_SIGNAL)
        }
        Exit::Code(code) => format!("with exit code {code}"),
        Exit::Signal(signal) => format!("by signal {signal}"),
    };
    if REFUSALS.iter().any(|refusal| stderr.contains(refusal)) {
        return out_of_memory(stderr);
    }
    Some(ProgramFault::Ended { how, stderr })
}

/// Returns the last lines of stderr, joined, without the characters that control a terminal.
pub(crate) fn stderr_tail(stderr: &Captured) -> String {
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
