//! A thread that repeats something, and the lines while a run is planned.

use std::io::Write as _;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bezzel_experiment::quantity::duration;

use crate::terminal;

/// The time between two lines if stderr is no terminal.
pub(crate) const PERIOD: Duration = Duration::from_secs(10);

/// A thread that repeats something until it is dropped.
pub(crate) struct Ticker {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Calls `tick` after each period. Without a further thread nothing is called.
    pub(crate) fn start(period: Duration, tick: impl Fn() + Send + 'static) -> Self {
        let stop = Arc::<(Mutex<bool>, Condvar)>::default();
        let shared = Arc::clone(&stop);
        let work = move || {
            let (is_over, changed) = &*shared;
            let mut held = is_over.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let waited = changed.wait_timeout_while(held, period, |is_over| !*is_over);
                let (is_over, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                if !timeout.timed_out() {
                    return;
                }
                tick();
                held = is_over;
            }
        };
        Self { stop, thread: thread::Builder::new().spawn(work).ok() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *self.stop.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Shows every few seconds that the jobs are planned.
pub(crate) struct Planning {
    _ticker: Option<Ticker>,
}

impl Planning {
    /// Shows the planning, or nothing if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        let start = Instant::now();
        let tick = move || print(&format!("{} gone  planning the jobs", whole(start.elapsed())));
        Self { _ticker: (!quiet).then(|| Ticker::start(PERIOD, tick)) }
    }
}

/// Prints a line on stderr. A run goes on if stderr is closed.
pub(crate) fn print(line: &str) {
    let _ = writeln!(terminal::stderr(), "{line}");
}

/// A time in words, in whole seconds.
pub(crate) fn whole(time: Duration) -> String {
    duration(time.as_secs_f64().round())
}
