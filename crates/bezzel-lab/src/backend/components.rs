//! Models, by a small search that counts parts which share no variable apart and multiplies.
//!
//! It branches on the variables of the squares first, so it finds the number of solutions by finding each,
//! and shows none. What auxiliary variables do behind each of them takes little longer when they fall
//! apart, as those of diagonals do: 171,966,464 models of `bitwise` at N = 8 are 92 products. It has nothing
//! in common with a program that counts, which it is there to check.
//!
//! *Source.* R. J. Bayardo Jr., J. D. Pehoushek, "Counting Models Using Connected Components", AAAI 2000,
//! 157-162.

use bezzel_count::Halt;
use bezzel_encode::{Digest, Formula, Lit, Tee, Var, models};
use bezzel_solve::{BackendInfo, Trouble, TroubleKind};

use super::{Backend, BackendError, Capabilities, Conditions, Observer, Outcome, Query, Question};

const ID: &str = "components";

/// See the [module](self).
pub(super) struct Components;

impl Backend for Components {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: ID.to_owned(),
            title: "a search that counts parts which share no variable apart".to_owned(),
            version: "revision 1".to_owned(),
            citation: "Bayardo, Pehoushek, AAAI 2000, 157-162".to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: false, counts: true, classes: false, models: true }
    }

    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, BackendError> {
        let read = question.formula.expect("an engine that reads clauses is given a formula");
        let mut sink = Tee(Digest::new(), Formula::new());
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
                Ok(Outcome { count: Some(count), ..Outcome::default() })
            }
            Err(_) if stop.is_raised() => Err(Halt::Stopped.into()),
            Err(_) => {
                let note = "there are more models, or the search is deeper, than it is made for";
                let trouble = Trouble { kind: TroubleKind::Fault, note: note.to_owned() };
                Err(BackendError::Program(trouble))
            }
        }
    }
}
