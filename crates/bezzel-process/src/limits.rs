//! Hard limits that the kernel enforces. A worker process sets them for itself when it begins.
//!
//! They are higher than the soft limits of [`watch`](crate::watch) and are needed when the worker cannot check its
//! limits any more. The kernel ends a process that reaches a hard limit, and its measurements are lost.

use std::env;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit,
};

use crate::error::ExternalError;

/// The environment variable that holds the number of the process that started a worker.
pub(crate) const SUPERVISOR: &str = "BEZZEL_RUN";

/// The hard limits of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardLimits {
    /// CPU time in seconds after which the process gets XCPU, which ends it; one second later it is killed. With
    /// both at the same second the kernel would only kill, and the reason would be unknown.
    pub cpu_s: u64,
    /// Private writable memory in bytes, beyond which allocation fails.
    pub memory_bytes: u64,
}

impl HardLimits {
    /// Returns the hard limits for soft limits of `cpu_s` seconds of CPU time and `memory_bytes` of resident memory.
    ///
    /// CPU time: a quarter more, rounded up to the next whole second, and one second. For this limit kernels count
    /// the clock ticks that meet the process. On a busy virtual machine that was up to a fifth more than its CPU
    /// time, so a hard limit one second above a limit of a minute would have been reached first.
    ///
    /// Memory: twice the limit and 64 MiB, since the kernel counts reserved memory, and a vector that has just
    /// grown uses half of its reservation; a lower limit would end processes that are within their limit.
    pub fn beyond(cpu_s: f64, memory_bytes: u64) -> Self {
        Self {
            cpu_s: ((cpu_s * 1.25).ceil() as u64).saturating_add(1),
            memory_bytes: memory_bytes.saturating_mul(2).saturating_add(64 << 20),
        }
    }
}

/// Sets the hard limits of this process, which cannot be removed. A worker process calls it before anything else.
///
/// It also disables core dumps, and requests that the process is killed when the supervisor ends.
///
/// # Errors
///
/// The kernel refuses, or the process was started by a supervisor that has ended.
pub fn set_hard_limits(limits: &HardLimits) -> Result<(), ExternalError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|reason| {
        let limit = "the signal at the supervisor's end";
        ExternalError::HardLimit { limit, reason }
    })?;
    // A supervisor that ended before the line above sends no signal any more.
    let supervisor = env::var(SUPERVISOR).ok().and_then(|number| number.parse().ok());
    if supervisor.is_some_and(|number| Pid::from_raw(number) != getppid()) {
        return Err(ExternalError::Orphaned);
    }
    set_limit("the core dump limit", Resource::Core, 0, 0)?;
    set_limit("the memory limit", Resource::Data, limits.memory_bytes, limits.memory_bytes)?;
    set_limit("the CPU limit", Resource::Cpu, limits.cpu_s, limits.cpu_s.saturating_add(1))
}

/// Sets a limit, or keeps the lower one that the process has.
pub(crate) fn set_limit(
    limit: &'static str,
    resource: Resource,
    soft: u64,
    hard: u64,
) -> Result<(), ExternalError> {
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let new = Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    setrlimit(resource, new).map_err(|reason| ExternalError::HardLimit { limit, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_limits_lie_beyond_the_soft_limits() {
        let limits = HardLimits::beyond(2.0, 1 << 30);
        assert_eq!(limits, HardLimits { cpu_s: 4, memory_bytes: (2 << 30) + (64 << 20) });
        assert_eq!(HardLimits::beyond(0.1, 0).cpu_s, 2);
        assert_eq!(HardLimits::beyond(60.0, 0).cpu_s, 76);
        let none = HardLimits::beyond(f64::INFINITY, u64::MAX);
        assert_eq!(none, HardLimits { cpu_s: u64::MAX, memory_bytes: u64::MAX });
    }
}
