//! Fences: limits that the kernel enforces, set by a worker in itself when it begins.
//!
//! They lie beyond the soft limits of [`watch`](crate::watch) and are there for the case that the
//! worker cannot look after itself any more. A process that runs into one is ended, and what it
//! measured is lost.

use rustix::process::{
    Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit,
};

use crate::error::ExternalError;
use crate::marker;

/// What the kernel lets a process have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fences {
    /// CPU time in seconds after which the process gets XCPU, which ends it; one second later it
    /// is killed. With both at the same second the kernel would only kill, and nobody could tell
    /// why.
    pub cpu_s: u64,
    /// Private writable memory in bytes, beyond which allocation fails.
    pub memory_bytes: u64,
}

impl Fences {
    /// The fences around soft limits of `cpu_s` seconds of CPU time and `memory_bytes` of resident
    /// memory.
    ///
    /// CPU time: a quarter more, up to the next whole second, and one second. For this limit
    /// kernels count by the ticks of their clock that meet the process. On a busy virtual machine
    /// that was up to a fifth more than it had, so that a fence one second behind a limit of a
    /// minute would have stood before it.
    ///
    /// Memory: twice the limit and 64 MiB, since the kernel counts what is reserved, and a vector
    /// that has just grown uses half of what it reserved; a tighter fence would end processes
    /// that are within their limit.
    pub fn beyond(cpu_s: f64, memory_bytes: u64) -> Self {
        Self {
            cpu_s: ((cpu_s * 1.25).ceil() as u64).saturating_add(1),
            memory_bytes: memory_bytes.saturating_mul(2).saturating_add(64 << 20),
        }
    }
}

/// Puts this process inside the fences, for good. A worker calls it before anything else.
///
/// It also gives up core dumps, and asks to be killed when the supervisor ends.
///
/// # Errors
///
/// When the kernel refuses, or when the process was started by a supervisor that has ended.
pub fn enter(fences: &Fences) -> Result<(), ExternalError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|reason| {
        let fence = "the signal at the supervisor's end";
        ExternalError::Fence { fence, reason }
    })?;
    // Whoever ended before the line above sends no signal any more.
    if marker::orphaned() {
        return Err(ExternalError::Orphaned);
    }
    limit("the core dump limit", Resource::Core, 0, 0)?;
    limit("the memory limit", Resource::Data, fences.memory_bytes, fences.memory_bytes)?;
    limit("the CPU limit", Resource::Cpu, fences.cpu_s, fences.cpu_s.saturating_add(1))
}

/// Sets a limit, or keeps the tighter one that the process came with.
pub(crate) fn limit(
    fence: &'static str,
    resource: Resource,
    soft: u64,
    hard: u64,
) -> Result<(), ExternalError> {
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let new = Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    setrlimit(resource, new).map_err(|reason| ExternalError::Fence { fence, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_lie_beyond_the_soft_limits() {
        let fences = Fences::beyond(2.0, 1 << 30);
        assert_eq!(fences, Fences { cpu_s: 4, memory_bytes: (2 << 30) + (64 << 20) });
        assert_eq!(Fences::beyond(0.1, 0).cpu_s, 2);
        assert_eq!(Fences::beyond(60.0, 0).cpu_s, 76);
        let none = Fences::beyond(f64::INFINITY, u64::MAX);
        assert_eq!(none, Fences { cpu_s: u64::MAX, memory_bytes: u64::MAX });
    }
}
