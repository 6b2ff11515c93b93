//! One attempt at a job: a process that solves it, one that checks its proof, and the judge.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bezzel_external::{Cause, Outcome, Program};
use bezzel_solve::{Answer, ProofFormat};

use super::{RunError, Workers};
use crate::assignment::{Assignment, Part, Place};
use crate::job::{Job, Limits};
use crate::judge::{Case, Judge};
use crate::plan::Planned;
use crate::program::{ENVIRONMENT, needs_programs};
use crate::row::{Finding, Isolation, ProofRecord, Row, Stop};
use crate::transcript::{self, Provenance, Told};

/// How much longer than its wall limit a worker may live: it keeps the limit itself, softly.
const WALL_GRACE_S: f64 = 1.0;

/// Where the C++ library lies, on machines that have it out of the way.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The largest proof that is checked, in bytes. What is larger is left unchecked.
const MAX_PROOF_BYTES: u64 = 4 << 30;

/// What one of the runner's threads works with.
pub(super) struct Slot<'a> {
    pub(super) workers: &'a Workers,
    pub(super) session: usize,
    /// A folder that is this thread's alone.
    pub(super) scratch: PathBuf,
    pub(super) place: Place,
    pub(super) isolation: Isolation,
}

impl Slot<'_> {
    /// Does one job; no row if it was cancelled.
    pub(super) fn attempt(
        &self,
        planned: Planned,
        judge: &Mutex<Judge>,
        cancel: &AtomicBool,
    ) -> Result<Option<Row>, RunError> {
        let provenance = Provenance {
            session: self.session,
            started: SystemTime::now(),
            isolation: self.isolation,
            core: self.place.core,
        };
        let proof = self.scratch.join("proof");
        let part = Part::Solve {
            proof: planned.job.proof.map(|_| proof.clone()),
            scratch: Some(self.scratch.clone()),
        };
        let outcome = self.start(&planned.job, planned.encoding_revision, part, cancel)?;
        if outcome.killed_by == Some(Cause::Cancelled) {
            return Ok(None);
        }
        let Told { mut row, violated } = transcript::read(planned, &provenance, &outcome)?;
        if let (Some(format), Answer::Unsat, Stop::Finished) = (row.job.proof, row.answer, row.stop)
        {
            let Some(record) = self.check(&row, format, &proof, cancel)? else { return Ok(None) };
            row.proof = Some(record);
        }
        // Room is given back before the row is appended, which may need it.
        if row.job.proof.is_some() {
            let _ = fs::remove_file(&proof);
        }
        let placement = row.placement();
        let case = Case {
            violated: violated.as_deref(),
            proof: row.proof.as_ref(),
            ..Case::new(&row.job.board, row.answer, placement.as_ref())
        };
        let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
        let judgement = judge.judge(&case);
        row.verdict = judgement.verdict;
        row.evidence = judgement.evidence;
        row.note = judgement.note.or(row.note);
        Ok(Some(row))
    }

    /// Has the proof checked by a process of its own; nothing if it was cancelled.
    fn check(
        &self,
        row: &Row,
        format: ProofFormat,
        proof: &Path,
        cancel: &AtomicBool,
    ) -> Result<Option<ProofRecord>, RunError> {
        let bytes = fs::metadata(proof).ok().map(|metadata| metadata.len());
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
            return Ok(Some(unchecked("no proof was written".into())));
        };
        if size > MAX_PROOF_BYTES {
            let note = format!("the proof has {size} bytes; up to {MAX_PROOF_BYTES} are checked");
            return Ok(Some(unchecked(note)));
        }
        let job = Job { limits: limits_of_check(row.job.limits), ..row.job.clone() };
        let part = Part::Check { proof: proof.to_owned(), format, clause_digest };
        let outcome = self.start(&job, row.encoding_revision, part, cancel)?;
        if outcome.killed_by == Some(Cause::Cancelled) {
            return Ok(None);
        }
        Ok(Some(transcript::read_proof(&job, format, bytes, &outcome)?))
    }

    fn start(
        &self,
        job: &Job,
        revision: u32,
        part: Part,
        cancel: &AtomicBool,
    ) -> Result<Outcome, RunError> {
        let wall = Duration::from_secs_f64(job.limits.wall_s + WALL_GRACE_S);
        let mut program = Program::new(&self.workers.program, wall);
        program.args.push("worker".into());
        // A worker of ours starts nothing that could stay behind, but for a program that encodes,
        // which needs some of the environment.
        program.sweep = needs_programs(&job.encoding);
        let names: &[&str] = if program.sweep { &ENVIRONMENT } else { &[LIBRARIES] };
        let given = |&name: &&str| Some((name.into(), env::var_os(name)?));
        program.environment.extend(names.iter().filter_map(given));
        let assignment = Assignment { job: job.clone(), revision, place: self.place.clone(), part };
        program.stdin = serde_json::to_vec(&assignment).expect("it has string keys only");
        Ok(program.run(Some(cancel))?)
    }
}

/// What checking the proof of a job may use. It takes a fraction of what solving took for LRAT, and
/// as long again for DRAT, but the formula is made and kept once more.
pub(crate) fn limits_of_check(limits: Limits) -> Limits {
    const SPARE_S: f64 = 10.0;
    Limits {
        cpu_s: 4.0 * limits.cpu_s + SPARE_S,
        wall_s: 4.0 * limits.wall_s + SPARE_S,
        memory_bytes: limits.memory_bytes.max(1 << 30),
    }
}
