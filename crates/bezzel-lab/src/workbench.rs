//! What experiments are made of: everything that a config can name.

use std::sync::Arc;

use bezzel_encode::Registry;
use bezzel_solve::{Solver, Solvers};

use crate::engine::{self, Engine, Engines, FindEngineError};
use crate::permission::Permission;
use crate::solver_program::{self, FindSolverError};

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

    /// The engine of this name: one that is registered, a known counter, or a program by its command line. A
    /// program runs only with the permission of the workbench.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn engine(&self, name: &str) -> Result<Arc<dyn Engine>, FindEngineError> {
        engine::find(&self.engines, &self.permission, name)
    }

    /// The solver of this name: one that is registered, a preset, or a program by its command line. A program
    /// runs only with the permission of the workbench.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn solver(&self, name: &str) -> Result<Arc<dyn Solver>, FindSolverError> {
        solver_program::find(&self.solvers, &self.permission, name)
    }

    /// The same with another permission to start programs.
    #[must_use]
    pub fn permitting(&self, permission: Permission) -> Self {
        Self { permission, ..self.clone() }
    }
}
