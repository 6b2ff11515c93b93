//! The solvers that can be named.

use std::sync::Arc;

use bezzel_encode::UnknownId;

use crate::batsat::BatSat;
use crate::cadical::Cadical;
use crate::solver::{Solver, SolverCard};

/// The solvers that can be named. A value, as the registry of encodings is: a program outside
/// this repository adds its own.
#[derive(Clone, Default)]
pub struct Solvers {
    solvers: Vec<Arc<dyn Solver>>,
}

impl Solvers {
    /// No solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// The solvers that Bezzel comes with.
    pub fn standard() -> Self {
        Self::new().with(Cadical::Default).with(Cadical::Plain).with(BatSat)
    }

    /// These solvers and one more.
    #[must_use]
    pub fn with(mut self, solver: impl Solver + 'static) -> Self {
        self.solvers.push(Arc::new(solver));
        self
    }

    /// The solvers, in order.
    pub fn all(&self) -> &[Arc<dyn Solver>] {
        &self.solvers
    }

    /// The cards of the solvers, in order.
    pub fn cards(&self) -> Vec<SolverCard> {
        self.solvers.iter().map(|solver| solver.card()).collect()
    }

    /// The solver of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the error names the nearest id.
    pub fn find(&self, id: &str) -> Result<Arc<dyn Solver>, UnknownId> {
        let found = self.solvers.iter().find(|solver| solver.card().id == id);
        let ids = || self.cards().into_iter().map(|card| card.id);
        found.map(Arc::clone).ok_or_else(|| UnknownId::new("solver", id, ids()))
    }
}
