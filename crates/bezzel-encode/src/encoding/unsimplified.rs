//! An encoding that cannot leave out blocked squares, asked to do so.

use std::sync::Arc;

use bezzel_problem::Problem;

use super::Encoding;
use crate::card::Card;
use crate::circuit::Circuit;
use crate::constraints::Misfit;
use crate::settings::Blocked;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// An encoding of whole boards that always leaves blocked squares to the solver: where a square is
/// blocked, there is nothing that could be measured under another name.
pub(crate) struct Unsimplified(pub(crate) Arc<dyn Encoding>);

impl Encoding for Unsimplified {
    fn card(&self) -> Card {
        self.0.card()
    }

    fn fits(&self, problem: &Problem) -> Result<(), Misfit> {
        self.0.fits(problem)?;
        if problem.excluded().is_empty() {
            return Ok(());
        }
        let what = format!("`{}` under `blocked: {}`", self.card().id, Blocked::Simplified);
        let why = match problem.board() {
            Some(_) => {
                "only encodings of lines can leave blocked squares out, and it encodes the whole \
                 board"
            }
            None => "only encodings of groups can leave excluded candidates out",
        };
        Err(Misfit::new(what, problem, why, "take `blocked: units`"))
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        self.0.size(problem)
    }

    fn circuit(&self, problem: &Problem) -> Option<Circuit> {
        self.0.circuit(problem)
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        self.0.rules(problem, out)
    }

    fn encode(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        self.0.encode(problem, out)
    }
}
