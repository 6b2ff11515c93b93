//! Where and with what rows were measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What one session of the runner worked with. `environment.json` holds one for each session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// What was built.
    pub build: Build,
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
    /// The solvers of the experiment.
    pub solvers: BTreeMap<String, SolverBuild>,
    /// Jobs run at the same time.
    pub parallel: usize,
    /// When the session began, in seconds since 1970.
    pub started_unix_s: u64,
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
    /// The options with which it runs when none are given, in its own words.
    pub options: BTreeMap<String, String>,
}
