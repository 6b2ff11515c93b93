//! A worker process: it does one job, or checks the proof of one, as its runner assigns it by one line of JSON on standard
//! input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bezzel_encode::{ClauseSink, Encoding};
use bezzel_problem::ProblemFile;
use bezzel_process::{HardLimits, cgroup, cores, limits};
use bezzel_solve::{ProofFormat, SessionOptions};
use serde::{Deserialize, Serialize};

use super::proof::{self, WrittenProof};
use super::solve::left;
use super::{JobObserver, ResolvedJob, WorkError, from_file, peak_bytes, work};
use crate::backend::PreparedFormula;
use crate::backend::catalog::Catalog;
use crate::backend::command::ProgramIdentity;
use crate::backend::program::{EncoderPrograms, FindError, ProgramError};
use crate::model::job::{BackendKind, Job, NO_ENCODING};
use crate::model::message::Message;
use crate::model::permission::Permission;
use crate::model::row::Termination;
use crate::results::packing;

/// The work of one process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// The job.
    pub job: Job,
    /// The file that the job's instance names, if it names one.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// The planned revision of its encoding.
    pub revision: u32,
    /// The identity of the solver at the time of planning, if the solver is a program.
    #[serde(default)]
    pub solver: Option<ProgramIdentity>,
    /// The core and the control groups of the process.
    #[serde(default)]
    pub place: ProcessBinding,
    /// True if the programs that the job names may be started.
    #[serde(default)]
    pub programs: bool,
    /// The part of the job that this process does.
    pub part: JobPart,
}

/// A part of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobPart {
    /// Encode and solve it.
    Solve {
        /// The file for the proof, if a proof is required.
        proof: Option<PathBuf>,
        /// A folder for files of any size.
        scratch: Option<PathBuf>,
    },
    /// Check the proof that its formula has no model.
    Check {
        /// The proof.
        proof: PathBuf,
        /// Its format.
        format: ProofFormat,
        /// The digest of the clauses that the solver received.
        clause_digest: String,
    },
}

/// The core and the control groups of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessBinding {
    /// The core that it is bound to.
    pub core: Option<usize>,
    /// The control group that it joins.
    pub cgroup: Option<PathBuf>,
    /// The control group of the programs that it starts.
    pub programs: Option<PathBuf>,
}

/// Sends each message as a line of JSON.
struct Sender<'a>(&'a mut dyn Write);

impl JobObserver for Sender<'_> {
    fn message(&mut self, message: Message) -> Result<(), WorkError> {
        let mut line = serde_json::to_string(&message).expect("a message has string keys only");
        line.push('\n');
        self.0.write_all(line.as_bytes()).and_then(|()| self.0.flush()).map_err(WorkError::Send)
    }
}

/// Does the work that `assignment` describes in JSON, and writes each message to `out`.
///
/// # Errors
///
/// When the assignment cannot be parsed, the encoding is not the planned one, or a message cannot be written.
pub fn serve(assignment: &str, catalog: &Catalog, out: &mut dyn Write) -> Result<(), WorkError> {
    let start = Instant::now();
    let mut sender = Sender(out);
    let Assignment { job, file, revision, solver, place, programs, part } =
        serde_json::from_str(assignment)?;
    let permission = if programs { Permission::of_job(&job) } else { Permission::none() };
    permission.refuse(&job)?;
    let catalog = &catalog.with_permission(permission);
    enter(&place)?;
    limits::set_hard_limits(&HardLimits::beyond(job.limits.cpu_s, job.limits.memory_bytes))?;
    read_file(&job, file)?;
    let backend = catalog.backend(&job);
    if let (Some(planned), JobPart::Solve { .. }) = (solver, &part) {
        let same = backend
            .as_ref()
            .ok()
            .and_then(|backend| backend.as_ref()?.program())
            .map_or(Ok(()), |program| program.compare(&planned, &catalog.permission));
        same.map_err(|change| WorkError::Replaced { solver: job.solver.clone(), change })?;
    }
    let encoding = if job.encoding == NO_ENCODING {
        None
    } else {
        match encoding(&job, revision, catalog)? {
            Ok(encoding) => Some(encoding),
            Err(error) => {
                let (stop, note) = (error.termination, error.to_string());
                return sender.message(Message::Failed { stop, note });
            }
        }
    };
    let solves = matches!(part, JobPart::Solve { .. });
    if solves && encoding.is_none() && job.task.backend() != Some(BackendKind::Engine) {
        return Err(WorkError::NothingToSolve);
    }
    let (permission, backend) = (&catalog.permission, backend?);
    match part {
        JobPart::Solve { proof, scratch } => {
            let session_options = SessionOptions {
                proof,
                scratch,
                cgroup: place.programs,
                ..SessionOptions::default()
            };
            let resolved = ResolvedJob {
                job: &job,
                encoding: encoding.as_deref(),
                backend: backend.as_deref(),
                permission,
                projection: None,
                is_watched: true,
                ends_process: true,
            };
            work(&resolved, session_options, &mut sender)
        }
        JobPart::Check { proof, format, clause_digest } => {
            let encoding = encoding.ok_or(WorkError::NothingToSolve)?;
            let solver = backend.ok_or(WorkError::NothingToSolve)?;
            let session_options = SessionOptions {
                budget: Some(left(&job.limits, start)),
                scratch: proof.parent().map(Path::to_owned),
                cgroup: place.programs,
                ..SessionOptions::default()
            };
            if format == ProofFormat::Veripb {
                let budget = (left(&job.limits, start), start);
                let cgroup = session_options.cgroup.as_deref();
                let of_job = (&job, encoding.as_ref());
                let record = from_file::check(of_job, &proof, budget, cgroup);
                let memory_peak_bytes = peak_bytes().max(record.check_memory_peak_bytes);
                sender.message(Message::ProofChecked(record))?;
                return sender
                    .message(Message::Ended { stop: Termination::Finished, memory_peak_bytes });
            }
            let (path, solver) = (proof.as_path(), solver.as_ref());
            let proof = WrittenProof { path, format, solver, permission, session_options };
            check(&job, encoding.as_ref(), proof, &clause_digest, &mut sender)
        }
    }
}

/// Checks a proof against the formula, which is generated again. The digest of the generated clauses must be
/// `clause_digest`, which is that of the clauses that the solver received.
fn check(
    job: &Job,
    encoding: &dyn Encoding,
    proof: WrittenProof<'_>,
    clause_digest: &str,
    sender: &mut Sender<'_>,
) -> Result<(), WorkError> {
    let problem = job.instance.problem();
    let prepared = PreparedFormula::new(encoding, &problem, &job.numbering);
    let write = |out: &mut dyn ClauseSink| prepared.formula().write(out);
    let record = proof::examine(proof, job.limits.memory_bytes, Some(clause_digest), &write);
    sender.message(Message::ProofChecked(record))?;
    sender.message(Message::Ended { stop: Termination::Finished, memory_peak_bytes: peak_bytes() })
}

/// Reads the file that the job's instance names, if it names one.
fn read_file(job: &Job, path: Option<PathBuf>) -> Result<(), WorkError> {
    let Some(file) = job.instance.file() else { return Ok(()) };
    let refused = |error: String| WorkError::File { name: file.name().to_owned(), error };
    let path = path.ok_or_else(|| {
        refused(format!(
            "no file of the config has the digest {}: bring the file back, or plan the jobs again",
            file.digest()
        ))
    })?;
    let bytes = packing::read_whole(&path).map_err(|error| refused(error.to_string()))?;
    let found = ProblemFile::read(file.name(), Some(path), bytes);
    found.and_then(|found| file.refuse_other(&found)).map_err(|error| refused(error.to_string()))
}

/// Joins the control group and binds the process to its core, before any work.
fn enter(place: &ProcessBinding) -> Result<(), WorkError> {
    if let Some(cgroup) = &place.cgroup {
        cgroup::join(cgroup)?;
    }
    if let Some(core) = place.core {
        cores::pin(core)?;
    }
    Ok(())
}

/// Returns the encoding of a job, or the error of the program that encodes. Such a program has the limits of the job for
/// itself, and the hard limits beyond them.
fn encoding(
    job: &Job,
    planned: u32,
    catalog: &Catalog,
) -> Result<Result<Arc<dyn Encoding>, ProgramError>, WorkError> {
    let settings = job.settings;
    let mut programs = EncoderPrograms::new(&catalog.encodings, job.limits, &catalog.permission);
    let encoding = match programs.find(&job.encoding, settings, &job.instance) {
        Ok(found) => found.with_settings(settings),
        Err(FindError::Name(error)) => return Err(error.into()),
        Err(FindError::Program(error)) => return Ok(Err(error)),
    };
    let found = encoding.info().revision;
    if planned != found {
        return Err(WorkError::Unsteady { planned, found });
    }
    Ok(Ok(encoding))
}
