//! The assignment from a runner to a worker: one line of JSON on the worker's standard input.

use std::path::PathBuf;

use bezzel_solve::ProofFormat;
use serde::{Deserialize, Serialize};

use crate::backend::command::ProgramIdentity;
use crate::model::job::Job;

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
