//! The present phase of a command, for the message at a limit.

use std::env;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use bezzel_process::PhaseWriter;

/// A phase of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Reading the command line.
    Starting,
    /// Reading files.
    Reading,
    /// Building the problem and the formula.
    Generating,
    /// Loading the formula into a solver or an engine, or writing it for one.
    Loading,
    /// Searching solutions, or models of a formula.
    Searching,
    /// Checking an answer, an encoding, a formula or a proof.
    Checking,
    /// Writing the result.
    Writing,
    /// Measuring the runs of an experiment.
    Measuring,
}

impl Phase {
    const ALL: [Self; 8] = [
        Self::Starting,
        Self::Reading,
        Self::Generating,
        Self::Loading,
        Self::Searching,
        Self::Checking,
        Self::Writing,
        Self::Measuring,
    ];

    /// The word of messages, as in `while loading`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Reading => "reading",
            Self::Generating => "generating",
            Self::Loading => "loading",
            Self::Searching => "searching",
            Self::Checking => "checking",
            Self::Writing => "writing",
            Self::Measuring => "measuring",
        }
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
        writer.begin(phase.word());
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
        && env::var_os(STOP_IN).is_some_and(|word| word == phase.word())
}

/// The present phase.
pub(crate) fn now() -> Phase {
    Phase::ALL[usize::from(NOW.load(Ordering::SeqCst))]
}
