//! The outcome of a program: its use of resources, and the cause of its end: the program itself, a limit of ours, or
//! another process.
//!
//! A job that another process ended gives no information on its encoding or solver, and is run again. The decision
//! uses evidence beyond exit codes: a limit that was passed, the kernel's count of out-of-memory kills in the job's
//! control group, and that of the whole machine.

use std::fmt;
use std::fs;

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::capture::Captured;
use crate::error::Exit;
use crate::limits::SoftLimits;

/// The result of a run of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The exit of the program.
    pub exit: Exit,
    /// The reason why the supervisor ended it, if it did. A program that is asked to end may still exit by itself,
    /// with any code.
    pub killed_by: Option<StopReason>,
    /// CPU time as the kernel counted it, in seconds: of the program and of those descendants that it waited for.
    pub cpu_s: f64,
    /// Wall time from before its start to its end, in seconds.
    pub wall_s: f64,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
}

/// The reason why the supervisor ended a program and all processes that it had started, or would have ended them.
///
/// A limit that is passed between two measurements, or just before the program's end, counts as passed: an answer
/// that comes after a limit is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// CPU time of all its processes together.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory of all its processes together.
    Memory,
    /// Output: more bytes on standard output or standard error than allowed.
    Output,
    /// Processes: more at a time than allowed.
    Processes,
    /// The run was cancelled, or the process that requested it ended.
    Cancelled,
}

/// The resources that a program and all processes that it started used, and how the program ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SupervisedOutcome {
    /// The exit of the program. If a signal *n* ended a program that a shell waits for, the shell exits with the
    /// code 128 + *n*.
    pub exit: Exit,
    /// The reason why the supervisor ended it, if it did. A program that is asked to end may still exit by itself,
    /// with any code.
    pub stopped: Option<StopReason>,
    /// CPU time of all its processes in seconds, as the kernel accounts for reaped processes; none is left when the
    /// outcome is written. If a parent ignores `CHLD`, no process waits for its children. Their CPU time then
    /// contains only the part that was measured while they lived, unless the program ran in a control group.
    pub cpu_s: f64,
    /// Wall time in seconds, from the program's beginning to its end.
    pub wall_s: f64,
    /// The largest sum of memory of all its processes in bytes, measured every 10 ms; or the peak of the largest
    /// process by the kernel's account, if that is more. In a control group with the memory controller that reports
    /// a peak, that peak.
    ///
    /// Pages that several processes share are counted for each of them, but not for the limit. A program that ended
    /// before the first measurement may have had less memory than this value; the value is then below the
    /// supervisor's own memory, some megabytes.
    pub memory_peak_bytes: u64,
    /// The number of bytes that it wrote to its standard output.
    pub output_bytes: u64,
    /// The last part of its standard error.
    pub stderr: Captured,
    /// The largest number of processes that was seen at a time.
    pub processes: usize,
    /// The number of its processes that the kernel killed because its control group was out of memory; `None`
    /// without a control group that reports it.
    pub oom_kills: Option<u64>,
    /// The number of processes on the whole machine that the kernel killed meanwhile because memory was out, its
    /// own included.
    pub host_oom_kills: u64,
}

/// The cause of a process's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndCause {
    /// The process exited by itself, with a code.
    Exited,
    /// A signal of its own making: a fault, an abort.
    Fault,
    /// A limit of ours, enforced by us or by the kernel.
    Limit(StopReason),
    /// The process wrote a file larger than allowed.
    FileSize,
    /// A process outside this project.
    Host {
        /// True if the kernel killed a process meanwhile because the machine, or a group of processes that this
        /// program is part of, was out of memory.
        out_of_memory: bool,
    },
}

impl fmt::Display for EndCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exited => "it exited",
            Self::Fault => "it crashed",
            Self::Limit(StopReason::Cpu) => "ended at the CPU limit",
            Self::Limit(StopReason::Wall) => "ended at the wall limit",
            Self::Limit(StopReason::Memory) => "ended at the memory limit",
            Self::Limit(StopReason::Output) => "ended at the limit of its output",
            Self::Limit(StopReason::Processes) => "ended at the limit of processes",
            Self::Limit(StopReason::Cancelled) => "cancelled",
            Self::FileSize => "it wrote a file above the size limit",
            Self::Host { out_of_memory: false } => "killed from outside",
            Self::Host { out_of_memory: true } => {
                "killed by the kernel, since the machine or the group that this program runs in \
                 was out of memory"
            }
        })
    }
}

impl SupervisedOutcome {
    /// Returns the cause of the end of the program, which ran within `limits`.
    pub fn end_cause(&self, limits: &SoftLimits) -> EndCause {
        let limit = self.stopped.map(EndCause::Limit);
        limit.unwrap_or_else(|| {
            end_cause(self.exit, self.cpu_s, limits, self.oom_kills, self.host_oom_kills)
        })
    }
}

impl Outcome {
    /// Returns the cause of the end of the program, which ran within `limits`. `oom_kills` is the number of
    /// out-of-memory kills in its control group, if it had one that reports it, and `host_oom_kills` the number on
    /// the whole machine since it began (see [`host_oom_kills`]).
    pub fn end_cause(
        &self,
        limits: &SoftLimits,
        oom_kills: Option<u64>,
        host_oom_kills: u64,
    ) -> EndCause {
        let by_us = self.killed_by.map(EndCause::Limit);
        by_us.unwrap_or_else(|| end_cause(self.exit, self.cpu_s, limits, oom_kills, host_oom_kills))
    }
}

/// Returns the cause of the end of a program that we did not end.
fn end_cause(
    exit: Exit,
    cpu_s: f64,
    limits: &SoftLimits,
    oom_kills: Option<u64>,
    host_oom_kills: u64,
) -> EndCause {
    // A shell encodes the signal that ended its child in its exit code.
    let signal = match exit {
        Exit::Code(code) if code <= 128 => return EndCause::Exited,
        Exit::Code(code) => code - 128,
        Exit::Signal(signal) => signal,
    };
    let is = |one: Signal| signal == one.as_raw();
    let from_without = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT];
    let faults = [Signal::SEGV, Signal::ABORT, Signal::ILL, Signal::BUS, Signal::FPE, Signal::SYS];
    if is(Signal::KILL) && oom_kills.is_some_and(|killed| killed > 0) {
        EndCause::Limit(StopReason::Memory)
    } else if is(Signal::XCPU) || (is(Signal::KILL) && cpu_s >= limits.cpu_s) {
        // The kernel kills a process that continues after XCPU.
        EndCause::Limit(StopReason::Cpu)
    } else if is(Signal::XFSZ) {
        EndCause::FileSize
    } else if from_without.into_iter().any(is) {
        EndCause::Host { out_of_memory: is(Signal::KILL) && host_oom_kills > 0 }
    } else if matches!(exit, Exit::Signal(_)) || faults.into_iter().any(is) {
        EndCause::Fault
    } else {
        // A code above 128 that does not come from a shell.
        EndCause::Exited
    }
}

/// Returns the number of out-of-memory kills by the kernel of this machine since boot; 0 if it does not report it.
/// The difference of two readings is the number in between.
pub fn host_oom_kills() -> u64 {
    let text = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
    count.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: SoftLimits = SoftLimits { cpu_s: 10.0, wall_s: 20.0, memory_bytes: 1 << 30 };

    fn of(exit: Exit, cpu_s: f64, oom_kills: Option<u64>, host_oom_kills: u64) -> EndCause {
        end_cause(exit, cpu_s, &LIMITS, oom_kills, host_oom_kills)
    }

    #[test]
    fn a_kill_far_from_all_limits_came_from_outside() {
        for exit in [Exit::Signal(9), Exit::Code(137), Exit::Signal(15), Exit::Code(143)] {
            assert_eq!(of(exit, 1.0, None, 0), EndCause::Host { out_of_memory: false });
            assert_eq!(of(exit, 1.0, Some(0), 0), EndCause::Host { out_of_memory: false });
        }
        assert_eq!(of(Exit::Signal(9), 1.0, Some(0), 1), EndCause::Host { out_of_memory: true });
        assert_eq!(of(Exit::Signal(9), 1.0, None, 1), EndCause::Host { out_of_memory: true });
    }

    #[test]
    fn a_limit_that_the_kernel_enforced_is_reported_as_that_limit() {
        for exit in [Exit::Signal(9), Exit::Code(137)] {
            assert_eq!(of(exit, 1.0, Some(1), 1), EndCause::Limit(StopReason::Memory));
            assert_eq!(of(exit, 11.0, Some(0), 0), EndCause::Limit(StopReason::Cpu));
        }
        assert_eq!(of(Exit::Signal(24), 1.0, None, 0), EndCause::Limit(StopReason::Cpu));
        assert_eq!(of(Exit::Code(152), 1.0, None, 0), EndCause::Limit(StopReason::Cpu));
        assert_eq!(of(Exit::Signal(25), 1.0, None, 0), EndCause::FileSize);
    }

    #[test]
    fn faults_are_its_own_and_codes_are_nobodys() {
        for exit in
            [4, 6, 7, 8, 11].into_iter().flat_map(|n| [Exit::Signal(n), Exit::Code(128 + n)])
        {
            assert_eq!(of(exit, 1.0, Some(0), 3), EndCause::Fault, "{exit:?}");
        }
        for code in [0, 1, 10, 20, 77, 127, 128, 255] {
            assert_eq!(of(Exit::Code(code), 11.0, Some(1), 1), EndCause::Exited, "{code}");
        }
    }
}
