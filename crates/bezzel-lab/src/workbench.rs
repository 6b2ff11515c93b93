//! What experiments are made of: everything that a config can name.

use bezzel_encode::Registry;
use bezzel_solve::Solvers;

use crate::engine::Engines;
use crate::permission::Permission;

/// The encodings, solvers and engines at hand. A value like its parts: a program outside this
/// repository adds its own.
#[derive(Clone)]
pub struct Workbench {
    /// The encodings.
    pub encodings: Registry,
    /// The solvers.
    pub solvers: Solvers,
    /// The engines, which find all solutions.
    pub engines: Engines,
    /// The programs that may be started.
    pub permission: Permission,
}

impl Workbench {
    /// What Bezzel comes with; no program may be started.
    pub fn standard() -> Self {
        Self {
            encodings: Registry::standard(),
            solvers: Solvers::standard(),
            engines: Engines::standard(),
            permission: Permission::none(),
        }
    }

    /// The same with another permission to start programs.
    #[must_use]
    pub fn permitting(&self, permission: Permission) -> Self {
        Self { permission, ..self.clone() }
    }
}
