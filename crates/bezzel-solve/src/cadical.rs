//! CaDiCaL, through `cadical-sys`, which builds it from its C++ sources.
//!
//! *Options.* All that CaDiCaL has, under its own names, as whole numbers. `factor` (bounded
//! variable addition) is always set, since its default has changed from version to version: to 0
//! unless asked otherwise. What a row records is `factor`, whatever a config says, and whatever
//! differs from the defaults of the version.
//!
//! *Environment.* CaDiCaL reads `CADICAL_<OPTION>` variables when a solver is made, and says
//! nothing of it. They are kept out by running it in a process whose environment is cleared.
//!
//! *Effort.* Restarts are not told. Zero conflicts are a legitimate effort: preprocessing or a
//! lucky guess can be enough.
//!
//! *Proofs.* LRAT in its binary form, which is a third of the text and takes less time. Tracing
//! changes no answer, but costs time, and CaDiCaL leaves out what it cannot justify so.

use std::path::PathBuf;

use bezzel_encode::{ClauseSink, Lit, VarRange};
use cadical_sys::{CaDiCal, ClauseIterator, State, Status, Terminator};

use crate::answer::{Answer, Effort, ProofFormat, Simplified};
use crate::confounder::{Confounder, Switch};
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, Interrupt, Session, Solver, Terms};

mod configure;

/// CaDiCaL with one of its presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadical {
    /// As it comes: `cadical`.
    Default,
    /// Without preprocessing and inprocessing, so that an encoding's own merit shows:
    /// `cadical:plain`.
    Plain,
}

impl Cadical {
    fn id(self) -> &'static str {
        match self {
            Self::Default => "cadical",
            Self::Plain => "cadical:plain",
        }
    }

    /// A solver with this preset, and `options` over it.
    ///
    /// # Errors
    ///
    /// When an option is unknown or its value impossible.
    pub(crate) fn configured(self, options: &Options) -> Result<CaDiCal, OptionError> {
        configure::configured(self, options)
    }

    /// CaDiCaL's own name for the preset.
    fn configuration(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Plain => "plain",
        }
    }
}

impl Solver for Cadical {
    fn info(&self) -> BackendInfo {
        let title = match self {
            Self::Default => "CaDiCaL",
            Self::Plain => "CaDiCaL without preprocessing and inprocessing",
        };
        let citation = "Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0. \
                        CAV 2024, LNCS 14681, 133-152";
        BackendInfo {
            id: self.id().to_owned(),
            title: title.to_owned(),
            version: CaDiCal::version(),
            citation: citation.to_owned(),
        }
    }

    fn switches(&self) -> Vec<Switch> {
        match self {
            Self::Default => vec![
                Switch { confounder: Confounder::Reencode, option: "factor", default: false },
                Switch { confounder: Confounder::Eliminate, option: "elim", default: true },
            ],
            // The arm without either.
            Self::Plain => Vec::new(),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let mut solver = self.configured(options)?;
        Ok(configure::settings(&mut solver, options))
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        Some(ProofFormat::Lrat)
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Session>, OptionError> {
        let mut solver = self.configured(options)?;
        let interrupt = terms.interrupt.clone();
        solver.connect_terminator(Raised(interrupt.clone()));
        let proof = terms.proof.clone();
        if let Some(path) = &proof {
            configure::trace(&mut solver, self.id(), path)?;
        }
        let clause = Vec::new();
        Ok(Box::new(CadicalSession { solver, interrupt, proof, variables: 0, clause }))
    }
}

/// Lets CaDiCaL read the interrupt.
struct Raised(Interrupt);

impl Terminator for Raised {
    fn terminated(&mut self) -> bool {
        self.0.is_raised()
    }
}

/// So many rounds of preprocessing are what one asks for who asks for simplification.
const ROUNDS: i32 = 1;

/// What is left of a formula.
struct Left<'a> {
    clauses: u64,
    literals: u64,
    each: &'a mut dyn FnMut(&[Lit]),
    /// The last clause as it was shown.
    shown: Vec<Lit>,
}

impl ClauseIterator for Left<'_> {
    fn clause(&mut self, clause: &[i32]) -> bool {
        self.clauses += 1;
        self.literals += clause.len() as u64;
        self.shown.clear();
        self.shown.extend(clause.iter().filter_map(|&lit| Lit::from_ipasir(lit).ok()));
        (self.each)(&self.shown);
        true
    }
}

fn answer(status: Status) -> Answer {
    match status {
        Status::SATISFIABLE => Answer::Sat,
        Status::UNSATISFIABLE => Answer::Unsat,
        Status::UNKNOWN => Answer::Unknown,
    }
}

/// What the solver has done so far.
pub(crate) fn effort(solver: &CaDiCal) -> Effort {
    // What CaDiCaL does not tell is -1.
    let told = |name| u64::try_from(solver.get_statistic_value(name)).ok();
    Effort {
        conflicts: told("conflicts"),
        decisions: told("decisions"),
        propagations: told("propagations"),
        restarts: told("restarts"),
        ticks: told("ticks"),
    }
}

struct CadicalSession {
    solver: CaDiCal,
    interrupt: Interrupt,
    /// Where a proof is being written.
    proof: Option<PathBuf>,
    variables: u32,
    /// One clause as CaDiCaL reads it; kept for its memory.
    clause: Vec<i32>,
}

impl ClauseSink for CadicalSession {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        // Declared, so that no variable that CaDiCaL adds for itself gets a number of ours.
        let last = self.solver.declare_more_variables(count as i32);
        assert_eq!(last, self.variables as i32, "variables are declared in order");
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|lit| lit.to_ipasir()));
        self.solver.clause6(&self.clause);
    }
}

impl Session for CadicalSession {
    fn solve(&mut self) -> Answer {
        self.solve_under(&[])
    }

    fn solve_under(&mut self, assumptions: &[Lit]) -> Answer {
        // CaDiCaL might answer an easy formula before it asks the terminator.
        if self.interrupt.is_raised() {
            return Answer::Unknown;
        }
        for lit in assumptions {
            self.solver.assume(lit.to_ipasir());
        }
        answer(self.solver.solve())
    }

    fn holds(&mut self, lit: Lit) -> bool {
        let lit = lit.to_ipasir();
        // The answer is the literal or its negation, not a truth value.
        self.solver.val(lit) == lit
    }

    fn effort(&self) -> Effort {
        effort(&self.solver)
    }

    fn end_proof(&mut self) {
        if self.proof.take().is_some() {
            if self.solver.state() == State::UNSATISFIED {
                self.solver.conclude();
            }
            self.solver.close_proof_trace(false);
        }
    }

    fn simplify(&mut self, each: &mut dyn FnMut(&[Lit])) -> Option<Simplified> {
        if self.interrupt.is_raised() {
            return None;
        }
        let answer = answer(self.solver.simplify(ROUNDS));
        let mut left = Left { clauses: 0, literals: 0, each, shown: Vec::new() };
        self.solver.traverse_clauses(&mut left);
        let variables = u64::try_from(self.solver.active()).unwrap_or(0);
        Some(Simplified { variables, clauses: left.clauses, literals: left.literals, answer })
    }
}
