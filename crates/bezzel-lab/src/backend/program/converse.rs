//! One run of a program: all requests in, all answers out, within limits.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::registry::Command;
use bezzel_external::{Account, Captured, Exit, SoftLimits, Stopped};

use super::answer::{self, Answer};
use super::fault::{Fault, ProgramError};
use super::request::{GREETING, Request};
use crate::backend::supervised;
use crate::model::job::Limits;
use crate::model::permission::Permission;
use crate::model::quantity::memory;

/// The most that a program may write to stdout, and to stderr.
pub const MOST_BYTES: u64 = 256 << 20;

/// What a program gets of the environment. Whatever else it needs stands in its command line.
pub(crate) const ENVIRONMENT: [&str; 3] = ["PATH", "HOME", "LD_LIBRARY_PATH"];

/// What a shell adds to the signal that ended its command, to make an exit code of it.
const BY_SIGNAL: i32 = 128;

/// The signal of the CPU limit.
const XCPU: i32 = 24;

/// What interpreters and libraries say when memory is refused to them.
pub(crate) const REFUSALS: [&str; 6] = [
    "MemoryError",
    "bad_alloc",
    "memory allocation of",
    "Cannot allocate memory",
    "ut of memory",
    "Out of space",
];

/// Runs the program, asks it all of this, and understands what it says.
pub(super) fn ask(
    command: &Command,
    requests: &BTreeSet<Request>,
    limits: &Limits,
    permission: &Permission,
) -> Result<BTreeMap<Request, Answer>, ProgramError> {
    let line = permission.permit(&command.line).map_err(|_| Fault::NotPermitted.of(command))?;
    let input = input(requests);
    let program = supervised::Command {
        line,
        environment: &ENVIRONMENT,
        input: input.as_bytes(),
        limits: SoftLimits {
            cpu_s: limits.cpu_s,
            wall_s: limits.wall_s,
            memory_bytes: limits.memory_bytes,
        },
        output_bytes: MOST_BYTES,
    };
    let (account, stdout) = program.run().map_err(|error| Fault::Run(error).of(command))?;
    if let Some(fault) = fault(&account, limits) {
        return Err(fault.of(command));
    }
    answer::read(&stdout, requests).map_err(|fault| fault.of(command))
}

/// All requests, as the program reads them.
fn input(requests: &BTreeSet<Request>) -> String {
    let mut stdin = format!("{GREETING}\n");
    for request in requests {
        stdin.push_str(&request.to_string());
        stdin.push('\n');
    }
    stdin
}

/// What is wrong with how it ended, if anything.
fn fault(account: &Account, limits: &Limits) -> Option<Fault> {
    let said = last_words(&account.stderr);
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let out_of_memory =
        |said| Some(Fault::Memory { limit: memory(limits.memory_bytes.into()), said });
    match account.stopped {
        Some(Stopped::Output) => return Some(Fault::Flood(memory(MOST_BYTES.into()))),
        Some(Stopped::Wall) => return Some(Fault::Wall(limits.wall_s)),
        Some(Stopped::Cpu) => return Some(Fault::Cpu(limits.cpu_s)),
        Some(Stopped::Memory) => return out_of_memory(said),
        Some(Stopped::Processes) => return Some(Fault::Processes),
        Some(Stopped::Cancelled) | None => {}
    }
    let how = match account.exit {
        Exit::Code(code) if code == BY_SIGNAL + XCPU => return Some(Fault::Cpu(limits.cpu_s)),
        Exit::Code(0) => return None,
        Exit::Code(code) if (BY_SIGNAL + 1..BY_SIGNAL + 32).contains(&code) => {
            format!("with exit code {code}, as if by signal {}", code - BY_SIGNAL)
        }
        Exit::Code(code) => format!("with exit code {code}"),
        Exit::Signal(signal) => format!("by signal {signal}"),
    };
    if REFUSALS.iter().any(|refusal| said.contains(refusal)) {
        return out_of_memory(said);
    }
    Some(Fault::Ended { how, said })
}

/// The last lines of stderr, in one, without what a terminal would obey.
pub(crate) fn last_words(stderr: &Captured) -> String {
    /// So many lines, each cut at so many characters.
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
