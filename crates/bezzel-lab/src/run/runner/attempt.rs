//! One attempt at a job: a process that solves it, one that checks its proof, and the judge.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use bezzel_external::blame::{self, Killer};
use bezzel_external::cgroup::Cgroups;
use bezzel_external::{Cause, Exit, Outcome, Program, SoftLimits, supervised};
use bezzel_problem::ProblemFile;
use bezzel_solve::{Answer, ProofFormat};

use super::{RunError, Workers};
use crate::backend;
use crate::backend::command::{Absence, Command, NOT_INSTALLED};
use crate::backend::program::{ENVIRONMENT, needs_programs};
use crate::check::judge::{Case, Judge};
use crate::model::job::Planned;
use crate::model::job::{BackendKind, Job, Limits, Task};
use crate::model::quantity::{span, unix_s};
use crate::model::row::{Finding, Isolation, ProofRecord, Row, Stop};
use crate::run::transcript::{self, Provenance, Told};
use crate::worker::assignment::{Assignment, Part, Place};

/// How much longer than its wall limit a worker may live: it keeps the limit itself, softly.
const WALL_GRACE_S: f64 = 1.0;

/// Where the C++ library lies, on machines that have it out of the way.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// What one of the runner's threads works with.
pub(super) struct Slot<'a> {
    pub(super) workers: &'a Workers,
    pub(super) session: usize,
    /// The programs that the jobs name as solvers or engines, by their names.
    pub(super) programs: &'a HashMap<String, Command>,
    /// A folder that is this thread's alone.
    pub(super) scratch: PathBuf,
    /// The core that its jobs are bound to.
    pub(super) core: Option<usize>,
    pub(super) cgroups: &'a Cgroups,
    /// How many processes the kernel of this machine had killed for want of memory when somebody
    /// last looked.
    pub(super) oom_kills: AtomicU64,
}

/// A process that has ended.
struct Ended {
    outcome: Outcome,
    killer: Killer,
    isolation: Isolation,
}

/// What became of the checking of a proof.
enum Checked {
    Done(ProofRecord),
    /// Somebody else ended the checker.
    Lost(Killer),
    Cancelled,
}

impl Slot<'_> {
    /// Does one job; no row if it was cancelled.
    pub(super) fn attempt(
        &self,
        planned: Planned,
        judge: &Mutex<Judge>,
        cancel: &AtomicBool,
    ) -> Result<Option<Row>, RunError> {
        let started = SystemTime::now();
        if let Some(absence) = self.absence(&planned.job) {
            return Ok(Some(Row {
                note: Some(format!("{NOT_INSTALLED}: {absence}")),
                started_unix_s: unix_s(started),
                session: self.session,
                ..Row::blank(planned, Stop::Skipped)
            }));
        }
        let proof = self.scratch.join("proof");
        let part = Part::Solve {
            proof: planned.job.proof.map(|_| proof.clone()),
            scratch: Some(self.scratch.clone()),
        };
        let Some(Ended { outcome, killer, isolation }) =
            self.start(&planned.job, planned.encoding_revision, part, cancel)?
        else {
            return Ok(None);
        };
        let (session, core) = (self.session, self.core_of(&planned.job));
        let closed_form = planned.size.filter(|_| planned.job.task == Task::Size);
        let provenance = Provenance { session, started, isolation, core };
        let Told { mut row, violated, violation } =
            transcript::read(planned, &provenance, &outcome, killer)?;
        if let (Some(format), Answer::Unsat, Stop::Finished) = (row.job.proof, row.answer, row.stop)
        {
            match self.check(&row, format, &proof, cancel)? {
                Checked::Done(record) => row.proof = Some(record),
                // The proof is gone with this process: only who solves again has another.
                Checked::Lost(killer) => {
                    row.stop = Stop::HostError;
                    row.note = Some(format!("of the proof's checker: {killer}"));
                }
                Checked::Cancelled => return Ok(None),
            }
        }
        // The files are deleted before the row is appended, which may need their space.
        empty(&self.scratch);
        let solution = row.solution();
        let case = Case {
            closed_form,
            violation: violation.as_deref(),
            violated: violated.as_deref(),
            ..Case::of(&row, solution.as_ref())
        };
        let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
        let judgement = judge.judge(&case);
        row.verdict = judgement.verdict;
        if let Some(propagation) = &mut row.propagation {
            propagation.truth = judgement.truth;
        }
        row.evidence = judgement.evidence;
        row.note = judgement.note.or(row.note);
        Ok(Some(row))
    }

    /// The reason that the program of a job cannot be run, if it is not installed.
    fn absence(&self, job: &Job) -> Option<Absence> {
        self.programs.get(&job.solver)?.absence(&self.workers.permission)
    }

    /// The core that a job is bound to; none, if it may use several.
    fn core_of(&self, job: &Job) -> Option<usize> {
        let is_alone =
            job.task.backend() != Some(BackendKind::Engine) || backend::threads(&job.options) == 1;
        self.core.filter(|_| is_alone)
    }

    /// Has the proof checked by a process of its own.
    fn check(
        &self,
        row: &Row,
        format: ProofFormat,
        proof: &Path,
        cancel: &AtomicBool,
    ) -> Result<Checked, RunError> {
        // A pipe or a device could be read for ever.
        let file = fs::metadata(proof).ok().filter(fs::Metadata::is_file);
        let bytes = file.map(|metadata| metadata.len());
        let unchecked = |note: String| ProofRecord {
            format,
            finding: Finding::Unchecked,
            bytes,
            steps: None,
            check_cpu_s: None,
            check_memory_peak_bytes: None,
            note: Some(note),
        };
        let (Some(size), Some(clause_digest)) = (bytes, row.clause_digest.clone()) else {
            return Ok(Checked::Done(unchecked("no proof was written".into())));
        };
        let most = self.workers.proof_bytes;
        if size > most {
            let note = format!("the proof has {size} bytes; up to {most} are checked");
            return Ok(Checked::Done(unchecked(note)));
        }
        let job = Job { limits: row.job.limits.of_check(), ..row.job.clone() };
        let part = Part::Check { proof: proof.to_owned(), format, clause_digest };
        let Some(ended) = self.start(&job, row.encoding_revision, part, cancel)? else {
            return Ok(Checked::Cancelled);
        };
        let Ended { outcome, killer, .. } = ended;
        if let Killer::Host { .. } = killer {
            return Ok(Checked::Lost(killer));
        }
        Ok(Checked::Done(transcript::read_proof(&job, format, bytes, &outcome, killer)?))
    }

    /// Runs a worker in a control group of its own, if there can be one; nothing if it was
    /// cancelled.
    fn start(
        &self,
        job: &Job,
        revision: u32,
        part: Part,
        cancel: &AtomicBool,
    ) -> Result<Option<Ended>, RunError> {
        let Limits { cpu_s, wall_s, memory_bytes, .. } = job.limits;
        let group = self.cgroups.job(memory_bytes);
        let wall = span(wall_s + WALL_GRACE_S);
        let mut program = Program::new(&self.workers.program, wall);
        program.args.push("worker".into());
        program.cgroup = group.path().map(Path::to_owned);
        // A worker of ours starts nothing that could stay behind, but for programs that encode or
        // solve, which need some of the environment.
        let solver = self.programs.get(&job.solver);
        program.sweep = needs_programs(&job.encoding) || solver.is_some();
        let names: &[&str] = match () {
            () if solver.is_some() => &supervised::ENVIRONMENT,
            () if program.sweep => &ENVIRONMENT,
            () => &[LIBRARIES],
        };
        let given = |&name: &&str| Some((name.into(), env::var_os(name)?));
        program.environment.extend(names.iter().filter_map(given));
        let (core, cgroup, programs) = (self.core_of(job), group.worker(), group.programs());
        let place = Place { core, cgroup, programs };
        let permission = &self.workers.permission;
        let solver = solver.and_then(|program| program.identity(permission));
        let programs = permission.refuse(job).is_ok();
        let file = job.instance.file().and_then(ProblemFile::path);
        let job = job.clone();
        let assignment = Assignment { job, file, revision, solver, place, programs, part };
        program.stdin = serde_json::to_vec(&assignment).expect("it has string keys only");
        let outcome = program.run(Some(cancel))?;
        if outcome.killed_by == Some(Cause::Cancelled) {
            return Ok(None);
        }
        let limits = SoftLimits { cpu_s, wall_s, memory_bytes };
        // Nothing is to be looked up about the many that end well.
        let killer = if outcome.exit == Exit::Code(0) {
            Killer::Nobody
        } else {
            let oom_kills = group.usage().and_then(|usage| usage.oom_kills);
            let of_host = blame::host_oom_kills();
            let before = self.oom_kills.swap(of_host, Ordering::Relaxed);
            outcome.killer(&limits, oom_kills, of_host.saturating_sub(before))
        };
        Ok(Some(Ended { outcome, killer, isolation: group.level().into() }))
    }
}

/// Empties a folder: whatever a program has left there, files or not, must not meet the next one.
fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // What cannot be removed is told by whoever needs its place.
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            _ => fs::remove_file(entry.path()),
        };
    }
}
