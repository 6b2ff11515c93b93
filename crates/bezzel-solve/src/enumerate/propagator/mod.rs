//! All models in one search of CaDiCaL, through its external propagator.
//!
//! *Idea.* [Blocking](super::Blocking) begins anew after each model. But CaDiCaL can be watched and
//! steered while it searches: it asks what to decide, tells what is assigned, and takes a clause
//! against a model where it stands. One literal of that clause is on the last level, so nothing is
//! analysed: the last decision is turned round, and the search goes on from there.
//!
//! *Decisions.* As long as something of the projection is open, that is decided, and nothing else.
//! In which order matters most by far: see `choices.rs`. Where no choices are told by the formula
//! (squares as numbers in binary), the order of the projection is better than the solver's own
//! heuristic.
//!
//! *Large boards.* Such an order can lead a search to where nothing is, from where it does not come
//! back; on some boards with more than 50 rows it does. When long nothing was found, the search begins
//! anew with the choices and their literals in random order, after twice as long a time each.
//!
//! *Clause.* What these decisions propagate holds in every model in which they hold. So a clause
//! against the decisions excludes this model and no other, and it is half as long as one against all
//! queens (6.2 literals at N = 13). Where a decision was not ours, which local search can bring
//! about, the clause is against all that holds, or all values.
//!
//! *When.* If no variable is auxiliary, a model is taken down as soon as everything is assigned
//! without a conflict. Otherwise the solver decides the auxiliary variables first: that they have
//! values, propagation alone does not say.
//!
//! *Why the clauses stay.* CaDiCaL would forget them if they were called forgettable. That is unsound:
//! a model is excluded only by its clause and by what was learned from it. At a conflict the first
//! unique implication point is negated, which need not be the decision; that one may be made again
//! later, and a model below it be found again. It happens: without restarts and with `chronoalways`,
//! 2 of the 73,712 models at N = 13 came twice. And nothing is gained by it, since propagation through
//! these clauses is not what costs.
//!
//! *Batches.* What looks at the models cannot be called from within the search, since CaDiCaL keeps
//! what it calls. So models are collected, and the search ends with the last of a batch as its
//! answer. Batches grow from one model, so that few models cost no more than they must.
//!
//! *What costs.* A conflict, whatever it is for, takes CaDiCaL some 7 microseconds: two fifths
//! propagation, the rest analysis, minimisation, and the keeping of learned clauses. These save
//! little: at N = 13 there are 161,000 conflicts, and 187,000 in [`Chronological`](super::Chronological),
//! which learns nothing. Inprocessing, restarts and the ways of backtracking are worth a few percent
//! either way.
//!
//! *Source.* K. Fazekas, A. Niemetz, M. Preiner, M. Kirchweger, S. Szeider, A. Biere, "IPASIR-UP:
//! User Propagators for CDCL", SAT 2023, LIPIcs 271, 8.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use bezzel_encode::{ClauseSink, Lit, VarRange};
use cadical_sys::{CaDiCal, Status, Terminator};

use super::{Enumeration, Enumerator, Projection, Reach};
use crate::answer::Effort;
use crate::cadical::{self, Cadical};
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Interrupt, Solver, Terms};

mod choices;
mod guide;

use choices::Choices;
use guide::Guide;

/// CaDiCaL's options where they differ from its default preset; what is set by others goes first.
///
/// Decisions are ours, so that nothing need be known of how often a variable was in conflicts.
const OPTIONS: [(&str, i64); 3] = [("bump", 0), ("restart", 0), ("shrinkreap", 0)];

/// The most values that are collected before they are shown, one for each literal of each model.
const COLLECTED: usize = 1 << 20;

/// CaDiCaL with an external propagator. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propagator;

impl Propagator {
    /// `options` over our own.
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

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Enumeration>, OptionError> {
        let solver = Cadical::Default.configured(&Self::options(options))?;
        let interrupt = terms.interrupt.clone();
        Ok(Box::new(Searching {
            solver,
            interrupt,
            projection: Projection::default(),
            choices: Choices::default(),
            variables: 0,
            clause: Vec::new(),
        }))
    }
}

/// Ends a search that is to be given up, or begun anew.
struct Ended {
    interrupt: Interrupt,
    guide: Rc<RefCell<Guide>>,
}

impl Terminator for Ended {
    fn terminated(&mut self) -> bool {
        self.interrupt.is_raised() || self.guide.borrow().is_stuck()
    }
}

struct Searching {
    solver: CaDiCal,
    interrupt: Interrupt,
    projection: Projection,
    choices: Choices,
    variables: u32,
    /// One clause as CaDiCaL reads it; kept for its memory.
    clause: Vec<i32>,
}

impl ClauseSink for Searching {
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

impl Enumeration for Searching {
    fn set_projection(&mut self, projection: Projection) {
        let lits = projection.lits.iter().map(|lit| lit.to_ipasir());
        self.choices = Choices::among(lits, projection.trues_identify);
        self.projection = projection;
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> Reach {
        if self.interrupt.is_raised() {
            return Reach::Interrupted;
        }
        let mut choices = std::mem::take(&mut self.choices);
        choices.rank(&mut self.solver);
        let guide = Guide::new(&self.projection, choices, self.variables);
        let observed = guide.observed().to_vec();
        let guide = Rc::new(RefCell::new(guide));
        let ended = Ended { interrupt: self.interrupt.clone(), guide: Rc::clone(&guide) };
        self.solver.connect_terminator(ended);
        self.solver.connect_external_propagator(Rc::clone(&guide));
        for variable in observed {
            self.solver.add_observed_var(variable);
        }
        // Observed variables stay; of the others, most can be resolved away.
        if !guide.borrow().is_whole() {
            self.solver.simplify(1);
        }
        let most = (COLLECTED / self.projection.lits.len().max(1)).max(1);
        let mut batch = 1;
        loop {
            guide.borrow_mut().collect(batch);
            let status = self.solver.solve();
            for model in guide.borrow().collected() {
                if found(model).is_break() {
                    return Reach::Enough;
                }
                if self.interrupt.is_raised() {
                    return Reach::Interrupted;
                }
            }
            match status {
                Status::UNSATISFIABLE => return Reach::All,
                Status::UNKNOWN if !self.interrupt.is_raised() && guide.borrow().is_stuck() => {
                    guide.borrow_mut().reorder();
                    continue;
                }
                Status::UNKNOWN => return Reach::Interrupted,
                Status::SATISFIABLE => {
                    // Copied, since the solver may go back and tell the guide so.
                    self.clause.clear();
                    self.clause.extend_from_slice(guide.borrow().against_last());
                    self.solver.clause6(&self.clause);
                }
            }
            batch = (2 * batch).min(most);
        }
    }

    fn effort(&self) -> Effort {
        cadical::effort(&self.solver)
    }
}
