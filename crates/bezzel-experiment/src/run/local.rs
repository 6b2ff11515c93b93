//! A job in the process of its caller, for commands whose own process is within limits.
//!
//! The row and its verdict are made in the same way as those of a worker process.

use std::ops::ControlFlow;
use std::time::{Instant, SystemTime};

use bezzel_problem::Candidate;
use bezzel_process::usage;
use bezzel_solve::{Answer, Session, SessionOptions};

use crate::backend::NumberedFormula;
use crate::model::job::PlannedJob;
use crate::model::message::Message;
use crate::model::row::Isolation;
use crate::run::transcript::{JobOutput, Provenance, Transcript};
use crate::worker::{self, JobObserver, ResolvedJob, Step, WorkError};

/// Runs a job in this process, and returns its output, which is not judged yet. `observer` sees each step.
///
/// # Errors
///
/// When the job cannot be done, or its observer ends it.
pub fn run_here(
    resolved: &ResolvedJob<'_>,
    session_options: SessionOptions,
    observer: &mut dyn JobObserver,
) -> Result<JobOutput, WorkError> {
    let revision = resolved.encoding.map_or(0, |encoding| encoding.info().revision);
    // The version of a program is asked for by the caller that prints it, since a process tells it.
    let version = resolved.backend.map_or(String::new(), |backend| backend.info().version);
    let planned = PlannedJob::new(resolved.job.clone(), revision, version);
    let provenance =
        Provenance { started: SystemTime::now(), isolation: Isolation::Rlimits, core: None };
    let transcript = Transcript::new(planned, &provenance);
    let (start, start_cpu_s) = (Instant::now(), usage::cpu_s_with_children());
    let mut recorder = Recorder { transcript, observer };
    worker::work(resolved, session_options, &mut recorder)?;
    let Recorder { transcript, .. } = recorder;
    let used = (usage::cpu_s_with_children() - start_cpu_s, start.elapsed().as_secs_f64());
    Ok(transcript.finish(used, None))
}

/// Adds each message to the transcript, and passes everything on.
struct Recorder<'a> {
    transcript: Transcript,
    observer: &'a mut dyn JobObserver,
}

impl JobObserver for Recorder<'_> {
    fn message(&mut self, message: Message) -> Result<(), WorkError> {
        self.transcript.add(message.clone());
        self.observer.message(message)
    }

    fn begins(&mut self, step: Step) {
        self.observer.begins(step);
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.observer.found(chosen)
    }

    fn answered(
        &mut self,
        answer: Answer,
        formula: &NumberedFormula<'_>,
        session: &mut dyn Session,
    ) -> Result<(), WorkError> {
        self.observer.answered(answer, formula, session)
    }
}
