//! All models by blocking clauses: solve, show the model, add a clause that excludes it, solve again.
//!
//! *Idea.* The simplest method. It works with any incremental solver. Cao used it with MiniSat through PySAT; of
//! the solvers linked here, BatSat is the closest to MiniSat.
//!
//! *Clause.* It contains literals of the projection only, so that a model that differs in auxiliary variables only
//! is not found again. If the true literals identify a model, the clause negates these: one for each queen instead
//! of one for each square. Otherwise, and with the option `block_all`, it negates the value of each literal, as
//! `enum_models` of PySAT does.
//!
//! *Given candidates* are part of the formula, or assumptions, or [filtered](super::given) by the options `assume` and
//! `filter`.
//!
//! *Cost.* Every model restarts the search from the root and adds a clause that is never dropped: after k models,
//! propagation reads up to k more clauses. CaDiCaL spends two thirds of the time on lucky phases: before each
//! search it tries some assignments that satisfy easy formulas. With the option `lucky` at 0 it takes a third of
//! the time at N = 12 and 13. With that setting, continuing from the last model (`ilb` at 2) or disabling
//! inprocessing saves little. For MiniSat and BatSat the longer clause is better, by a quarter; for CaDiCaL it
//! makes no difference.
//!
//! *Source.* K. L. McMillan, "Applying SAT Methods in Unbounded Symbolic Model Checking", CAV 2002,
//! LNCS 2404, 250-264.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{ClauseSink, Lit, VarRange};

use super::given::{self, BLOCKING as ID, GivenCandidates};
use super::{Enumeration, EnumerationEnd, Enumerator, Projection};
use crate::answer::{Answer, Effort};
use crate::batsat;
use crate::cadical::Cadical;
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Session, SessionOptions, Solver};

/// Our own option: true if a clause contains all literals of the projection, true or false.
const BLOCK_ALL: &str = "block_all";

/// Blocking clauses, with some solver. See the [module](self).
#[derive(Clone)]
pub struct Blocking {
    id: String,
    solver: Arc<dyn Solver>,
}

impl Default for Blocking {
    /// Blocking clauses with CaDiCaL in its default configuration: `blocking`.
    fn default() -> Self {
        Self { id: ID.to_owned(), solver: Arc::new(Cadical::Default) }
    }
}

impl Blocking {
    /// Blocking clauses with this solver: `blocking:` and the solver's id.
    pub fn with(solver: impl Solver + 'static) -> Self {
        Self { id: format!("{ID}:{}", solver.info().id), solver: Arc::new(solver) }
    }
}

impl Blocking {
    /// Splits `options` into our own options and those of the solver.
    fn split_options(&self, options: &Options) -> Result<(BlockingOptions, Options), OptionError> {
        let mut rest = options.clone();
        let block_all = given::flag(&self.id, BLOCK_ALL, &mut rest)?;
        let given = GivenCandidates::take(&self.id, &mut rest)?;
        Ok((BlockingOptions { block_all, given }, rest))
    }

    /// Returns the options with which the solver runs.
    fn solver_settings(&self, options: &Options) -> Result<Options, OptionError> {
        let settings = self.solver.settings(options)?;
        // Without decisions on auxiliary variables an answer may be no model: they may have no consistent values.
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
        let (own, rest) = self.split_options(options)?;
        let mut settings = self.solver_settings(&rest)?;
        settings.insert(BLOCK_ALL.to_owned(), OptionValue::Flag(own.block_all));
        own.given.record(&mut settings);
        Ok(settings)
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Enumeration>, OptionError> {
        let (own, rest) = self.split_options(options)?;
        self.solver_settings(&rest)?;
        let session = self.solver.open(&rest, session_options)?;
        Ok(Box::new(BlockingEnumeration { session, own, projection: Projection::default() }))
    }
}

/// The values of our own options.
#[derive(Clone, Copy)]
struct BlockingOptions {
    block_all: bool,
    given: GivenCandidates,
}

struct BlockingEnumeration {
    session: Box<dyn Session>,
    own: BlockingOptions,
    projection: Projection,
}

impl ClauseSink for BlockingEnumeration {
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

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        self.session.at_most(xs, k);
    }
}

impl Enumeration for BlockingEnumeration {
    fn set_projection(&mut self, projection: Projection) {
        self.session.set_primary(&mut projection.lits.iter().copied());
        self.projection = projection;
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> EnumerationEnd {
        let Projection { lits, distinct, trues_identify, given } = &self.projection;
        let name_all = self.own.block_all || !trues_identify;
        let assumed: &[Lit] = if self.own.given == GivenCandidates::Assumed { given } else { &[] };
        let required: &[Lit] =
            if self.own.given == GivenCandidates::Filtered { given } else { &[] };
        // Both buffers are reused for all models.
        let mut model = Vec::with_capacity(lits.len());
        let mut clause = Vec::with_capacity(lits.len());
        loop {
            match self.session.solve_under(assumed) {
                Answer::Sat => {}
                Answer::Unsat => return EnumerationEnd::All,
                Answer::Unknown => return EnumerationEnd::Interrupted,
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
            if let Some(places) = distinct {
                clause.clear();
                clause
                    .extend(places.iter().map(|&at| if model[at] { !lits[at] } else { lits[at] }));
            }
            let has_required = required.iter().all(|&lit| self.session.holds(lit));
            if has_required && found(&model).is_break() {
                return EnumerationEnd::Enough;
            }
            self.session.clause(&clause);
        }
    }

    fn effort(&self) -> Effort {
        self.session.effort()
    }
}
