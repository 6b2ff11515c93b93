//! Ctrl-C and limits: all processes that were started end with this program. A run that already measures, and an engine
//! that lists solutions, is asked to stop first, so that results are kept and printed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

use bezzel_process::{LimitedChild, StopReason, usage};
use bezzel_solve::Interrupt;

use crate::failure::Failure;
pub(crate) use crate::failure::INTERRUPTED;
use crate::phase::{self, Phase};
use crate::{limited, output, terminal};

/// The time after which work that is asked to stop is ended. An event that it waits for may never come.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The CPU time in seconds after which a command within limits is ended.
const CPU_LIMIT_S: f64 = 0.5;
/// The time after which a listing is ended, which may wait for the reader of its output.
const LISTING_LIMIT: Duration = Duration::from_secs(5);
/// The pause between two checks of these times.
const PERIOD: Duration = Duration::from_millis(10);

/// True if the run that measures is asked to stop. Empty while there is none.
static RUN: OnceLock<AtomicBool> = OnceLock::new();

/// The interrupt of the engine that lists solutions. Empty while there is none.
static LISTING: OnceLock<Interrupt> = OnceLock::new();

/// True as soon as a thread ends this program.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The reason why this command was asked to stop first.
static REASON: OnceLock<StopReason> = OnceLock::new();

/// The answer so far of work that may be ended in the middle of a step.
pub(crate) struct AnswerSoFar {
    /// The output if the work is ended now.
    pub(crate) text: Vec<u8>,
    /// The addition to the message.
    pub(crate) in_message: String,
    /// The exit code, where it is not that of the reason; then no message is printed.
    pub(crate) code: Option<u8>,
}

/// The answer that is printed if this process is ended. Empty while there is none.
static ANSWER: Mutex<Option<AnswerSoFar>> = Mutex::new(None);

/// Keeps the answer so far, or removes it before the work prints by itself.
pub(crate) fn keep_answer(answer: Option<AnswerSoFar>) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
}

/// Listens to signals.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        // The second time, all work that still goes on is ended at once.
        if REASON.set(StopReason::Cancelled).is_ok() && asks_softly() {
            let started = thread::Builder::new().spawn(|| {
                thread::sleep(TIME_LIMIT);
                end(INTERRUPTED);
            });
            // Without a thread the second interrupt ends the program.
            drop(started);
        } else {
            end(INTERRUPTED);
        }
    })
    .map_err(Failure::work)
}

/// Listens to the process that watches the limits of this command. Signals reach that process, which passes them on.
pub(crate) fn obey(mut caller: LimitedChild) -> Result<(), Failure> {
    ctrlc::set_handler(|| ()).map_err(Failure::work)?;
    phase::report_to(caller.phase_writer().map_err(Failure::work)?);
    let obeying = move || {
        loop {
            let Some(reason) = caller.next_request() else { end(INTERRUPTED) };
            let is_first = REASON.set(reason).is_ok();
            if is_first && reason != StopReason::Memory && asks_softly() {
                thread::spawn(move || {
                    let is_run = RUN.get().is_some();
                    end_after(CPU_LIMIT_S, if is_run { TIME_LIMIT } else { LISTING_LIMIT });
                    end_with(reason);
                });
            } else {
                end_with(reason);
            }
        }
    };
    thread::Builder::new().spawn(obeying).map(drop).map_err(Failure::work)
}

/// Asks the work to stop that keeps results then. False if there is no such work.
fn asks_softly() -> bool {
    if let Some(run) = RUN.get() {
        run.store(true, Ordering::Relaxed);
        return true;
    }
    let listing = LISTING.get().filter(|_| phase::now() == Phase::Searching);
    if let Some(listing) = listing {
        listing.raise();
    }
    listing.is_some()
}

/// Waits until this process has used `cpu_s` seconds of CPU time more, or for the time `wall`.
fn end_after(cpu_s: f64, wall: Duration) {
    let (start, start_cpu_s) = (Instant::now(), usage::cpu_s());
    while usage::cpu_s() < start_cpu_s + cpu_s && start.elapsed() < wall {
        thread::sleep(PERIOD);
    }
}

/// Ends all processes that were started, prints the reason, and ends this program.
fn end_with(reason: StopReason) -> ! {
    ENDING.store(true, Ordering::SeqCst);
    let answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner).take();
    let in_message = answer.as_ref().map_or("", |answer| &answer.in_message);
    let failure = limited::stopped(reason, in_message);
    let mut code = failure.code();
    if let Some(answer) = &answer {
        // A closed stdout has no reader.
        let _ = terminal::write_past_lock(&answer.text);
        code = answer.code.unwrap_or(code);
    }
    if answer.is_none_or(|answer| answer.code.is_none()) {
        let _ = failure.report();
    }
    end(code)
}

/// Ends all processes that were started, and this program.
fn end(code: u8) -> ! {
    ENDING.store(true, Ordering::SeqCst);
    bezzel_process::end_all();
    bezzel_experiment::scratch::remove_scratch_folders();
    output::give_up();
    process::exit(code.into());
}

/// Returns unless another thread ends this program. That thread removes files and programs that the work still needs, so
/// a failure of the work is no reason of its end then.
pub(crate) fn leave_to_the_end() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Registers a run that measures. The returned flag becomes true when the run is asked to stop.
pub(crate) fn run_begins() -> &'static AtomicBool {
    RUN.get_or_init(AtomicBool::default)
}

/// Registers an engine that lists solutions. The returned interrupt is raised when the engine is asked to stop while it
/// searches.
pub(crate) fn listing_begins() -> Interrupt {
    LISTING.get_or_init(Interrupt::default).clone()
}

/// The reason why this command was asked to stop, if it was.
pub(crate) fn stop_reason() -> Option<StopReason> {
    REASON.get().copied()
}
