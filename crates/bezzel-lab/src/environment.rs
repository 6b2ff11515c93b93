//! Where and with what rows were measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What one session of the runner worked with. `environment.json` holds one for each session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Bezzel's version.
    pub bezzel_version: String,
    /// The git revision that was built, if it was built from a repository.
    pub git_revision: Option<String>,
    /// Whether the work tree had changes that the revision does not have.
    pub git_dirty: Option<bool>,
    /// The compiler.
    pub rustc: String,
    /// The model of the CPU.
    pub cpu_model: Option<String>,
    /// Logical cores.
    pub cores: Option<u32>,
    /// Physical memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// The kernel's name and release.
    pub kernel: Option<String>,
    /// The distribution.
    pub system: Option<String>,
    /// Versions of the solvers, by id.
    pub solvers: BTreeMap<String, String>,
    /// Jobs run at the same time.
    pub parallel: u32,
    /// When the session began, in seconds since 1970.
    pub started_unix_s: u64,
}
