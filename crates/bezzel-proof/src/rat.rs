//! Steps that follow by their first literal: resolution asymmetric tautologies.
//!
//! A clause C may be added where no conflict follows from its negation, if for every clause D that contains the
//! negation of C's first literal, the pivot, the resolvent of C and D on it follows by unit propagation. The hints list
//! each D by its number, negated, and after it the clauses that propagate.
//!
//! Every D must be listed. The number of clauses that contain a literal is counted from the first such step on, since
//! most proofs have none. Where the hints list as many as there are, none is left out, and no search is needed.

use crate::assignment::Assignment;
use crate::clauses::{ClauseIndex, Clauses};
use crate::limits::Budget;
use crate::literal::literal;
use crate::propagation::propagate;
use crate::refusal::{Cause, Fault, Reason};

/// The number of clauses that contain each literal, without tautologies.
#[derive(Debug)]
pub(crate) struct Occurrences {
    counts: Vec<u32>,
    /// The clauses that the present step lists.
    listed: Vec<ClauseIndex>,
}

impl Occurrences {
    /// Counts the live clauses.
    pub(crate) fn new(clauses: &Clauses, budget: &mut Budget) -> Result<Self, Cause> {
        let mut counted = Self { counts: Vec::new(), listed: Vec::new() };
        for position in clauses.iter() {
            counted.count(clauses, position, budget)?;
        }
        Ok(counted)
    }

    /// Counts one more clause.
    pub(crate) fn count(
        &mut self,
        clauses: &Clauses,
        position: ClauseIndex,
        budget: &mut Budget,
    ) -> Result<(), Cause> {
        if !clauses.is_tautology(position) {
            for &code in clauses.literals(position) {
                let code = code as usize;
                if code >= self.counts.len() {
                    let more = code + 1 - self.counts.len();
                    budget.grow(&mut self.counts, more)?;
                    self.counts.resize(code + 1, 0);
                }
                self.counts[code] += 1;
            }
        }
        Ok(())
    }

    /// Counts one clause less, which still exists.
    pub(crate) fn forget(&mut self, clauses: &Clauses, position: ClauseIndex) {
        if !clauses.is_tautology(position) {
            for &code in clauses.literals(position) {
                self.counts[code as usize] -= 1;
            }
        }
    }

    fn of(&self, code: u32) -> usize {
        self.counts.get(code as usize).map_or(0, |count| *count as usize)
    }
}

/// Follows the hints from the first negative one on.
pub(crate) fn follow(
    clauses: &Clauses,
    occurrences: &mut Occurrences,
    assignment: &mut Assignment,
    propagations: &mut u64,
    pivot: u32,
    hints: &[i64],
    budget: &mut Budget,
) -> Result<(), Fault> {
    let negation = pivot ^ 1;
    let mark = assignment.mark();
    occurrences.listed.clear();
    let mut rest = hints;
    while let Some((first, after)) = rest.split_first() {
        let end = after.iter().position(|hint| *hint < 0).unwrap_or(after.len());
        let (own, others) = after.split_at(end);
        rest = others;
        let id = first.unsigned_abs();
        let position = clauses.find(id).ok_or(Reason::Absent { hint: id, ahead: false })?;
        let literals = clauses.literals(position);
        if !literals.contains(&negation) {
            return Err(Reason::NoPivot { clause: id, literal: literal(negation) }.into());
        }
        if !clauses.is_tautology(position) {
            if deny(literals, negation, assignment) {
                conflict(clauses, assignment, propagations, id, own)?;
            }
            assignment.back_to(mark);
            budget.grow(&mut occurrences.listed, 1)?;
            occurrences.listed.push(position);
        }
    }
    occurrences.listed.sort_unstable();
    occurrences.listed.dedup();
    if occurrences.listed.len() < occurrences.of(negation) {
        let literal = literal(negation);
        let left_out = left_out(clauses, &occurrences.listed, negation);
        return Err(match left_out.map(|position| clauses.id(position)) {
            Some(clause @ 1..) => Reason::LeftOut { clause, literal },
            _ => Reason::LeftOutUnnumbered { literal },
        }
        .into());
    }
    Ok(())
}

/// Makes the literals of a clause false, but for the literal `but`. False if one is true: then the resolvent follows
/// without hints.
fn deny(literals: &[u32], but: u32, assignment: &mut Assignment) -> bool {
    for &code in literals.iter().filter(|code| **code != but) {
        if assignment.is_true(code) {
            return false;
        }
        assignment.falsify(code);
    }
    true
}

fn conflict(
    clauses: &Clauses,
    assignment: &mut Assignment,
    propagations: &mut u64,
    clause: u64,
    hints: &[i64],
) -> Result<(), Reason> {
    for hint in hints {
        if propagate(clauses, assignment, propagations, hint.unsigned_abs())? {
            return Ok(());
        }
    }
    Err(Reason::NoRatConflict { clause })
}

/// A clause with this literal that the hints do not list.
fn left_out(clauses: &Clauses, listed: &[ClauseIndex], code: u32) -> Option<ClauseIndex> {
    clauses.iter().find(|position| {
        clauses.literals(*position).contains(&code)
            && !clauses.is_tautology(*position)
            && listed.binary_search(position).is_err()
    })
}
