//! Ctrl-C: everything that was started ends with this program. A run that measures already, and an
//! engine that finds all solutions, is asked to stop first, so that what is done is kept and told.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{process, thread};

use bezzel_solve::Interrupt;

use crate::failure::Failure;
pub(crate) use crate::failure::INTERRUPTED;
use crate::output;

/// A run that is asked to stop and does not is ended after this time: what it waits for may never come.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether the run that measures is asked to stop; empty while none does.
static RUN: OnceLock<AtomicBool> = OnceLock::new();

/// What makes the engine stop that finds all solutions; empty while none does.
static COUNT: OnceLock<Interrupt> = OnceLock::new();
/// Whether it was somebody who stopped it.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        let asked_first = RUN.get().is_some_and(|stop| !stop.swap(true, Ordering::Relaxed))
            || COUNT.get().is_some_and(|stop| {
                stop.raise();
                !ASKED.swap(true, Ordering::Relaxed)
            });
        // The second time, whatever still goes on is not worth waiting for.
        if asked_first {
            thread::spawn(|| {
                thread::sleep(PATIENCE);
                end();
            });
        } else {
            end();
        }
    })
    .map_err(Failure::work)
}

/// Ends everything that was started, and this program.
fn end() -> ! {
    bezzel_external::end_all();
    bezzel_lab::backend::command::give_up();
    output::give_up();
    process::exit(INTERRUPTED.into());
}

/// A run begins to measure. What is returned becomes true when it is asked to stop.
pub(crate) fn run_begins() -> &'static AtomicBool {
    RUN.get_or_init(AtomicBool::default)
}

/// An engine begins to find all solutions. What is returned is raised when it is asked to stop.
pub(crate) fn count_begins() -> Interrupt {
    COUNT.get_or_init(Interrupt::default).clone()
}

/// Whether an engine was asked to stop.
pub(crate) fn was_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
