//! The present phase of a command, for the message at a limit.

use std::env;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use bezzel_process::PhaseWriter;

bezzel_problem::named! {
    /// A phase of a command, with the word of messages, as in `while loading`.
    pub(crate) enum Phase {
        /// Reading the command line.
        Starting = "starting",
        /// Reading files.
        Reading = "reading",
        /// Building the problem and the formula.
        Generating = "generating",
        /// Loading the formula into a solver or an engine, or writing it for one.
        Loading = "loading",
        /// Searching solutions, or models of a formula.
        Searching = "searching",
        /// Checking an answer, an encoding, a formula or a proof.
        Checking = "checking",
        /// Writing the result.
        Writing = "writing",
        /// Measuring the runs of an experiment.
        Measuring = "measuring",
    }
}

/// The phase that began last.
static NOW: AtomicU8 = AtomicU8::new(Phase::Starting as u8);
/// The connection to the process that watches the limits, if there is one.
static WRITER: OnceLock<PhaseWriter> = OnceLock::new();

/// The variable of the environment that names the phase in which tests let the time limit pass.
pub(crate) const STOP_IN: &str = "BEZZEL_STOP_IN";

/// Reports all phases to the process that watches the limits.
pub(crate) fn report_to(writer: PhaseWriter) {
    // A process has one caller.
    let _ = WRITER.set(writer);
    begin(Phase::Starting);
}

/// Begins a phase.
pub(crate) fn begin(phase: Phase) {
    if phase != now() {
        end();
    }
    // The caller may ask to stop as soon as it has the word, and the message then names this phase.
    NOW.store(phase as u8, Ordering::SeqCst);
    if let Some(writer) = WRITER.get() {
        writer.begin(phase.id());
    }
}

/// Ends the present phase.
pub(crate) fn end() {
    if WRITER.get().is_some() && lasts(now()) {
        loop {
            thread::park();
        }
    }
}

/// True for the phase in which tests let the limit pass: it goes on until the process is ended, however fast
/// the machine is. A search and a measurement can be asked to stop, and end then.
fn lasts(phase: Phase) -> bool {
    !matches!(phase, Phase::Searching | Phase::Measuring)
        && env::var_os(STOP_IN).is_some_and(|word| word == phase.id())
}

/// The present phase.
pub(crate) fn now() -> Phase {
    Phase::ALL[usize::from(NOW.load(Ordering::SeqCst))]
}
