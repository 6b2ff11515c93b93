//! CaDiCaL, through `cadical-sys`, which builds it from its C++ sources.
//!
//! *Options.* All options of CaDiCaL, under its own names, as whole numbers. `factor` (bounded variable addition)
//! is always set, since its default has changed between versions; it is 0 unless a config sets it. A row records
//! `factor` in every case, and all other options that differ from the defaults of the version.
//!
//! *Environment.* CaDiCaL silently reads `CADICAL_<OPTION>` variables when a solver is made. A process with a
//! cleared environment avoids this.
//!
//! *Effort.* Restarts are not reported. Zero conflicts are possible: preprocessing or a lucky guess can suffice.
//!
//! *Proofs.* LRAT in its binary form, which has a third of the size of the text and takes less time. Tracing
//! changes no answer, but costs time, and CaDiCaL skips techniques that it cannot justify in LRAT. A proof is a file, or
//! is stored in memory.

use std::path::PathBuf;

use bezzel_encode::{ClauseSink, Lit, VarRange};
use cadical_sys::{CaDiCal, ClauseIterator, State, Status, Terminator};

use crate::answer::{Answer, Effort, ProofFormat, Simplified};
use crate::inprocessing::{Inprocessing, Switch};
use crate::options::{OptionError, Options};
use crate::solver::{BackendInfo, Interrupt, Session, SessionOptions, Solver};

mod configure;
mod stored_proof;

use stored_proof::StoredProof;

/// CaDiCaL with one of its presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadical {
    /// The default configuration: `cadical`.
    Default,
    /// Without preprocessing and inprocessing, to compare encodings without their effect: `cadical:plain`.
    Plain,
}

impl Cadical {
    fn id(self) -> &'static str {
        match self {
            Self::Default => "cadical",
            Self::Plain => "cadical:plain",
        }
    }

    /// Returns a solver with this preset, overridden by `options`.
    ///
    /// # Errors
    ///
    /// An option is unknown or its value is impossible.
    pub(crate) fn configured(self, options: &Options) -> Result<CaDiCal, OptionError> {
        configure::configured(self, options)
    }

    /// Returns CaDiCaL's own name for the preset.
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
                Switch { technique: Inprocessing::Bva, option: "factor", default: false },
                Switch { technique: Inprocessing::Bve, option: "elim", default: true },
            ],
            // The preset without preprocessing and inprocessing.
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

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Session>, OptionError> {
        let mut solver = self.configured(options)?;
        let interrupt = session_options.interrupt.clone();
        solver.connect_terminator(InterruptTerminator(interrupt.clone()));
        let proof = session_options.proof.clone();
        if let Some(path) = &proof {
            configure::trace(&mut solver, self.id(), path)?;
        }
        let stored_proof = session_options.stored_proof_bytes.map(StoredProof::new);
        if let Some(stored) = &stored_proof {
            solver.connect_proof_tracer1(stored.clone(), true, false);
        }
        let clause = Vec::new();
        Ok(Box::new(CadicalSession {
            solver,
            interrupt,
            proof,
            stored_proof,
            variables: 0,
            clause,
        }))
    }
}

/// Lets CaDiCaL read the interrupt.
struct InterruptTerminator(Interrupt);

impl Terminator for InterruptTerminator {
    fn terminated(&mut self) -> bool {
        self.0.is_raised()
    }
}

/// The number of rounds of preprocessing that a simplification performs.
const ROUNDS: i32 = 1;

/// The counts of the clauses and literals that preprocessing leaves.
struct RemainingClauses<'a> {
    clauses: u64,
    literals: u64,
    each: &'a mut dyn FnMut(&[Lit]),
    /// The last clause that was shown.
    shown: Vec<Lit>,
}

impl ClauseIterator for RemainingClauses<'_> {
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

/// Returns the effort of the solver so far.
pub(crate) fn effort(solver: &CaDiCal) -> Effort {
    // CaDiCaL returns -1 for a statistic that it does not have.
    let statistic = |name| u64::try_from(solver.get_statistic_value(name)).ok();
    Effort {
        conflicts: statistic("conflicts"),
        decisions: statistic("decisions"),
        propagations: statistic("propagations"),
        restarts: statistic("restarts"),
        ticks: statistic("ticks"),
    }
}

struct CadicalSession {
    solver: CaDiCal,
    interrupt: Interrupt,
    /// The path of the proof, if one is written.
    proof: Option<PathBuf>,
    /// The proof in memory, if one is stored.
    stored_proof: Option<StoredProof>,
    variables: u32,
    /// A buffer for one clause in CaDiCaL's literals, reused for every clause.
    clause: Vec<i32>,
}

impl ClauseSink for CadicalSession {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        // Declared variables keep their numbers: CaDiCaL gives others to the variables that it adds.
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

    fn solve_within(&mut self, assumptions: &[Lit], conflicts: u32) -> Answer {
        // The limit is of the next call alone.
        self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        self.solve_under(assumptions)
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

    fn stored_proof(&mut self) -> Option<Vec<u8>> {
        let stored = self.stored_proof.take()?;
        if self.solver.state() != State::UNSATISFIED {
            return None;
        }
        self.solver.conclude();
        stored.take()
    }

    fn simplify(&mut self, each: &mut dyn FnMut(&[Lit])) -> Option<Simplified> {
        if self.interrupt.is_raised() {
            return None;
        }
        let answer = answer(self.solver.simplify(ROUNDS));
        let mut remaining = RemainingClauses { clauses: 0, literals: 0, each, shown: Vec::new() };
        self.solver.traverse_clauses(&mut remaining);
        let variables = u64::try_from(self.solver.active()).unwrap_or(0);
        Some(Simplified {
            variables,
            clauses: remaining.clauses,
            literals: remaining.literals,
            answer,
        })
    }
}
