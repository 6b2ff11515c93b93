//! The number of models, by a small search. It counts parts without common variables separately and multiplies.
//!
//! The search branches on the variables of the squares first. So it finds the number of solutions by finding each
//! solution, and shows none. For each solution, the auxiliary variables take little longer if they fall apart, as
//! those of diagonals do: 171,966,464 models of `bitwise` at N = 8 are 92 products. The search has nothing in common
//! with the programs that count, and serves as a check of them.
//!
//! *Source.* R. J. Bayardo Jr., J. D. Pehoushek, "Counting Models Using Connected Components", AAAI 2000,
//! 157-162.

use bezzel_count::Halt;
use bezzel_encode::{ClauseHash, Formula, Lit, Tee, Var, models};
use bezzel_solve::{BackendInfo, SolverError, SolverErrorKind};

use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, Observer, Query, QueryInput,
};

const ID: &str = "components";

/// See the [module](self).
pub(super) struct ComponentsEngine;

impl Backend for ComponentsEngine {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: ID.to_owned(),
            title: "a search that counts parts which share no variable apart".to_owned(),
            version: "revision 1".to_owned(),
            citation: "Bayardo, Pehoushek, AAAI 2000, 157-162".to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: false, counts: true, models: true }
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let read = question.formula.expect("an engine that reads clauses is given a formula");
        let mut sink = Tee(ClauseHash::new(), Formula::new());
        read.write(&mut sink);
        let Tee(digest, formula) = sink;
        observer.loaded(Some(digest.finish()));
        let primary: Vec<Var> = read.images.range(0..read.primary).map(Lit::var).collect();
        let stop = conditions.interrupt();
        let counted = models::count_until(&formula, &primary, stop.flag());
        match counted {
            Ok((models, solutions)) => {
                let count = match question.query {
                    Query::Models => models.into(),
                    _ => solutions.into(),
                };
                Ok(BackendResult { count: Some(count), ..BackendResult::default() })
            }
            Err(_) if stop.is_raised() => Err(Halt::Stopped.into()),
            Err(_) => {
                let note = "there are more models, or the search is deeper, than it is made for";
                let solver_error =
                    SolverError { kind: SolverErrorKind::Fault, note: note.to_owned() };
                Err(BackendError::Program(solver_error))
            }
        }
    }
}
