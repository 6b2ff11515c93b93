//! What a runner gives to a worker: one line of JSON on its standard input.

use std::path::PathBuf;

use bezzel_solve::ProofFormat;
use serde::{Deserialize, Serialize};

use crate::backend::command::Identity;
use crate::model::job::Job;

/// One process's work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// The job.
    pub job: Job,
    /// The file that the job's instance names, if it names one.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// The revision of its encoding that was planned.
    pub revision: u32,
    /// Which program its solver was when the run was planned, if it is one.
    #[serde(default)]
    pub solver: Option<Identity>,
    /// Where the process is to be.
    #[serde(default)]
    pub place: Place,
    /// Whether the programs that the job names may be started.
    #[serde(default)]
    pub programs: bool,
    /// What is to be done about the job.
    pub part: Part,
}

/// What is to be done about a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Encode and solve it.
    Solve {
        /// Where the proof goes, if one is wanted.
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

/// Where a process is to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The core that it is bound to.
    pub core: Option<usize>,
    /// The control group that it joins.
    pub cgroup: Option<PathBuf>,
    /// The control group of the programs that it starts.
    pub programs: Option<PathBuf>,
}
