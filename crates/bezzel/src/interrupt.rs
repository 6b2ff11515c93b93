//! Ctrl-C: all processes that were started end with this program. A run that already measures, and an engine that finds
//! all solutions, is asked to stop first, so that results are kept and printed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{process, thread};

use bezzel_solve::Interrupt;

use crate::failure::Failure;
pub(crate) use crate::failure::INTERRUPTED;
use crate::output;

/// The time after which a run that is asked to stop is ended. An event that it waits for may never come.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// True if the run that measures is asked to stop. Empty while there is none.
static RUN: OnceLock<AtomicBool> = OnceLock::new();

/// The interrupt of the engine that finds all solutions. Empty while there is none.
static COUNT: OnceLock<Interrupt> = OnceLock::new();
/// True if a user stopped the engine.
static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        let is_first = RUN.get().is_some_and(|stop| !stop.swap(true, Ordering::Relaxed))
            || COUNT.get().is_some_and(|stop| {
                stop.raise();
                !STOP_REQUESTED.swap(true, Ordering::Relaxed)
            });
        // The second time, all work that still goes on is ended at once.
        if is_first {
            let started = thread::Builder::new().spawn(|| {
                thread::sleep(TIME_LIMIT);
                end();
            });
            // Without a thread the second interrupt ends the program.
            drop(started);
        } else {
            end();
        }
    })
    .map_err(Failure::work)
}

/// Ends all processes that were started, and this program.
fn end() -> ! {
    bezzel_process::end_all();
    bezzel_experiment::scratch::remove_scratch_folders();
    output::give_up();
    process::exit(INTERRUPTED.into());
}

/// Registers a run that measures. The returned flag becomes true when the run is asked to stop.
pub(crate) fn run_begins() -> &'static AtomicBool {
    RUN.get_or_init(AtomicBool::default)
}

/// Registers an engine that finds all solutions. The returned interrupt is raised when the engine is asked to stop.
pub(crate) fn count_begins() -> Interrupt {
    COUNT.get_or_init(Interrupt::default).clone()
}

/// True if an engine was asked to stop.
pub(crate) fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}
