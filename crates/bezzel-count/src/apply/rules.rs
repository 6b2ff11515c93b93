//! The input of a diagram: a statement of the constraints of a problem.

use std::fmt;
use std::sync::Arc;

use bezzel_encode::circuit::Circuit;
use bezzel_encode::{ClauseSink, Encoding, Formula, FormulaStats, Lit, VarMap, VarRange};
use bezzel_problem::{Candidate, Grid, Problem};
use thiserror::Error;

use crate::budget::Halt;

/// A statement of the constraints of a problem, with its given and excluded candidates, ready to be built.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(super) grid: Grid,
    pub(super) given: Vec<Candidate>,
    pub(super) excluded: Vec<Candidate>,
    pub(super) map: VarMap,
    pub(super) form: Form,
}

/// The form in which the constraints are stated.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Gates over the primary variables.
    Gates(Circuit),
    /// Clauses over the primary variables.
    Clauses(Formula),
    /// Terms on candidates.
    Terms(Arc<dyn TermSource>),
}

/// One of the terms whose conjunction is built.
#[derive(Clone, Copy, Debug)]
pub enum Term<'a> {
    /// If this candidate is chosen, none of the others is.
    ExcludedBy {
        /// The candidate.
        chosen: Candidate,
        /// The others.
        others: &'a [Candidate],
    },
    /// One of these candidates is chosen.
    AnyOf(&'a [Candidate]),
}

/// Terms on the candidates of a problem, which are made one after the other.
pub trait TermSource: fmt::Debug + Send + Sync {
    /// Calls `term` with every term in order, until it is halted.
    ///
    /// # Errors
    ///
    /// That of `term`.
    fn each(&self, term: &mut dyn FnMut(Term<'_>) -> Result<(), Halt>) -> Result<(), Halt>;
}

/// The rules cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The clauses contain auxiliary variables.
    #[error(
        "`{id}` cannot be built as a diagram: it has {auxiliary} auxiliary variables without a \
         circuit that defines them; take an encoding without, or `bryant-circuit`"
    )]
    Auxiliary {
        /// The encoding.
        id: String,
        /// The number of its auxiliary variables on this instance.
        auxiliary: u32,
    },
    /// There are more levels than a diagram can have.
    #[error("a diagram has at most {MAX_VARIABLES} variables, the instance needs {0}")]
    Variables(usize),
}

/// The most variables of a diagram, whose levels are 16 bits.
const MAX_VARIABLES: usize = u16::MAX as usize;

impl Rules {
    /// Reads an encoding's circuit, or its clauses if it has no auxiliary variables.
    ///
    /// # Errors
    ///
    /// When it has neither, or too many variables.
    pub fn encoding(encoding: &dyn Encoding, problem: &Problem) -> Result<Self, RulesError> {
        if let Some(circuit) = encoding.circuit(problem) {
            let map = encoding.rules(problem, &mut FormulaStats::new());
            return Self::new(problem, map, Form::Gates(circuit));
        }
        let mut recorder = Recorder::default();
        let map = encoding.rules(problem, &mut recorder);
        let auxiliary = recorder.formula.variables() - recorder.primary.unwrap_or(0);
        if auxiliary > 0 {
            return Err(RulesError::Auxiliary { id: encoding.info().id, auxiliary });
        }
        Self::new(problem, map, Form::Clauses(recorder.formula))
    }

    /// The conjunction of these terms, with a variable for each candidate.
    ///
    /// # Errors
    ///
    /// When the problem has too many candidates.
    pub fn terms(problem: &Problem, terms: impl TermSource + 'static) -> Result<Self, RulesError> {
        let map = VarMap::one_per_candidate(VarRange::after(0, problem.candidates()));
        Self::new(problem, map, Form::Terms(Arc::new(terms)))
    }

    fn new(problem: &Problem, map: VarMap, form: Form) -> Result<Self, RulesError> {
        let variables = map.variables().len();
        if variables > MAX_VARIABLES {
            return Err(RulesError::Variables(variables));
        }
        let row = Grid { rows: 1, columns: problem.candidates() };
        Ok(Self {
            grid: problem.grid().unwrap_or(row),
            given: problem.given().to_vec(),
            excluded: problem.excluded().to_vec(),
            map,
            form,
        })
    }

    /// The meaning of the variables.
    pub fn map(&self) -> &VarMap {
        &self.map
    }
}

/// A formula, with the number of its primary variables.
#[derive(Default)]
struct Recorder {
    formula: Formula,
    primary: Option<u32>,
}

impl ClauseSink for Recorder {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.primary.get_or_insert(count);
        self.formula.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.clause(lits);
    }
}
