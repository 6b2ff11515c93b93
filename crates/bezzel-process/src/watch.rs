//! The watch over the soft limits of a worker process, inside the worker.
//!
//! A thread measures the CPU time, the wall time and the resident memory of its process every [`PERIOD`]. That
//! costs about half a percent of one CPU.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::ExternalError;
use crate::usage::{self, ResidentMemory};

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
