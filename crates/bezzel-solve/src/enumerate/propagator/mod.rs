//! All models in one search of CaDiCaL, through its external propagator.
//!
//! *Idea.* [Blocking](super::Blocking) starts a new search after each model. CaDiCaL's external propagator avoids
//! that: the solver asks it for decisions, notifies it of assignments, and takes a clause against a model during
//! the search. One literal of that clause is on the last level, so no conflict analysis is needed: the last
//! decision is flipped, and the search continues from there.
//!
//! *Decisions.* As long as a variable of the projection is open, only such variables are decided. Their order
//! matters most by far: see `choices.rs`. If the formula contains no choices (squares as numbers in binary), the
//! order of the projection is better than the solver's own heuristic.
//!
//! *Large boards.* Such an order can lead a search into a part without models that it does not leave in practice;
//! this happens on some boards with more than 50 rows. After a long time without a model, the search begins again
//! with the choices and their literals in random order. Each further such time is twice as long.
//!
//! *Clause.* The literals that these decisions propagate are true in every model with the decisions. A clause
//! against the decisions therefore excludes this model and no other, and it is half as long as one against all
//! queens (6.2 literals at N = 13). If CaDiCaL made a decision itself, for example by local search, the clause is
//! against all true literals, or all values.
//!
//! *Time of recording.* If no variable is auxiliary, a model is recorded when every variable is assigned without a
//! conflict. Otherwise the solver decides the auxiliary variables first: propagation alone does not show that they
//! have values.
//!
//! *Clauses are kept.* CaDiCaL would drop them if they were marked as forgettable. That is unsound: only its clause
//! and the clauses learned from it exclude a model. At a conflict the first unique implication point is negated,
//! which need not be the decision; the same decision may be made again later, and a model below it be found again.
//! This occurs: without restarts and with `chronoalways`, 2 of the 73,712 models at N = 13 came twice. Dropping
//! them gains nothing, since propagation through these clauses is not the main cost.
//!
//! *Batches.* The caller's function cannot be called during the search, since CaDiCaL owns its callbacks. Models
//! are therefore collected, and the search ends with the last of a batch as its answer. Batches grow from one
//! model, so that an enumeration of few models does not search for more than needed.
//!
//! *Cost.* A conflict of any kind takes CaDiCaL some 7 microseconds: two fifths propagation, the rest analysis,
//! minimisation, and the storage of learned clauses. Learned clauses save little: at N = 13 there are 161,000
//! conflicts, and a search that learned no clauses had 187,000. Inprocessing, restarts and the modes of backtracking
//! change the time by a few percent in either direction.
//!
//! *Source.* K. Fazekas, A. Niemetz, M. Preiner, M. Kirchweger, S. Szeider, A. Biere, "IPASIR-UP:
//! User Propagators for CDCL", SAT 2023, LIPIcs 271, 8.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use bezzel_encode::{ClauseSink, Lit, VarRange};
use cadical_sys::{CaDiCal, Status, Terminator};

use super::{Enumeration, EnumerationEnd, Enumerator, Projection};
use crate::answer::Effort;
use crate::cadical::{self, Cadical};
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Interrupt, SessionOptions, Solver};

mod callbacks;
mod choices;

use callbacks::SearchCallbacks;
use choices::Choices;

/// CaDiCaL's options where they differ from its default preset. Options of the caller take precedence.
///
/// The callbacks make the decisions, so the activity of variables in conflicts is not needed.
const OPTIONS: [(&str, i64); 3] = [("bump", 0), ("restart", 0), ("shrinkreap", 0)];

/// The largest number of values that are collected before models are shown, one for each literal of each model.
const MAX_COLLECTED: usize = 1 << 20;

/// CaDiCaL with an external propagator. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propagator;

impl Propagator {
    /// Returns our own options, overridden by `options`.
    fn options(options: &Options) -> Options {
        let own = OPTIONS.map(|(name, value)| (name.to_owned(), OptionValue::Integer(value)));
        let mut all = Options::from(own);
        all.extend(options.iter().map(|(name, &value)| (name.clone(), value)));
        all
    }
}

impl Enumerator for Propagator {
    fn info(&self) -> BackendInfo {
        let solver = Cadical::Default.info();
        BackendInfo {
            id: "propagator".to_owned(),
            title: "one search of CaDiCaL, steered by an external propagator".to_owned(),
            version: format!("{}, revision 1", solver.version),
            citation: format!("Fazekas et al., SAT 2023, LIPIcs 271, 8; {}", solver.citation),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Cadical::Default.settings(&Self::options(options))
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Enumeration>, OptionError> {
        let solver = Cadical::Default.configured(&Self::options(options))?;
        let interrupt = session_options.interrupt.clone();
        Ok(Box::new(PropagatorEnumeration {
            solver,
            interrupt,
            projection: Projection::default(),
            choices: Choices::default(),
            variables: 0,
            clause: Vec::new(),
        }))
    }
}

/// Ends a search that is interrupted or begins again.
struct SearchTerminator {
    interrupt: Interrupt,
    callbacks: Rc<RefCell<SearchCallbacks>>,
}

impl Terminator for SearchTerminator {
    fn terminated(&mut self) -> bool {
        self.interrupt.is_raised() || self.callbacks.borrow().is_stuck()
    }
}

struct PropagatorEnumeration {
    solver: CaDiCal,
    interrupt: Interrupt,
    projection: Projection,
    choices: Choices,
    variables: u32,
    /// A buffer for one clause in CaDiCaL's literals, reused for every clause.
    clause: Vec<i32>,
}

impl ClauseSink for PropagatorEnumeration {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        self.solver.declare_more_variables(count as i32);
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|lit| lit.to_ipasir()));
        self.solver.clause6(&self.clause);
        self.choices.offer(&self.clause);
    }
}

impl Enumeration for PropagatorEnumeration {
    fn set_projection(&mut self, projection: Projection) {
        let lits = projection.lits.iter().map(|lit| lit.to_ipasir());
        self.choices = Choices::among(lits, projection.trues_identify);
        self.projection = projection;
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> EnumerationEnd {
        if self.interrupt.is_raised() {
            return EnumerationEnd::Interrupted;
        }
        let mut choices = std::mem::take(&mut self.choices);
        choices.rank(&mut self.solver);
        let callbacks = SearchCallbacks::new(&self.projection, choices, self.variables);
        let observed = callbacks.observed().to_vec();
        let callbacks = Rc::new(RefCell::new(callbacks));
        let terminator = SearchTerminator {
            interrupt: self.interrupt.clone(),
            callbacks: Rc::clone(&callbacks),
        };
        self.solver.connect_terminator(terminator);
        self.solver.connect_external_propagator(Rc::clone(&callbacks));
        for variable in observed {
            self.solver.add_observed_var(variable);
        }
        // Observed variables stay; most of the others can be eliminated by resolution.
        if !callbacks.borrow().is_whole() {
            self.solver.simplify(1);
        }
        let max_batch = (MAX_COLLECTED / self.projection.lits.len().max(1)).max(1);
        let mut batch = 1;
        loop {
            callbacks.borrow_mut().collect(batch);
            let status = self.solver.solve();
            for model in callbacks.borrow().collected() {
                if found(model).is_break() {
                    return EnumerationEnd::Enough;
                }
                if self.interrupt.is_raised() {
                    return EnumerationEnd::Interrupted;
                }
            }
            match status {
                Status::UNSATISFIABLE => return EnumerationEnd::All,
                Status::UNKNOWN if !self.interrupt.is_raised() && callbacks.borrow().is_stuck() => {
                    callbacks.borrow_mut().reorder();
                    continue;
                }
                Status::UNKNOWN => return EnumerationEnd::Interrupted,
                Status::SATISFIABLE => {
                    // Copied, since the solver may backtrack and notify the callbacks.
                    self.clause.clear();
                    self.clause.extend_from_slice(callbacks.borrow().against_last());
                    self.solver.clause6(&self.clause);
                }
            }
            batch = (2 * batch).min(max_batch);
        }
    }

    fn effort(&self) -> Effort {
        cadical::effort(&self.solver)
    }
}
