//! The limits of a worker process.
//!
//! The kernel enforces the hard limits. A worker process sets them for itself when it begins. They are higher than the
//! soft limits and are needed when the worker cannot check its limits any more. The kernel ends a process that reaches a
//! hard limit, and its measurements are lost.
//!
//! A [`Watch`] enforces the soft limits inside the worker: a thread measures the CPU time, the wall time and the resident
//! memory of its process every [`PERIOD`]. That costs about half a percent of one CPU.

use std::env;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, prlimit, set_parent_process_death_signal,
};
use serde::{Deserialize, Serialize};

use crate::error::ExternalError;
use crate::usage::{self, ResidentMemory};

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

    /// Sets the limits of a process, this one if it is none, and disables its core dumps.
    pub(crate) fn set(&self, process: Option<Pid>) -> Result<(), ExternalError> {
        let memory = (self.memory_bytes, self.memory_bytes);
        set_limit(process, "the core dump limit", Resource::Core, (0, 0))?;
        set_limit(process, "the memory limit", Resource::Data, memory)?;
        let cpu = (self.cpu_s, self.cpu_s.saturating_add(1));
        set_limit(process, "the CPU limit", Resource::Cpu, cpu)
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
    limits.set(None)
}

/// Sets a limit of a process, this one if it is none, or keeps the lower limit that this process has.
pub(crate) fn set_limit(
    process: Option<Pid>,
    limit: &'static str,
    resource: Resource,
    (soft, hard): (u64, u64),
) -> Result<(), ExternalError> {
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let new = Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
    let done = prlimit(process, resource, new);
    done.map(drop).map_err(|reason| ExternalError::HardLimit { limit, reason })
}

/// The pause between two measurements.
pub const PERIOD: Duration = Duration::from_millis(10);

/// The resources that a worker process may use before it is asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftLimits {
    /// CPU time of the whole process since it began, in seconds.
    pub cpu_s: f64,
    /// Wall time since the watch was armed, in seconds.
    pub wall_s: f64,
    /// Resident memory of the process, in bytes.
    pub memory_bytes: u64,
}

/// The limit that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoftLimit {
    /// CPU time.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory.
    Memory,
}

/// An armed watch. Dropping it disarms it.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<WatchState>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct WatchState {
    limits: SoftLimits,
    armed: Instant,
    resident: ResidentMemory,
    state: Mutex<LimitState>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct LimitState {
    hit: Option<SoftLimit>,
    disarmed: bool,
}

impl Watch {
    /// Arms a watch: `on_limit` is called once, in another thread, as soon as a measurement passes a limit.
    ///
    /// # Errors
    ///
    /// `/proc` cannot be read or no thread can be started.
    pub fn arm(
        limits: SoftLimits,
        on_limit: impl FnOnce(SoftLimit) + Send + 'static,
    ) -> Result<Self, ExternalError> {
        let shared = Arc::new(WatchState {
            limits,
            armed: Instant::now(),
            resident: ResidentMemory::open()?,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || {
                if let Some(limit) = watched.wait_for_limit() {
                    on_limit(limit);
                }
            })
            .map_err(ExternalError::Thread)?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Returns the limit that was passed so far, if any.
    pub fn hit(&self) -> Option<SoftLimit> {
        self.shared.state().hit
    }

    /// Ends the watch and returns the limit that was passed while it was armed, if any.
    ///
    /// A last measurement makes the result exact: a limit that was passed after the thread's last measurement, or a
    /// peak of memory between two measurements, counts too, though `on_limit` was not called for it. An answer that
    /// comes after the limit is invalid.
    pub fn disarm(mut self) -> Option<SoftLimit> {
        self.stop();
        let peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
        let shared = &self.shared;
        shared.state().hit.or_else(|| shared.passed(peak_bytes))
    }

    fn stop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.shared.state().disarmed = true;
            self.shared.changed.notify_all();
            // An error is a panic of `on_limit`, which has been reported.
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
    }
}

impl WatchState {
    /// Returns the state; it stays valid after a panic of another thread.
    fn state(&self) -> std::sync::MutexGuard<'_, LimitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a limit is passed; returns `None` when disarmed before.
    fn wait_for_limit(&self) -> Option<SoftLimit> {
        let mut state = self.state();
        while !state.disarmed {
            if let Some(limit) = self.passed(self.resident.bytes()) {
                state.hit = Some(limit);
                return Some(limit);
            }
            let wall_left = self.limits.wall_s - self.armed.elapsed().as_secs_f64();
            let rest = PERIOD.min(Duration::try_from_secs_f64(wall_left).unwrap_or(PERIOD));
            let woken = self.changed.wait_timeout(state, rest);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// Returns the first limit that is passed now, with this amount of memory.
    fn passed(&self, memory_bytes: Option<u64>) -> Option<SoftLimit> {
        let SoftLimits { cpu_s, wall_s, memory_bytes: max_bytes } = self.limits;
        if usage::cpu_s() >= cpu_s {
            Some(SoftLimit::Cpu)
        } else if self.armed.elapsed().as_secs_f64() >= wall_s {
            Some(SoftLimit::Wall)
        } else if memory_bytes.is_some_and(|bytes| bytes > max_bytes) {
            Some(SoftLimit::Memory)
        } else {
            None
        }
    }
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
