//! The environment of a session: build, machine and solvers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The environment of one session of the runner, as its first line states it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The build of Bezzel.
    pub build: Build,
    /// The name of the machine; none in sessions of versions that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The name of the record of which this session ran some jobs again, if it did.
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
    /// The start of the session, in seconds since 1970.
    pub started_unix_s: u64,
}

/// The build, as the build script recorded it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Bezzel's version.
    pub version: String,
    /// The git revision, if it was built from a repository.
    pub git_revision: Option<String>,
    /// True if the sources had changes that the revision does not have.
    pub git_dirty: Option<bool>,
    /// The compiler.
    pub rustc: Option<String>,
    /// The profile, as in `dev`. None in rows of versions that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The level of optimisation of the crates that compute, as in `3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opt_level: Option<String>,
    /// True if these crates were built at level 3 and without debug assertions.
    pub optimised: bool,
}

/// A solver as it was built in, or a solver that is a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverBuild {
    /// The solver's own version.
    pub version: String,
    /// For a program: the BLAKE3 of its file and of the files that its command line names, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The options with which it ran, under the solver's own names. Options that the config varies are in the rows.
    pub options: BTreeMap<String, String>,
}
