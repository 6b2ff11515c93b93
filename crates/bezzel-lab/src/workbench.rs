//! What experiments are made of: everything that a config can name.

use bezzel_encode::Registry;
use bezzel_solve::Solvers;

use crate::engine::Engines;

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
}

impl Workbench {
    /// What Bezzel comes with.
    pub fn standard() -> Self {
        Self {
            encodings: Registry::standard(),
            solvers: Solvers::standard(),
            engines: Engines::standard(),
        }
    }
}
