//! Where and with what rows were measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What one session of the runner worked with. `environment.json` holds one for each session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// What was built.
    pub build: Build,
    /// Who measured, where it was not Bezzel's own runner: as in `BenchExec 3.35`. What was built
    /// imported the results then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_by: Option<String>,
    /// The attempt at a shard that this session is, where the experiment was cut into shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
    /// The name of the machine, where several may have taken part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What the batch system of a cluster called it, where one started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterTask>,
    /// The name of the record of which some jobs were run again, where that was what for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduces: Option<String>,
    /// The model of the CPU.
    pub cpu_model: Option<String>,
    /// Logical cores.
    pub cores: Option<usize>,
    /// Physical memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The distribution.
    pub system: Option<String>,
    /// The solvers of the experiment, and its engines.
    pub solvers: BTreeMap<String, SolverBuild>,
    /// Jobs run at the same time.
    pub parallel: u32,
    /// When the session began, in seconds since 1970.
    pub started_unix_s: u64,
    /// Nothing is known of this session: rows name it, and the list of sessions lacked it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

/// A task of a cluster's batch system. What it calls a task may be another one later: its numbers come
/// back, and a task may run twice without being told so. They tell where to look, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterTask {
    /// The batch system: `slurm`.
    pub scheduler: String,
    /// The number of the job, of an array that of the whole.
    pub job: u64,
    /// The number of the task in its array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<u32>,
    /// How often it was started again, as far as the batch system knows.
    pub restarts: u32,
    /// The node's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
}

impl ClusterTask {
    /// What the batch system has told this process, by these variables of the environment, if one
    /// started it.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name| variable(name)?.parse::<u64>().ok();
        let job = number("SLURM_ARRAY_JOB_ID").or_else(|| number("SLURM_JOB_ID"))?;
        let small = |name| number(name).and_then(|number| number.try_into().ok());
        Some(Self {
            scheduler: "slurm".into(),
            job,
            task: small("SLURM_ARRAY_TASK_ID"),
            restarts: small("SLURM_RESTART_COUNT").unwrap_or_default(),
            node: variable("SLURMD_NODENAME"),
            partition: variable("SLURM_JOB_PARTITION"),
        })
    }
}

/// What was built, as the build wrote it down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Bezzel's version.
    pub version: String,
    /// The git revision, if it was built from a repository.
    pub git_revision: Option<String>,
    /// Whether the sources had changes that the revision does not have.
    pub git_dirty: Option<bool>,
    /// The compiler.
    pub rustc: Option<String>,
    /// Whether it was built with optimisation.
    pub optimised: bool,
}

/// A solver as it was built in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverBuild {
    /// The solver's own version.
    pub version: String,
    /// Where it is a program: the BLAKE3 of its file and of the files that its command line names,
    /// as hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The options with which it ran, in its own words; those that the config varies are left to
    /// the rows.
    pub options: BTreeMap<String, String>,
}

impl Environment {
    /// What stands for a session that the list of sessions lacks.
    pub fn lost() -> Self {
        Self { lost: true, ..Self::default() }
    }
}
