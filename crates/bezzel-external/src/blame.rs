//! Who ended a process: itself, a limit of ours, or somebody else.
//!
//! A job that somebody else ended says nothing of its encoding or solver, and is run again. So that
//! is decided by evidence, and not by exit codes alone: a limit that was passed, the kernel's count
//! of whom it killed for want of memory in the job's control group, and that of the whole machine.

use std::fmt;
use std::fs;

use rustix::process::Signal;

use crate::account::{Account, Stopped};
use crate::exit::Exit;
use crate::program::{Cause, Outcome};
use crate::watch::SoftLimits;

/// Who ended a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Killer {
    /// It ended by itself, with a code.
    Nobody,
    /// It died of a signal that is of its own making: a fault, an abort.
    Itself,
    /// A limit of ours, kept by us or by the kernel.
    Limit(Stopped),
    /// It wrote a file larger than it may.
    FileSize,
    /// Somebody who has nothing to do with us.
    Host {
        /// Whether the kernel killed somebody meanwhile since the machine, or a group of processes
        /// that this program is part of, was out of memory.
        out_of_memory: bool,
    },
}

impl fmt::Display for Killer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "it ended by itself",
            Self::Itself => "it died of a fault of its own",
            Self::Limit(Stopped::Cpu) => "ended at the CPU limit",
            Self::Limit(Stopped::Wall) => "ended at the wall limit",
            Self::Limit(Stopped::Memory) => "ended at the memory limit",
            Self::Limit(Stopped::Output) => "ended at the limit of its output",
            Self::Limit(Stopped::Processes) => "ended at the limit of processes",
            Self::Limit(Stopped::Cancelled) => "cancelled",
            Self::FileSize => "it wrote a file larger than it may",
            Self::Host { out_of_memory: false } => "killed by somebody else",
            Self::Host { out_of_memory: true } => {
                "killed by the kernel, since the machine or the group that this program runs in \
                 was out of memory"
            }
        })
    }
}

impl Account {
    /// Who ended the program, which ran within `limits`.
    pub fn killer(&self, limits: &SoftLimits) -> Killer {
        let limit = self.stopped.map(Killer::Limit);
        limit.unwrap_or_else(|| {
            killer(self.exit, self.cpu_s, limits, self.oom_kills, self.host_oom_kills)
        })
    }
}

impl Outcome {
    /// Who ended the program, which ran within `limits`. `oom_kills` is how many processes were
    /// killed in its control group for want of memory, if it had one that tells, and
    /// `host_oom_kills` how many on the whole machine since it began (see [`host_oom_kills`]).
    pub fn killer(
        &self,
        limits: &SoftLimits,
        oom_kills: Option<u64>,
        host_oom_kills: u64,
    ) -> Killer {
        match self.killed_by {
            Some(Cause::Wall) => Killer::Limit(Stopped::Wall),
            Some(Cause::Cancelled) => Killer::Limit(Stopped::Cancelled),
            Some(Cause::Output) => Killer::Limit(Stopped::Output),
            None => killer(self.exit, self.cpu_s, limits, oom_kills, host_oom_kills),
        }
    }
}

/// Who ended a program that we did not end.
fn killer(
    exit: Exit,
    cpu_s: f64,
    limits: &SoftLimits,
    oom_kills: Option<u64>,
    host_oom_kills: u64,
) -> Killer {
    // A shell tells the signal that ended what it waited for in its code.
    let signal = match exit {
        Exit::Code(code) if code <= 128 => return Killer::Nobody,
        Exit::Code(code) => code - 128,
        Exit::Signal(signal) => signal,
    };
    let is = |one: Signal| signal == one.as_raw();
    let from_without = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT];
    let faults = [Signal::SEGV, Signal::ABORT, Signal::ILL, Signal::BUS, Signal::FPE, Signal::SYS];
    if is(Signal::KILL) && oom_kills.is_some_and(|killed| killed > 0) {
        Killer::Limit(Stopped::Memory)
    } else if is(Signal::XCPU) || (is(Signal::KILL) && cpu_s >= limits.cpu_s) {
        // The kernel kills who goes on after XCPU.
        Killer::Limit(Stopped::Cpu)
    } else if is(Signal::XFSZ) {
        Killer::FileSize
    } else if from_without.into_iter().any(is) {
        Killer::Host { out_of_memory: is(Signal::KILL) && host_oom_kills > 0 }
    } else if matches!(exit, Exit::Signal(_)) || faults.into_iter().any(is) {
        Killer::Itself
    } else {
        // A code that only looks like a shell's.
        Killer::Nobody
    }
}

/// How many processes the kernel of this machine has killed since it began, since memory was out;
/// 0 where it does not tell. The difference of two readings tells of the time between.
pub fn host_oom_kills() -> u64 {
    let text = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
    count.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: SoftLimits = SoftLimits { cpu_s: 10.0, wall_s: 20.0, memory_bytes: 1 << 30 };

    fn of(exit: Exit, cpu_s: f64, oom_kills: Option<u64>, host_oom_kills: u64) -> Killer {
        killer(exit, cpu_s, &LIMITS, oom_kills, host_oom_kills)
    }

    #[test]
    fn killed_far_from_all_limits_is_somebody_elses_doing() {
        for exit in [Exit::Signal(9), Exit::Code(137), Exit::Signal(15), Exit::Code(143)] {
            assert_eq!(of(exit, 1.0, None, 0), Killer::Host { out_of_memory: false });
            assert_eq!(of(exit, 1.0, Some(0), 0), Killer::Host { out_of_memory: false });
        }
        assert_eq!(of(Exit::Signal(9), 1.0, Some(0), 1), Killer::Host { out_of_memory: true });
        assert_eq!(of(Exit::Signal(9), 1.0, None, 1), Killer::Host { out_of_memory: true });
    }

    #[test]
    fn a_limit_that_the_kernel_kept_is_told_as_that_limit() {
        for exit in [Exit::Signal(9), Exit::Code(137)] {
            assert_eq!(of(exit, 1.0, Some(1), 1), Killer::Limit(Stopped::Memory));
            assert_eq!(of(exit, 11.0, Some(0), 0), Killer::Limit(Stopped::Cpu));
        }
        assert_eq!(of(Exit::Signal(24), 1.0, None, 0), Killer::Limit(Stopped::Cpu));
        assert_eq!(of(Exit::Code(152), 1.0, None, 0), Killer::Limit(Stopped::Cpu));
        assert_eq!(of(Exit::Signal(25), 1.0, None, 0), Killer::FileSize);
    }

    #[test]
    fn faults_are_its_own_and_codes_are_nobodys() {
        for exit in
            [4, 6, 7, 8, 11].into_iter().flat_map(|n| [Exit::Signal(n), Exit::Code(128 + n)])
        {
            assert_eq!(of(exit, 1.0, Some(0), 3), Killer::Itself, "{exit:?}");
        }
        for code in [0, 1, 10, 20, 77, 127, 128, 255] {
            assert_eq!(of(Exit::Code(code), 11.0, Some(1), 1), Killer::Nobody, "{code}");
        }
    }
}
