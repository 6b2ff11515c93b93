//! `chronological`: all models by one search, without blocking clauses.
//!
//! *Idea.* A search that always takes back its last decision and then decides the contrary meets
//! every assignment once, so that models need not be excluded, and memory does not grow with
//! their number. The variables that tell models apart are decided first. When all of them have a
//! value, a search below that level looks for values of the auxiliary ones, and stops at the first;
//! the model is shown, and the last decision about a projected variable is taken back.
//!
//! *Effort.* Decisions, those about auxiliary variables included; conflicts; propagated literals.
//! There are no restarts. Nothing depends on chance.
//!
//! *Sources.* Grumberg, Schuster, Yadgar: Memory Efficient All-Solutions SAT Solver and Its
//! Application for Reachability Analysis. FMCAD 2004, LNCS 3312, 275-289: decide what matters first,
//! and forget what was found. Möhle, Biere: Combining Conflict-Driven Clause Learning and
//! Chronological Backtracking for Propositional Model Counting. GCAI 2019, `EPiC` 65, 113-126.
//! Spallitta, Sebastiani, Biere: Disjoint Partial Enumeration without Blocking Clauses. AAAI 2024,
//! 8126-8135. Toda, Soh: Implementing Efficient All Solutions SAT Solvers. ACM Journal of
//! Experimental Algorithmics 21 (2016), article 1.12, a survey with measurements.

mod assignment;
mod clauses;
mod code;
mod fix;
mod heuristic;
mod network;
mod problem;
mod search;

use std::ops::ControlFlow;

use bezzel_encode::{ClauseSink, Lit, VarRange};

use self::assignment::Value;
use self::clauses::Clauses;
use self::problem::{Problem, code};
use self::search::Search;
use super::{Enumeration, Enumerator, Projection, Reach};
use crate::answer::Effort;
use crate::options::{OptionError, Options};
use crate::solver::{Interrupt, SolverCard, Terms};

const ID: &str = "chronological";

/// All models by chronological backtracking, without blocking clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chronological;

impl Enumerator for Chronological {
    fn card(&self) -> SolverCard {
        SolverCard {
            id: ID.to_owned(),
            title: "chronological backtracking without blocking clauses".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            citation:
                "Bezzel; after Grumberg, Schuster, Yadgar, FMCAD 2004; Möhle, Biere, GCAI 2019; \
                       Spallitta, Sebastiani, Biere, AAAI 2024"
                    .to_owned(),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        match options.keys().next() {
            None => Ok(Options::new()),
            Some(option) => Err(OptionError::unknown(ID, option, [""; 0])),
        }
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Enumeration>, OptionError> {
        self.settings(options)?;
        Ok(Box::new(ChronologicalEnumeration {
            interrupt: terms.interrupt.clone(),
            projection: Vec::new(),
            variables: 0,
            clauses: Clauses::default(),
            effort: Effort {
                conflicts: Some(0),
                decisions: Some(0),
                propagations: Some(0),
                ..Effort::default()
            },
        }))
    }
}

struct ChronologicalEnumeration {
    interrupt: Interrupt,
    projection: Vec<Lit>,
    variables: u32,
    clauses: Clauses,
    effort: Effort,
}

impl ClauseSink for ChronologicalEnumeration {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses.add(lits.iter().map(|&lit| code(lit)));
    }
}

impl Enumeration for ChronologicalEnumeration {
    fn set_projection(&mut self, projection: Projection) {
        self.projection = projection.lits;
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> Reach {
        let clauses = std::mem::take(&mut self.clauses);
        let Ok(problem) = Problem::new(clauses, self.variables as usize, &self.projection) else {
            return Reach::All;
        };
        let mut search = Search::new(&problem.network, &problem.fixed);
        let mut model = vec![false; problem.shown.len()];
        let reach = search.run(&mut || self.interrupt.is_raised(), &mut |assignment| {
            for (value, &code) in model.iter_mut().zip(&problem.shown) {
                *value = assignment.value(code) == Value::True;
            }
            found(&model)
        });
        self.effort = Effort {
            conflicts: Some(search.conflicts),
            decisions: Some(search.decisions),
            propagations: Some(search.propagations()),
            ..Effort::default()
        };
        reach
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
