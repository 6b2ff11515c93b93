//! `chronological`: all models by one search, without blocking clauses.
//!
//! *Idea.* A search that always takes back its last decision and then decides the contrary meets
//! every assignment once, so that models need not be excluded, and memory does not grow with
//! their number. The variables that tell models apart are decided first. When all of them have a
//! value, a search below that level looks for values of the auxiliary ones, and stops at the first;
//! the model is shown, and the last decision about a projected variable is taken back.
//!
//! *Before the search* (`problem`): clauses of one literal are propagated, auxiliary variables
//! eliminated (`eliminate`, `pool`), and binary numbers told by their values (`values`). Variables are
//! numbered anew, so that how a formula was numbered makes little difference.
//!
//! *Decisions* (`network`, `heuristic`). Of the clauses exactly one literal of which can hold, that with
//! the fewest open literals; without such, the first open variable of the projection.
//!
//! *Propagation* (`assignment`). What a literal implies by clauses of two is a list; longer clauses
//! count their open literals, which is what decisions want to know anyway. Nothing is allocated
//! while it searches.
//!
//! *Nothing is learnt* from conflicts. A literal that is decided because its contrary is done with has
//! no reason, so that a search for all models learns little, and pays for it at every step: on the
//! board of side 12 clasp meets more conflicts with learning than this search without.
//!
//! *Options.* `eliminate` (true): auxiliary variables are eliminated before the search, where that
//! makes the formula little larger. Of most encodings nothing else than pairwise clauses is left
//! then; without it, the search propagates what the encoding says. `values` (true): projected
//! variables that only occur together, as the bits of a number do, get a variable for each of their
//! values, and these are decided.
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
mod eliminate;
mod fix;
mod heuristic;
mod network;
mod options;
mod pool;
mod problem;
mod search;
#[cfg(test)]
mod tests;
mod values;

use std::ops::ControlFlow;

use bezzel_encode::{ClauseSink, Lit, VarRange};

use self::assignment::Value;
use self::clauses::Clauses;
use self::code::Code;
use self::options::Choices;
use self::problem::Problem;
use self::search::Search;
use super::{Enumeration, Enumerator, Projection, Reach};
use crate::answer::Effort;
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, Interrupt, Terms};

const ID: &str = "chronological";

/// All models by chronological backtracking, without blocking clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chronological;

impl Enumerator for Chronological {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: ID.to_owned(),
            title:
                "chronological backtracking without blocking clauses, after auxiliary variables \
                    are eliminated unless `eliminate` is false"
                    .to_owned(),
            version: "1".to_owned(),
            citation:
                "Bezzel; after Grumberg, Schuster, Yadgar, FMCAD 2004; Möhle, Biere, GCAI 2019; \
                       Spallitta, Sebastiani, Biere, AAAI 2024"
                    .to_owned(),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(Choices::read(ID, options)?.settings())
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Enumeration>, OptionError> {
        Ok(Box::new(ChronologicalEnumeration {
            choices: Choices::read(ID, options)?,
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
    choices: Choices,
    interrupt: Interrupt,
    projection: Vec<Code>,
    variables: u32,
    clauses: Clauses,
    effort: Effort,
}

/// The index of a literal.
fn code(lit: Lit) -> Code {
    Code(lit.lidx() as u32)
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
        self.projection = projection.lits.into_iter().map(code).collect();
    }

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> Reach {
        let clauses = std::mem::take(&mut self.clauses);
        let is_interrupted = &mut || self.interrupt.is_raised();
        let problem = Problem::new(
            clauses,
            self.variables as usize,
            &self.projection,
            self.choices,
            is_interrupted,
        );
        let Ok(problem) = problem else {
            return Reach::All;
        };
        let mut search = Search::new(&problem.network, &problem.fixed);
        let mut model = vec![false; problem.shown.len()];
        let reach = search.run(is_interrupted, &mut |assignment| {
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
