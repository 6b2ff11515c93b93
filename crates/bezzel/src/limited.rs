//! Commands within limits. The work is done by a child process, which this process ends at a limit in every phase.

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bezzel_experiment::quantity::{duration, memory};
use bezzel_process::{CommandLimits, Exit, LimitedOutcome, StopReason};

use crate::failure::Failure;
use crate::phase::{self, Phase};

/// The number of the signal by which a program aborts.
const ABORT: i32 = 6;

/// The limits of a command, with the options that raise them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) memory_bytes: u64,
    /// The memory that the process may take beside, where the command counts the rest itself.
    pub(crate) own_bytes: u64,
    /// The time limit by the clock and its option; none if there is no limit.
    pub(crate) wall: Option<(Duration, &'static str)>,
}

/// The limits of this command, in the process that does the work.
static LIMITS: OnceLock<(Limits, Instant)> = OnceLock::new();

/// Sets the limits that messages name, and the hard limit of memory.
pub(crate) fn enter(limits: Limits) -> Result<(), Failure> {
    // A process runs one command.
    let _ = LIMITS.set((limits, Instant::now()));
    let memory_bytes = limits.memory_bytes.saturating_add(limits.own_bytes);
    bezzel_process::limited::set_hard_memory_limit(memory_bytes).map_err(Failure::work)
}

/// The time until the time limit of this command, if it has one.
pub(crate) fn time_left() -> Option<Duration> {
    let (limits, start) = LIMITS.get()?;
    limits.wall.map(|(wall, _)| wall.saturating_sub(start.elapsed()))
}

/// Runs the command of these words in a child process, and returns its exit code.
pub(crate) fn run(limits: Limits, words: &[OsString]) -> Result<ExitCode, Failure> {
    static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
    let count = || {
        INTERRUPTS.fetch_add(1, Ordering::Relaxed);
    };
    ctrlc::set_handler(count).map_err(Failure::work)?;
    let memory_bytes = limits.memory_bytes.saturating_add(limits.own_bytes);
    let limited = CommandLimits {
        wall: limits.wall.map(|(wall, _)| wall),
        memory_bytes,
        stop_in: env::var(phase::STOP_IN).ok(),
    };
    let outcome = limited.run(words, &INTERRUPTS).map_err(Failure::work)?;
    match outcome {
        LimitedOutcome { exit: Exit::Code(code), .. } => {
            Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
        }
        LimitedOutcome { exit: Exit::Signal(_), stopped: Some(reason), phase } => {
            Err(message(limits, reason, &phase, ""))
        }
        // The program aborts when it gets no memory.
        LimitedOutcome { exit: Exit::Signal(ABORT), stopped: None, phase } => {
            Err(message(limits, StopReason::Memory, &phase, ""))
        }
        LimitedOutcome { exit: Exit::Signal(signal), stopped: None, phase } => {
            Err(Failure::Work(format!(
                "the command was ended by signal {signal} while {phase}: another process ended it, or it needed \
                 more memory than there is"
            )))
        }
    }
}

/// The failure of this command when it stops for this reason in its present phase. `so_far` is added to the message.
pub(crate) fn stopped(reason: StopReason, so_far: &str) -> Failure {
    stopped_while(phase::now(), reason, so_far)
}

/// The same for another phase.
pub(crate) fn stopped_while(phase: Phase, reason: StopReason, so_far: &str) -> Failure {
    let none = Limits { memory_bytes: u64::MAX, own_bytes: 0, wall: None };
    message(LIMITS.get().map_or(none, |(limits, _)| *limits), reason, phase.id(), so_far)
}

fn message(limits: Limits, reason: StopReason, phase: &str, so_far: &str) -> Failure {
    match (reason, limits.wall) {
        (StopReason::Wall | StopReason::Cpu, Some((wall, option))) => Failure::Spent(format!(
            "it took longer than {} while {phase}: `{option}` allows more{so_far}",
            duration(wall.as_secs_f64())
        )),
        (StopReason::Memory, _) => Failure::Spent(format!(
            "more than {} of memory would be needed while {phase}: `--memory` allows more{so_far}",
            memory(limits.memory_bytes.into())
        )),
        _ => Failure::Interrupted(format!("stopped while {phase}{so_far}")),
    }
}
