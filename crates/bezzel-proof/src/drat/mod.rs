//! Checks DRAT proofs, forwards: every clause is checked when it is added.
//!
//! DRAT (Wetzler, Heule, Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal Proofs*, SAT 2014)
//! is LRAT without numbers and hints: a step adds a clause or deletes one. The checker must therefore search the
//! propagating clauses, with two watched literals for each clause, as solvers do it. A check takes about as long as
//! solving did.
//!
//! - A clause may be added if unit propagation finds a conflict where its literals are false; or if, by its first
//!   literal, it does in the resolvents with all clauses that contain that literal's negation.
//! - The proof is accepted at the first empty clause, and already where the live clauses contradict each other by unit
//!   propagation alone.
//! - *Deleting a clause that propagates a literal on the top level* is ignored, and counted. Solvers delete such
//!   clauses though they keep the literal; DRAT-trim ignores it as well. This accepts no false step, since more clauses
//!   stay.
//! - Deleting a clause that does not exist is allowed, and counted.
//! - Text: `1 -2 0` and `d 1 -2 0`, lines of comments that begin with `c` or `o`, as some solvers write them. Binary:
//!   `a` or `d`, the literals as in LRAT, 0. A proof is binary if it begins with `a`, or if it begins with `d` and has
//!   a byte 0, with which every binary step ends, among the first 64 KiB.

use std::io::Read;

use crate::limits::{Budget, Limits};
use crate::literal::code;
use crate::proof_stats::ProofStats;
use crate::refusal::{AddedClause, Cause, Fault, ProofPosition, Reason, Refusal};
use crate::step::{Step, Style};
use crate::steps::Steps;

mod clause_store;
mod watches;

use clause_store::{ClauseOffset, ClauseStore};
use watches::Watches;

/// Checks a DRAT proof that a formula is unsatisfiable.
///
/// It takes the formula, clause by clause, and then the proof.
#[derive(Debug)]
pub struct DratChecker {
    clauses: ClauseStore,
    watches: Watches,
    budget: Budget,
    limits: Limits,
    /// The number of clauses of the formula.
    formula: u64,
    /// True if the live clauses are contradictory by unit propagation.
    refuted: bool,
    /// The fault of the formula, if there is one.
    failure: Option<Cause>,
    step: Step,
    /// The literals of the present clause, each once.
    literals: Vec<u32>,
    stats: ProofStats,
}

impl DratChecker {
    /// A checker within limits.
    pub fn new(limits: Limits) -> Self {
        Self {
            clauses: ClauseStore::default(),
            watches: Watches::default(),
            budget: Budget::new(limits.memory_bytes),
            limits,
            formula: 0,
            refuted: false,
            failure: None,
            step: Step::default(),
            literals: Vec::new(),
            stats: ProofStats::default(),
        }
    }

    /// Adds the next clause of the formula, in DIMACS's numbers. A literal may occur twice, or with its negation. An
    /// error is kept, and [`Self::check`] returns it.
    pub fn clause(&mut self, literals: &[i32]) {
        if self.failure.is_none()
            && let Err(cause) = self.add_original(literals)
        {
            self.failure = Some(cause);
        }
    }

    fn add_original(&mut self, literals: &[i32]) -> Result<(), Cause> {
        self.formula += 1;
        self.step.clear();
        self.budget.grow(&mut self.step.literals, literals.len())?;
        for &literal in literals {
            if literal == 0 || literal == i32::MIN {
                return Err(Cause::Literal { clause: self.formula, literal });
            }
            self.step.literals.push(code(literal));
        }
        self.hold()?;
        self.insert()
    }

    /// Checks a proof, in text or binary.
    ///
    /// The proof is read until the formula is refuted.
    ///
    /// # Errors
    /// A step does not follow, the formula is not refuted at the end, or the check was not finished. [`Refusal`]
    /// distinguishes the three.
    pub fn check(mut self, proof: impl Read) -> Result<ProofStats, Refusal> {
        if let Some(cause) = self.failure.take() {
            return Err(Refusal::GaveUp { place: ProofPosition::default(), cause });
        }
        let mut steps = Steps::new(proof, Style::Drat);
        if !self.refuted {
            self.steps(&mut steps)?;
        }
        Ok(ProofStats {
            peak_live_clauses: self.clauses.peak(),
            peak_memory_bytes: self.budget.peak(),
            propagations: self.watches.propagations(),
            bytes: steps.place().0,
            notation: steps.notation(),
            ..self.stats
        })
    }

    /// Processes every step up to the refutation.
    fn steps<R: Read>(&mut self, steps: &mut Steps<R>) -> Result<(), Refusal> {
        let mut count = 0;
        while !self.refuted {
            count += 1;
            let place = steps.next(count, &mut self.step, self.limits, &mut self.budget)?;
            if let Err(fault) = self.take() {
                return Err(self.refusal(fault, place));
            }
            self.stats.steps = count;
        }
        Ok(())
    }

    fn refusal(&self, fault: Fault, place: ProofPosition) -> Refusal {
        let claim = || Box::new(AddedClause::new(None, &self.step.literals));
        fault.at(place, (!self.step.deletion).then(claim))
    }

    /// Processes the step that was read.
    fn take(&mut self) -> Result<(), Fault> {
        self.hold()?;
        if self.step.deletion {
            self.delete();
            return Ok(());
        }
        self.follows()?;
        self.stats.additions += 1;
        if self.step.literals.is_empty() {
            self.refuted = true;
            return Ok(());
        }
        Ok(self.insert()?)
    }

    /// Grows the arrays for the variables of the clause, and keeps each of its literals once.
    fn hold(&mut self) -> Result<(), Cause> {
        self.literals.clear();
        self.budget.grow(&mut self.literals, self.step.literals.len())?;
        for &code in &self.step.literals {
            self.watches.hold(code, &mut self.budget)?;
        }
        self.literals.extend_from_slice(&self.step.literals);
        self.literals.sort_unstable();
        self.literals.dedup();
        Ok(())
    }

    /// Adds the clause, and the literals that follow from it by unit propagation.
    fn insert(&mut self) -> Result<(), Cause> {
        let tautology = is_tautology(&self.literals);
        let position = self.clauses.add(&self.literals, tautology, &mut self.budget)?;
        if !tautology && !self.watches.attach(&mut self.clauses, position, &mut self.budget)? {
            self.refuted = true;
        }
        Ok(())
    }

    fn delete(&mut self) {
        let Some(position) = self.clauses.find(&self.literals) else {
            self.stats.unknown_deletions += 1;
            return;
        };
        if self.watches.is_unit(self.clauses.literals(position)) {
            self.stats.kept_deletions += 1;
            return;
        }
        self.clauses.remove(position);
        self.stats.deletions += 1;
        if self.clauses.tidy() {
            self.watches.watch_again(&self.clauses);
        }
    }

    /// Checks that the clause may be added.
    fn follows(&mut self) -> Result<(), Fault> {
        if is_tautology(&self.literals) {
            return Ok(());
        }
        let mark = self.watches.mark();
        let implied = self.refutes(None)? || self.follows_by_pivot()?;
        self.watches.back_to(mark);
        if implied { Ok(()) } else { Err(Reason::DoesNotFollow.into()) }
    }

    /// True if unit propagation finds a conflict where these literals are false: those of the present clause, or those
    /// of another clause but for one literal.
    fn refutes(&mut self, other: Option<(ClauseOffset, u32)>) -> Result<bool, Cause> {
        let (literals, but) = match other {
            Some((position, but)) => (self.clauses.literals(position), but),
            None => (self.literals.as_slice(), 0),
        };
        for &code in literals.iter().filter(|code| **code != but) {
            if self.watches.is_true(code) {
                return Ok(true);
            }
            self.watches.falsify(code);
        }
        self.watches.propagate(&mut self.clauses, &mut self.budget).map(|quiet| !quiet)
    }

    /// True if the resolvents of the clause, whose literals are false, on its first literal all follow.
    fn follows_by_pivot(&mut self) -> Result<bool, Fault> {
        let Some(&pivot) = self.step.literals.first() else { return Ok(false) };
        let negation = pivot ^ 1;
        let mark = self.watches.mark();
        let mut next = self.clauses.first_with(negation, &mut self.budget)?;
        while let Some(position) = next {
            let implied = self.refutes(Some((position, negation)))?;
            self.watches.back_to(mark);
            if !implied {
                return Ok(false);
            }
            next = self.clauses.next_with(negation, position);
        }
        self.stats.rat += 1;
        Ok(true)
    }
}

/// True if a sorted clause contains a literal and its negation.
fn is_tautology(literals: &[u32]) -> bool {
    literals.windows(2).any(|pair| pair[0] ^ 1 == pair[1])
}
