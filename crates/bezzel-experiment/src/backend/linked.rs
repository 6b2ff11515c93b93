//! The linked solvers as backends.

use std::sync::Arc;

use bezzel_solve::{
    BackendInfo, OptionError, Options, ProofFormat, Session, SessionOptions, Solver, Switch,
};

use super::{Backend, Capabilities};
use crate::model::permission::Permission;

/// A linked solver.
pub(super) struct LinkedSolver(pub(super) Arc<dyn Solver>);

impl Backend for LinkedSolver {
    fn info(&self) -> BackendInfo {
        self.0.info()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SOLVER
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        self.0.settings(options)
    }

    fn switches(&self) -> Vec<Switch> {
        self.0.switches()
    }

    fn takes_cardinality(&self) -> bool {
        self.0.takes_cardinality()
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.0.proof_format()
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
        _permission: &Permission,
    ) -> Result<Box<dyn Session>, OptionError> {
        self.0.open(options, session_options)
    }
}
