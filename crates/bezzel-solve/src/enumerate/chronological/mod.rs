//! `chronological`: all models by one search, without blocking clauses.
//!
//! *Idea.* A search that always undoes its last decision and then decides the negation visits every assignment
//! once. Models need not be excluded, and memory does not grow with their number. The projected variables are
//! decided first. When all of them have a value, a search below that level looks for values of the auxiliary
//! variables and stops at the first; the model is shown, and the last decision on a projected variable is undone.
//!
//! *Before the search* (`problem`): unit clauses are propagated, auxiliary variables eliminated (`eliminate`,
//! `pool`), and binary numbers replaced by variables for their values (`values`). Variables are renumbered, so that
//! the numbering of the formula makes little difference.
//!
//! *Decisions* (`network`, `heuristic`). The search branches on the clause with the fewest open literals among the
//! clauses in which exactly one literal is true; without such, on the first open variable of the projection.
//!
//! *Propagation* (`assignment`). The implications of a literal by binary clauses are a list; longer clauses count
//! their open literals, and decisions use the same counts. The search allocates no memory.
//!
//! *No clauses are learnt* from conflicts. A literal that is decided because its negation is finished has no reason
//! clause, so a search for all models learns little and pays for it at every step: on the board of side 12 clasp
//! has more conflicts with learning than this search without.
//!
//! *Options.* `eliminate` (true): auxiliary variables are eliminated before the search, where that enlarges the
//! formula only a little. Of most encodings only pairwise clauses are left then; without it, the search propagates
//! through the encoding. `values` (true): projected variables that only occur together, such as the bits of a
//! number, get a variable for each of their values, and these are decided.
//!
//! *Effort.* Decisions, those on auxiliary variables included; conflicts; propagated literals. There are no
//! restarts. The search is deterministic.
//!
//! *Sources.* Grumberg, Schuster, Yadgar: Memory Efficient All-Solutions SAT Solver and Its Application for
//! Reachability Analysis. FMCAD 2004, LNCS 3312, 275-289: decide projected variables first and store no models.
//! Möhle, Biere: Combining Conflict-Driven Clause Learning and Chronological Backtracking for Propositional Model
//! Counting. GCAI 2019, `EPiC` 65, 113-126. Spallitta, Sebastiani, Biere: Disjoint Partial Enumeration without
//! Blocking Clauses. AAAI 2024, 8126-8135. Toda, Soh: Implementing Efficient All Solutions SAT Solvers. ACM Journal
//! of Experimental Algorithmics 21 (2016), article 1.12, a survey with measurements.

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
use self::options::ChronologicalOptions;
use self::problem::SearchProblem;
use self::search::Search;
use super::{Enumeration, EnumerationEnd, Enumerator, Projection};
use crate::answer::Effort;
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, Interrupt, SessionOptions};

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
        Ok(ChronologicalOptions::read(ID, options)?.settings())
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Enumeration>, OptionError> {
        Ok(Box::new(ChronologicalEnumeration {
            options: ChronologicalOptions::read(ID, options)?,
            interrupt: session_options.interrupt.clone(),
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
    options: ChronologicalOptions,
    interrupt: Interrupt,
    projection: Vec<Code>,
    variables: u32,
    clauses: Clauses,
    effort: Effort,
}

/// Returns the index of a literal.
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

    fn each(&mut self, found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>) -> EnumerationEnd {
        let clauses = std::mem::take(&mut self.clauses);
        let is_interrupted = &mut || self.interrupt.is_raised();
        let problem = SearchProblem::new(
            clauses,
            self.variables as usize,
            &self.projection,
            self.options,
            is_interrupted,
        );
        let Ok(problem) = problem else {
            return EnumerationEnd::All;
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
