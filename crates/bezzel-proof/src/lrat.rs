//! The checker of LRAT proofs.

use std::io::Read;

use crate::assignment::Assignment;
use crate::clauses::Clauses;
use crate::limits::{Budget, Limits};
use crate::literal::code;
use crate::proof_stats::ProofStats;
use crate::propagation::propagate;
use crate::rat::{self, Occurrences};
use crate::refusal::{AddedClause, Cause, Fault, ProofPosition, Reason, Refusal};
use crate::step::Step;
use crate::steps::Steps;

/// Checks an LRAT proof that a formula is unsatisfiable.
///
/// It takes the formula, clause by clause, and then the proof. The documentation of the crate defines the accepted
/// proofs.
#[derive(Debug)]
pub struct LratChecker {
    clauses: Clauses,
    assignment: Assignment,
    /// The number of clauses that contain each literal, counted from the first step on that needs it.
    occurrences: Option<Occurrences>,
    budget: Budget,
    limits: Limits,
    /// True if the clauses of the formula get their numbers while the proof is read.
    interleaved: bool,
    /// The number of clauses of the formula.
    formula: u64,
    /// The greatest number that a clause has had.
    greatest: u64,
    /// True if the formula contains the empty clause.
    empty: bool,
    /// The fault of the formula, if there is one.
    failure: Option<Cause>,
    step: Step,
    /// The literals of the present clause, each once.
    literals: Vec<u32>,
    stats: ProofStats,
}

impl LratChecker {
    /// A checker that numbers the clauses of the formula 1, 2, 3, …, as LRAT requires. This fits proofs of a solver
    /// that has read a DIMACS file.
    pub fn new(limits: Limits) -> Self {
        Self {
            clauses: Clauses::default(),
            assignment: Assignment::default(),
            occurrences: None,
            budget: Budget::new(limits.memory_bytes),
            limits,
            interleaved: false,
            formula: 0,
            greatest: 0,
            empty: false,
            failure: None,
            step: Step::default(),
            literals: Vec::new(),
            stats: ProofStats::default(),
        }
    }

    /// A checker that gives each clause of the formula, in order, the least number above all before that no step of the
    /// proof uses.
    ///
    /// A solver that gets its clauses one by one may simplify them at once. CaDiCaL numbers derived clauses while the
    /// formula is still being added, and the next clause of the formula gets the number after those. A number is a name
    /// only: with any numbering, a step is accepted only if it follows. If no clause is derived before the formula is
    /// complete, this is the same as [`Self::new`].
    pub fn with_interleaved_ids(limits: Limits) -> Self {
        Self { interleaved: true, ..Self::new(limits) }
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
        let tautology = self.deny()?;
        self.assignment.back_to(0);
        self.empty |= literals.is_empty();
        let id = if self.interleaved { 0 } else { self.formula };
        self.greatest = id;
        self.clauses.add(id, &self.literals, tautology, &mut self.budget)?;
        Ok(())
    }

    /// Makes the literals of the step's clause false, and keeps each of them once. Returns true if one occurs with its
    /// negation.
    fn deny(&mut self) -> Result<bool, Cause> {
        self.literals.clear();
        self.budget.grow(&mut self.literals, self.step.literals.len())?;
        let mut tautology = false;
        for &code in &self.step.literals {
            self.assignment.hold(code, &mut self.budget)?;
            if self.assignment.is_true(code) {
                tautology = true;
                // It may be kept twice. Only a clause with a literal and its negation is affected.
                self.literals.push(code);
            } else if !self.assignment.is_false(code) {
                self.assignment.falsify(code);
                self.literals.push(code);
            }
        }
        Ok(tautology)
    }

    /// Checks a proof, in text or binary; its first byte decides which.
    ///
    /// The proof is read up to the first empty clause, which proves the formula unsatisfiable.
    ///
    /// # Errors
    /// A step does not follow, there is no empty clause, or the check was not finished. [`Refusal`] distinguishes the
    /// three.
    pub fn check(mut self, proof: impl Read) -> Result<ProofStats, Refusal> {
        if let Some(cause) = self.failure.take() {
            return Err(Refusal::GaveUp { place: ProofPosition::default(), cause });
        }
        let mut steps = Steps::new(proof);
        if !self.empty {
            self.steps(&mut steps)?;
        }
        Ok(ProofStats {
            peak_live_clauses: self.clauses.peak(),
            peak_memory_bytes: self.budget.peak(),
            bytes: steps.place().0,
            notation: steps.notation(),
            ..self.stats
        })
    }

    /// Processes every step up to the empty clause.
    fn steps<R: Read>(&mut self, steps: &mut Steps<R>) -> Result<(), Refusal> {
        let mut count = 0;
        loop {
            count += 1;
            let place = steps.next(count, &mut self.step, self.limits, &mut self.budget)?;
            if let Err(fault) = self.take() {
                return Err(self.refusal(fault, place));
            }
            self.stats.steps = count;
            if !self.step.deletion && self.step.literals.is_empty() {
                return Ok(());
            }
        }
    }

    fn refusal(&self, fault: Fault, place: ProofPosition) -> Refusal {
        let claim = || Box::new(AddedClause::new(self.step.id, &self.step.literals));
        fault.at(place, (!self.step.deletion).then(claim))
    }

    /// Processes the step that was read.
    fn take(&mut self) -> Result<(), Fault> {
        if self.step.deletion { self.delete() } else { self.add() }
    }

    fn delete(&mut self) -> Result<(), Fault> {
        for i in 0..self.step.hints.len() {
            let hint = self.step.hints[i];
            let id = u64::try_from(hint).map_err(|_| Reason::Id(hint))?;
            self.number_below(id.saturating_add(1))?;
            // A deletion of a missing clause removes nothing; the verified checkers accept it too.
            let Some(position) = self.clauses.find(id) else {
                self.stats.unknown_deletions += 1;
                continue;
            };
            if let Some(occurrences) = &mut self.occurrences {
                occurrences.forget(&self.clauses, position);
            }
            self.clauses.remove(position);
            self.stats.deletions += 1;
        }
        self.clauses.tidy();
        Ok(())
    }

    fn add(&mut self) -> Result<(), Fault> {
        let id = self.step.id;
        if id == 0 {
            return Err(Reason::Id(0).into());
        }
        self.number_below(id)?;
        if id <= self.greatest {
            return Err(Reason::NotIncreasing { greatest: self.greatest }.into());
        }
        let tautology = self.deny()?;
        let followed = if tautology { Ok(()) } else { self.follow() };
        self.assignment.back_to(0);
        followed?;
        self.greatest = id;
        self.stats.additions += 1;
        let position = self.clauses.add(id, &self.literals, tautology, &mut self.budget)?;
        if let Some(occurrences) = &mut self.occurrences {
            occurrences.count(&self.clauses, position, &mut self.budget)?;
        }
        Ok(())
    }

    /// Gives clauses of the formula that have no number yet the numbers below this one.
    fn number_below(&mut self, id: u64) -> Result<(), Fault> {
        while self.clauses.unnumbered() > 0 && self.greatest + 1 < id {
            self.greatest += 1;
            self.clauses.number(self.greatest, &mut self.budget)?;
        }
        Ok(())
    }

    /// Follows the hints, from the assignment in which the clause is false.
    fn follow(&mut self) -> Result<(), Fault> {
        let hints = &self.step.hints;
        let positive = hints.iter().position(|hint| *hint < 0).unwrap_or(hints.len());
        for &hint in &hints[..positive] {
            let hint = hint.unsigned_abs();
            if propagate(&self.clauses, &mut self.assignment, &mut self.stats.propagations, hint)
                .map_err(|reason| self.explain(reason))?
            {
                return Ok(());
            }
        }
        // The pivot is the first literal in the written order.
        let Some(&pivot) = self.step.literals.first() else {
            return Err(Reason::NoConflict.into());
        };
        let counted = match self.occurrences.take() {
            Some(occurrences) => occurrences,
            None => Occurrences::new(&self.clauses, &mut self.budget)?,
        };
        let occurrences = self.occurrences.insert(counted);
        rat::follow(
            &self.clauses,
            occurrences,
            &mut self.assignment,
            &mut self.stats.propagations,
            pivot,
            &self.step.hints[positive..],
            &mut self.budget,
        )
        .map_err(|fault| match fault {
            Fault::Wrong(reason) => Fault::Wrong(self.explain(reason)),
            other => other,
        })?;
        self.stats.rat += 1;
        Ok(())
    }

    /// Sets `ahead` of a missing hint: true if its number is above all numbers so far.
    fn explain(&self, reason: Reason) -> Reason {
        match reason {
            Reason::Absent { hint, .. } => Reason::Absent { hint, ahead: hint > self.greatest },
            other => other,
        }
    }
}
