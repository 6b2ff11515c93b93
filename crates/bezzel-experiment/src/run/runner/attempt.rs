//! One attempt at a job: a worker process that solves it, one that checks its proof, and the judge.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use bezzel_problem::ProblemFile;
use bezzel_process::{EndCause, Exit, Outcome, SoftLimits, StopReason, host_oom_kills, supervised};
use bezzel_solve::{Answer, ProofFormat};

use super::start_job::{EndedWorker, WorkerStart};
use super::{RunError, RunnerOptions};
use crate::backend;
use crate::backend::command::{CommandBackend, MissingProgram, NOT_INSTALLED};
use crate::backend::program::{ENVIRONMENT, needs_programs};
use crate::check::judge::Judge;
use crate::model::job::PlannedJob;
use crate::model::job::{BackendKind, Job, Limits, Task};
use crate::model::quantity::{span, unix_s};
use crate::model::row::{Isolation, ProofRecord, Row, Termination};
use crate::results::scratch::empty;
use crate::run::transcript::{self, Provenance};
use crate::worker::process::{Assignment, JobPart, ProcessBinding};

/// The time after its wall limit for which a worker may live, in seconds. The worker enforces the limit itself, softly.
const WALL_GRACE_S: f64 = 1.0;

/// The variable for the folder of the C++ library, if it is not in a standard folder.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The resources of one thread of the runner.
pub(super) struct Slot<'a> {
    pub(super) options: &'a RunnerOptions<'a>,
    /// The programs that the jobs name as solvers or engines, by their names.
    pub(super) programs: &'a HashMap<String, CommandBackend>,
    /// The scratch folder of this thread.
    pub(super) scratch: PathBuf,
    /// The core that its jobs are bound to.
    pub(super) core: Option<usize>,
    /// The number of processes that the kernel of this machine had killed for lack of memory, at the last reading.
    pub(super) oom_kills: AtomicU64,
}

/// A process that has ended.
struct EndedProcess {
    outcome: Outcome,
    killer: EndCause,
    isolation: Isolation,
}

/// The result of checking a proof.
enum ProofCheck {
    Done(ProofRecord),
    /// The checker was killed from outside.
    Lost(EndCause),
    Cancelled,
}

impl Slot<'_> {
    /// Runs one job; returns no row if it was cancelled.
    pub(super) fn attempt(
        &self,
        planned: PlannedJob,
        judge: &Mutex<Judge>,
        cancel: &AtomicBool,
    ) -> Result<Option<Row>, RunError> {
        let started = SystemTime::now();
        if let Some(absence) = self.absence(&planned.job) {
            return Ok(Some(Row {
                note: Some(format!("{NOT_INSTALLED}: {absence}")),
                started_unix_s: unix_s(started),
                ..Row::blank(planned, Termination::Skipped)
            }));
        }
        let proof = self.scratch.join("proof");
        let part = JobPart::Solve {
            proof: planned.job.proof.map(|_| proof.clone()),
            scratch: Some(self.scratch.clone()),
        };
        let Some(EndedProcess { outcome, killer, isolation }) =
            self.start(&planned.job, planned.encoding_revision, part, cancel)?
        else {
            return Ok(None);
        };
        let core = self.core_of(&planned.job);
        let closed_form = planned.size.filter(|_| planned.job.task == Task::Size);
        let provenance = Provenance { started, isolation, core };
        let mut output = transcript::read(planned, &provenance, &outcome, killer)?;
        let row = &mut output.row;
        if let (Some(format), Answer::Unsat, Termination::Finished) =
            (row.job.proof, row.status, row.termination)
        {
            match self.check(row, format, &proof, cancel)? {
                ProofCheck::Done(record) => row.proof = Some(record),
                // The proof is lost with this process. A new proof needs another run of the solver.
                ProofCheck::Lost(killer) => {
                    row.termination = Termination::HostError;
                    row.note = Some(format!("of the proof's checker: {killer}"));
                }
                ProofCheck::Cancelled => return Ok(None),
            }
        }
        // The files are deleted before the row is appended, which may need their space.
        empty(&self.scratch)
            .map_err(|reason| RunError::Scratch { folder: self.scratch.clone(), reason })?;
        let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(output.judged(&mut judge, closed_form)))
    }

    /// Returns the reason why the program of a job cannot be run, if it is not installed.
    fn absence(&self, job: &Job) -> Option<MissingProgram> {
        self.programs.get(&job.solver)?.absence(&self.options.permission)
    }

    /// Returns the core that a job is bound to; none if it may use several.
    fn core_of(&self, job: &Job) -> Option<usize> {
        let is_alone =
            job.task.backend() != Some(BackendKind::Engine) || backend::threads(&job.options) == 1;
        self.core.filter(|_| is_alone)
    }

    /// Runs a separate process that checks the proof.
    fn check(
        &self,
        row: &Row,
        format: ProofFormat,
        proof: &Path,
        cancel: &AtomicBool,
    ) -> Result<ProofCheck, RunError> {
        // Reading a pipe or a device may never end.
        let file = fs::metadata(proof).ok().filter(fs::Metadata::is_file);
        let bytes = file.map(|metadata| metadata.len());
        let unchecked =
            |note: String| Ok(ProofCheck::Done(ProofRecord::unchecked(format, bytes, note)));
        let (Some(size), Some(clause_digest)) = (bytes, row.clause_digest.clone()) else {
            return unchecked("no proof was written".into());
        };
        let max = self.options.proof_bytes;
        if size > max {
            return unchecked(format!("the proof has {size} bytes; up to {max} are checked"));
        }
        let job = Job { limits: row.job.limits.of_check(format), ..row.job.clone() };
        let part = JobPart::Check { proof: proof.to_owned(), format, clause_digest };
        let Some(ended) = self.start(&job, row.encoding_revision, part, cancel)? else {
            return Ok(ProofCheck::Cancelled);
        };
        let EndedProcess { outcome, killer, .. } = ended;
        if let EndCause::Host { .. } = killer {
            return Ok(ProofCheck::Lost(killer));
        }
        Ok(ProofCheck::Done(transcript::read_proof(&job, format, bytes, &outcome, killer)?))
    }

    /// Runs a worker; returns none if it was cancelled.
    fn start(
        &self,
        job: &Job,
        revision: u32,
        part: JobPart,
        cancel: &AtomicBool,
    ) -> Result<Option<EndedProcess>, RunError> {
        let Limits { cpu_s, wall_s, memory_bytes, .. } = job.limits;
        let permission = &self.options.permission;
        // Programs that encode or solve need a part of the environment.
        let solver = self.programs.get(&job.solver);
        let is_file_check = matches!(part, JobPart::Check { format: ProofFormat::Veripb, .. });
        let environment: &[&str] = match () {
            () if solver.is_some() || is_file_check => &supervised::ENVIRONMENT,
            () if needs_programs(&job.encoding) => &ENVIRONMENT,
            () => &[LIBRARIES],
        };
        let assignment = Assignment {
            job: job.clone(),
            file: job.instance.file().and_then(ProblemFile::path),
            revision,
            solver: solver.and_then(|program| program.identity(permission)),
            place: ProcessBinding { core: self.core_of(job), ..ProcessBinding::default() },
            programs: permission.refuse(job).is_ok(),
            part,
        };
        let wall = span(wall_s + WALL_GRACE_S);
        let fixed = self.options.calibration.as_ref();
        let is_reading = fixed.is_some_and(|fixed| fixed.planned.job == assignment.job);
        let start = WorkerStart { assignment, wall, environment, is_reading };
        let EndedWorker { outcome, isolation, oom_kills } =
            self.options.starter.run(start, cancel)?;
        if outcome.killed_by == Some(StopReason::Cancelled) {
            return Ok(None);
        }
        let limits = SoftLimits { cpu_s, wall_s, memory_bytes };
        // A worker that ends well needs no look-up of its killer.
        let killer = if outcome.exit == Exit::Code(0) {
            EndCause::Exited
        } else {
            let of_host = host_oom_kills();
            let before = self.oom_kills.swap(of_host, Ordering::Relaxed);
            outcome.end_cause(&limits, oom_kills, of_host.saturating_sub(before))
        };
        Ok(Some(EndedProcess { outcome, killer, isolation }))
    }
}
