//! All models by asking again: solve, show the model, add a clause that excludes it, solve again.
//!
//! *Idea.* What everybody does first, with any solver that goes on after its answer. Cao did so
//! with MiniSat through PySAT; of the solvers linked here BatSat is the nearest to it.
//!
//! *Clause.* It speaks of the projection alone, so that a model that differs in auxiliary variables
//! only is not found again. It negates the literals that hold, where these tell a model already:
//! one for each queen instead of one for each square. Otherwise, and with the option `block_all`, it
//! negates the value of each, which is what `enum_models` of PySAT does.
//!
//! *Given queens* are stated by the formula, or assumed, or [passed over](super::given) where they are
//! not there, by the options `assume` and `filter`.
//!
//! *What costs.* Every model begins a search from the root, and leaves a clause behind that is
//! never dropped: after k models, propagation reads up to k more clauses. With CaDiCaL two thirds
//! of the time go into something else: before each search it tries some assignments that formulas
//! with luck have for a model. With the option `lucky` at 0 it takes a third of the time at N = 12 and
//! 13. Once that is gone, to go on from the last model (`ilb` at 2) or to leave out inprocessing
//! saves little. To MiniSat's kin the longer clause is better, by a quarter; to CaDiCaL it
//! makes no difference.
//!
//! *Source.* K. L. McMillan, "Applying SAT Methods in Unbounded Symbolic Model Checking", CAV 2002,
//! LNCS 2404, 250-264.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{ClauseSink, Lit, VarRange};

use super::given::{self, BLOCKING as ID, Given};
use super::{Enumeration, Enumerator, Projection, Reach};
use crate::answer::{Answer, Effort};
use crate::batsat;
use crate::cadical::Cadical;
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Session, Solver, Terms};

/// Our own option: whether a clause names all literals of the projection, whether they hold or not.
const BLOCK_ALL: &str = "block_all";

/// Blocking clauses, with some solver. See the [module](self).
#[derive(Clone)]
pub struct Blocking {
    id: String,
    solver: Arc<dyn Solver>,
}

impl Default for Blocking {
    /// With CaDiCaL as it comes: `blocking`.
    fn default() -> Self {
        Self { id: ID.to_owned(), solver: Arc::new(Cadical::Default) }
    }
}

impl Blocking {
    /// With this solver: `blocking:` and the solver's id.
    pub fn with(solver: impl Solver + 'static) -> Self {
        Self { id: format!("{ID}:{}", solver.info().id), solver: Arc::new(solver) }
    }
}

impl Blocking {
    /// Our own options, and those of the solver.
    fn parted(&self, options: &Options) -> Result<(Own, Options), OptionError> {
        let mut rest = options.clone();
        let block_all = given::flag(&self.id, BLOCK_ALL, &mut rest)?;
        let given = Given::take(&self.id, &mut rest)?;
        Ok((Own { block_all, given }, rest))
    }

    /// The options of the solver with which it runs.
    fn solver_settings(&self, options: &Options) -> Result<Options, OptionError> {
        let settings = self.solver.settings(options)?;
        // Such an answer may be no model at all: the auxiliary variables may have no values left.
        let no = OptionValue::Flag(false);
        if settings.get(batsat::DECIDE_AUXILIARY) == Some(&no) {
            let reason = "what is shown must be a model, so every variable is decided";
            return Err(OptionError::value(&self.id, batsat::DECIDE_AUXILIARY, no, reason));
        }
        Ok(settings)
    }
}

impl Enumerator for Blocking {
    fn info(&self) -> BackendInfo {
        let solver = self.solver.info();
        BackendInfo {
            id: self.id.clone(),
            title: format!("a clause against every model found, with {}", solver.title),
            version: format!("{}, revision 1", solver.version),
            citation: format!("McMillan, CAV 2002, LNCS 2404, 250-264; {}", solver.citation),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let (own, rest) = self.parted(options)?;
        let mut settings = self.solver_settings(&rest)?;
        settings.insert(BLOCK_ALL.to_owned(), OptionValue::Flag(own.block_all));
        own.given.record(&mut settings);
        Ok(settings)
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Enumeration>, OptionError> {
        let (own, rest) = self.parted(options)?;
        self.solver_settings(&rest)?;
        let session = self.solver.open(&rest, terms)?;
        Ok(Box::new(Asking { session, own, projection: Projection::default() }))
    }
}

/// What our own options say.
#[derive(Clone, Copy)]
struct Own {
    block_all: bool,
    given: Given,
}

struct Asking {
    session: Box<dyn Session>,
    own: Own,
    projection: Projection,
}

impl ClauseSink for Asking {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.session.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.session.clause(lits);
    }

    fn section(&mut self, name: &str) {
        self.session.section(name);
    }

    fn takes_cardinality(&self) -> bool {
        self.session.takes_cardinality()
    }

    fn at_most_one(&mut self, xs: &[Lit]) {
        self.session.at_most_one(xs);
    }
}

impl Enumeration for Asking {
    fn set_projection(&mut self, projection: Projection) {
        self.session.set_primary(&mut projection.lits.iter().copied());
        self.projection = projection;
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> Reach {
        let Projection { lits, trues_identify, given } = &self.projection;
        let name_all = self.own.block_all || !trues_identify;
        let assumed: &[Lit] = if self.own.given == Given::Assumed { given } else { &[] };
        let wanted: &[Lit] = if self.own.given == Given::Filtered { given } else { &[] };
        // One of each for all models, kept for their memory.
        let mut model = Vec::with_capacity(lits.len());
        let mut clause = Vec::with_capacity(lits.len());
        loop {
            match self.session.solve_under(assumed) {
                Answer::Sat => {}
                Answer::Unsat => return Reach::All,
                Answer::Unknown => return Reach::Interrupted,
            }
            model.clear();
            clause.clear();
            for &lit in lits {
                let holds = self.session.holds(lit);
                model.push(holds);
                if holds {
                    clause.push(!lit);
                } else if name_all {
                    clause.push(lit);
                }
            }
            let is_wanted = wanted.iter().all(|&lit| self.session.holds(lit));
            if is_wanted && found(&model).is_break() {
                return Reach::Enough;
            }
            self.session.clause(&clause);
        }
    }

    fn effort(&self) -> Effort {
        self.session.effort()
    }
}
