//! An encoding that cannot leave out blocked squares, under the setting that asks for it.

use std::sync::Arc;

use bezzel_problem::Problem;

use super::{EncoderShapes, Encoding};
use crate::circuit::Circuit;
use crate::constraints::Unsupported;
use crate::info::EncodingInfo;
use crate::settings::Blocked;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// An encoding of whole boards that always leaves blocked squares to the solver. Boards with blocked squares are
/// refused, so that nothing is measured under a wrong name.
pub(crate) struct Unsimplified(pub(crate) Arc<dyn Encoding>);

impl Encoding for Unsimplified {
    fn info(&self) -> EncodingInfo {
        self.0.info()
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        self.0.fits(problem)?;
        if problem.excluded().is_empty() {
            return Ok(());
        }
        let what = format!("`{}` under `blocked: {}`", self.info().id, Blocked::Simplified);
        let why = match problem.board() {
            Some(_) => {
                "only encodings of lines can leave blocked squares out, and it encodes the whole \
                 board"
            }
            None => "only encodings of groups can leave excluded candidates out",
        };
        Err(Unsupported::new(what, problem, why, "take `blocked: units`"))
    }

    fn shapes(&self, problem: &Problem) -> EncoderShapes {
        self.0.shapes(problem)
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
