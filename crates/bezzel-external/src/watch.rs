//! The watch over the soft limits of a worker, from within.
//!
//! A thread looks every [`PERIOD`] at the CPU time, the wall time and the resident memory of its
//! process. That costs about half a percent of one CPU.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::error::ExternalError;
use crate::usage::{self, Resident};

/// How long the watch rests between two looks.
pub const PERIOD: Duration = Duration::from_millis(10);

/// What a worker may use before it is asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftLimits {
    /// CPU time of the whole process since it began, in seconds.
    pub cpu_s: f64,
    /// Wall time since the watch was armed, in seconds.
    pub wall_s: f64,
    /// Resident memory of the process, in bytes.
    pub memory_bytes: u64,
}

/// Which of the limits was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
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
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    limits: SoftLimits,
    armed: Instant,
    resident: Resident,
    state: Mutex<State>,
    bell: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    hit: Option<Limit>,
    disarmed: bool,
}

impl Watch {
    /// Arms a watch: `on_limit` is called once, in another thread, as soon as a limit is seen to
    /// be passed.
    ///
    /// # Errors
    ///
    /// When `/proc` cannot be read or no thread can be started.
    pub fn arm(
        limits: SoftLimits,
        on_limit: impl FnOnce(Limit) + Send + 'static,
    ) -> Result<Self, ExternalError> {
        let shared = Arc::new(Shared {
            limits,
            armed: Instant::now(),
            resident: Resident::open()?,
            state: Mutex::default(),
            bell: Condvar::new(),
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

    /// The limit that was seen to be passed, if any, so far.
    pub fn hit(&self) -> Option<Limit> {
        self.shared.state().hit
    }

    /// Ends the watch and tells which limit was passed while it was armed, if any.
    ///
    /// A last look makes the answer exact: what passed a limit after the thread's last look, or a
    /// peak of memory between two looks, counts too, though `on_limit` was not called for it. An
    /// answer that comes after the limit is none.
    pub fn disarm(mut self) -> Option<Limit> {
        self.stop();
        let peak_bytes = usage::memory().ok().map(|memory| memory.peak_bytes);
        let shared = &self.shared;
        shared.state().hit.or_else(|| shared.passed(peak_bytes))
    }

    fn stop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.shared.state().disarmed = true;
            self.shared.bell.notify_all();
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

impl Shared {
    /// The state; a panic of another thread leaves it sound.
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a limit is passed; `None` when disarmed before.
    fn wait_for_limit(&self) -> Option<Limit> {
        let mut state = self.state();
        while !state.disarmed {
            if let Some(limit) = self.passed(self.resident.bytes()) {
                state.hit = Some(limit);
                return Some(limit);
            }
            let wall_left = self.limits.wall_s - self.armed.elapsed().as_secs_f64();
            let rest = PERIOD.min(Duration::try_from_secs_f64(wall_left).unwrap_or(PERIOD));
            let woken = self.bell.wait_timeout(state, rest);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// The first limit that is passed now, with this much memory.
    fn passed(&self, memory_bytes: Option<u64>) -> Option<Limit> {
        let SoftLimits { cpu_s, wall_s, memory_bytes: most } = self.limits;
        if usage::cpu_s() >= cpu_s {
            Some(Limit::Cpu)
        } else if self.armed.elapsed().as_secs_f64() >= wall_s {
            Some(Limit::Wall)
        } else if memory_bytes.is_some_and(|bytes| bytes > most) {
            Some(Limit::Memory)
        } else {
            None
        }
    }
}
