//! Checks DRAT proofs, forwards: every clause is checked when it is added.
//!
//! DRAT (Wetzler, Heule, Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
//! Proofs*, SAT 2014) is LRAT without numbers and hints: a step adds a clause or deletes one. So what
//! propagates must be searched, with two watched literals for each clause, as solvers do it; a check
//! takes about as long as solving did.
//!
//! - A clause may be added if unit propagation finds a conflict where its literals are false; or if, by
//!   its first literal, it does in the resolvents with all clauses that contain that literal's negation.
//! - The proof is accepted at the first empty clause, and already where the clauses that are there
//!   contradict each other by unit propagation alone.
//! - *Deleting a clause that propagates a literal on the top level* is let be, and counted. Solvers
//!   delete such clauses though they keep the literal; DRAT-trim lets it be as well. Nothing passes by
//!   it that does not follow, since more clauses stay.
//! - Deleting what is not there passes, and is counted.
//! - Text: `1 -2 0` and `d 1 -2 0`, lines of comments that begin with `c` or `o`, as some solvers write
//!   them. Binary: `a` or `d`, the literals as in LRAT, 0. Binary is a proof that begins with `a`, or
//!   with `d` and has a byte 0, with which every binary step ends, among the first 64 KiB.

use std::io::Read;

use crate::accepted::Accepted;
use crate::limits::{Budget, Limits};
use crate::literal::code;
use crate::refusal::{Cause, Claim, Fault, Place, Reason, Refusal};
use crate::step::{Step, Style};
use crate::steps::Steps;

mod content;
mod watches;

use content::{Content, Position};
use watches::Watches;

/// Checks a DRAT proof that a formula is unsatisfiable.
///
/// It is given the formula, clause by clause, and then the proof.
#[derive(Debug)]
pub struct Checker {
    clauses: Content,
    watches: Watches,
    budget: Budget,
    limits: Limits,
    /// How many clauses the formula has.
    formula: u64,
    /// Whether what is there is contradictory by unit propagation.
    refuted: bool,
    /// What went wrong with the formula.
    trouble: Option<Cause>,
    step: Step,
    /// The literals of the clause at hand, each once.
    literals: Vec<u32>,
    told: Accepted,
}

impl Checker {
    /// A checker within limits.
    pub fn new(limits: Limits) -> Self {
        Self {
            clauses: Content::default(),
            watches: Watches::default(),
            budget: Budget::new(limits.memory_bytes),
            limits,
            formula: 0,
            refuted: false,
            trouble: None,
            step: Step::default(),
            literals: Vec::new(),
            told: Accepted::default(),
        }
    }

    /// Adds the next clause of the formula, in DIMACS's numbers. A literal may occur twice, or with its
    /// negation. What goes wrong is kept, and [`Self::check`] tells it.
    pub fn clause(&mut self, literals: &[i32]) {
        if self.trouble.is_none()
            && let Err(cause) = self.add_original(literals)
        {
            self.trouble = Some(cause);
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
    /// It is read as far as the formula is refuted.
    ///
    /// # Errors
    /// Where a step does not follow, where the formula is not refuted in the end, and where the check
    /// was not finished. These three are told apart.
    pub fn check(mut self, proof: impl Read) -> Result<Accepted, Refusal> {
        if let Some(cause) = self.trouble.take() {
            return Err(Refusal::GaveUp { place: Place::default(), cause });
        }
        let mut steps = Steps::new(proof, Style::Drat);
        if !self.refuted {
            self.steps(&mut steps)?;
        }
        Ok(Accepted {
            live_clauses_most: self.clauses.most(),
            memory_most_bytes: self.budget.most(),
            propagations: self.watches.propagations(),
            bytes: steps.place().0,
            notation: steps.notation(),
            ..self.told
        })
    }

    /// Takes every step up to the refutation.
    fn steps<R: Read>(&mut self, steps: &mut Steps<R>) -> Result<(), Refusal> {
        let mut count = 0;
        while !self.refuted {
            count += 1;
            let place = steps.next(count, &mut self.step, self.limits, &mut self.budget)?;
            if let Err(fault) = self.take() {
                return Err(self.refusal(fault, place));
            }
            self.told.steps = count;
        }
        Ok(())
    }

    fn refusal(&self, fault: Fault, place: Place) -> Refusal {
        let claim = || Box::new(Claim::new(None, &self.step.literals));
        fault.at(place, (!self.step.deletion).then(claim))
    }

    /// Takes the step that was read.
    fn take(&mut self) -> Result<(), Fault> {
        self.hold()?;
        if self.step.deletion {
            self.delete();
            return Ok(());
        }
        self.follows()?;
        self.told.additions += 1;
        if self.step.literals.is_empty() {
            self.refuted = true;
            return Ok(());
        }
        Ok(self.insert()?)
    }

    /// Makes room for the variables of the clause, and keeps each of its literals once.
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

    /// Adds the clause, and whatever follows from it by unit propagation.
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
            self.told.unknown_deletions += 1;
            return;
        };
        if self.watches.is_unit(self.clauses.literals(position)) {
            self.told.kept_deletions += 1;
            return;
        }
        self.clauses.remove(position);
        self.told.deletions += 1;
        if self.clauses.tidy() {
            self.watches.watch_again(&self.clauses);
        }
    }

    /// Whether the clause may be added.
    fn follows(&mut self) -> Result<(), Fault> {
        if is_tautology(&self.literals) {
            return Ok(());
        }
        let mark = self.watches.mark();
        let implied = self.refutes(None)? || self.follows_by_pivot()?;
        self.watches.back_to(mark);
        if implied { Ok(()) } else { Err(Reason::DoesNotFollow.into()) }
    }

    /// Whether unit propagation finds a conflict where these literals are false: those of the clause at
    /// hand, or of another but for one.
    fn refutes(&mut self, other: Option<(Position, u32)>) -> Result<bool, Cause> {
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

    /// Whether the resolvents of the clause, whose literals are false, on its first literal all follow.
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
        self.told.rat += 1;
        Ok(true)
    }
}

/// Whether a literal stands beside its negation in a clause that is sorted.
fn is_tautology(literals: &[u32]) -> bool {
    literals.windows(2).any(|pair| pair[0] ^ 1 == pair[1])
}
