//! Unit propagation with two watched literals for each clause.
//!
//! Literals that are false on the top level, where no clause is assumed to be false, stay false for good. After them
//! come the literals of the clause that is checked and the literals that follow from them.

use crate::assignment::Assignment;
use crate::limits::Budget;
use crate::refusal::Cause;

use super::clause_store::{ClauseOffset, ClauseStore};

/// A clause in which a literal is watched.
#[derive(Clone, Copy, Debug)]
struct Watch {
    position: ClauseOffset,
    /// Another literal of it: if it is true, the clause need not be read.
    other: u32,
}

/// The assignment, and the watches of each literal.
#[derive(Debug, Default)]
pub(super) struct Watches {
    assignment: Assignment,
    /// For each literal, the clauses to visit when it becomes false.
    of: Vec<Vec<Watch>>,
    /// The number of false literals that were propagated.
    done: usize,
    propagations: u64,
}

impl Watches {
    /// Literals that became true by a clause.
    pub(super) fn propagations(&self) -> u64 {
        self.propagations
    }

    /// Grows the arrays for the variable of a literal.
    pub(super) fn hold(&mut self, code: u32, budget: &mut Budget) -> Result<(), Cause> {
        self.assignment.hold(code, budget)?;
        let length = (code | 1) as usize + 1;
        if length > self.of.len() {
            let more = length - self.of.len();
            budget.grow(&mut self.of, more)?;
            self.of.resize_with(length, Vec::new);
        }
        Ok(())
    }

    pub(super) fn is_true(&self, code: u32) -> bool {
        self.assignment.is_true(code)
    }

    pub(super) fn falsify(&mut self, code: u32) {
        self.assignment.falsify(code);
    }

    pub(super) fn mark(&self) -> usize {
        self.assignment.mark()
    }

    pub(super) fn back_to(&mut self, mark: usize) {
        self.assignment.back_to(mark);
        self.done = mark;
    }

    /// True if one literal of a clause is true and all others are false.
    pub(super) fn is_unit(&self, literals: &[u32]) -> bool {
        let mut left = literals.iter().filter(|code| !self.assignment.is_false(**code));
        left.next().is_some_and(|code| self.is_true(*code)) && left.next().is_none()
    }

    /// Watches a clause on the top level, and propagates its literal if it is a unit. False if that is a conflict.
    pub(super) fn attach(
        &mut self,
        clauses: &mut ClauseStore,
        position: ClauseOffset,
        budget: &mut Budget,
    ) -> Result<bool, Cause> {
        let literals = clauses.literals_mut(position);
        // Literals that are not false come first.
        let mut left = 0;
        for i in 0..literals.len() {
            if left < 2 && !self.assignment.is_false(literals[i]) {
                literals.swap(i, left);
                left += 1;
            }
        }
        if let &mut [first, second, ..] = literals {
            self.watch(first, Watch { position, other: second }, budget)?;
            self.watch(second, Watch { position, other: first }, budget)?;
        }
        match (left, literals) {
            (0, _) => Ok(false),
            (1, [first, ..]) if !self.assignment.is_true(*first) => {
                self.assignment.falsify(*first ^ 1);
                self.propagations += 1;
                self.propagate(clauses, budget)
            }
            _ => Ok(true),
        }
    }

    fn watch(&mut self, code: u32, watch: Watch, budget: &mut Budget) -> Result<(), Cause> {
        let watches = &mut self.of[code as usize];
        budget.grow(watches, 1)?;
        watches.push(watch);
        Ok(())
    }

    /// Watches all clauses anew after they were moved: of each the first two literals, as before. No list therefore
    /// grows.
    pub(super) fn watch_again(&mut self, clauses: &ClauseStore) {
        self.of.iter_mut().for_each(Vec::clear);
        for position in clauses.iter() {
            if let [first, second, ..] = *clauses.literals(position) {
                self.of[first as usize].push(Watch { position, other: second });
                self.of[second as usize].push(Watch { position, other: first });
            }
        }
    }

    /// Propagates the literals that have become false. False if some clause is false.
    pub(super) fn propagate(
        &mut self,
        clauses: &mut ClauseStore,
        budget: &mut Budget,
    ) -> Result<bool, Cause> {
        while let Some(code) = self.assignment.nth(self.done) {
            self.done += 1;
            let mut watches = std::mem::take(&mut self.of[code as usize]);
            let outcome = self.visit(code, &mut watches, clauses, budget);
            self.of[code as usize] = watches;
            if !outcome? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Visits the clauses in which a literal is watched that has become false.
    fn visit(
        &mut self,
        code: u32,
        watches: &mut Vec<Watch>,
        clauses: &mut ClauseStore,
        budget: &mut Budget,
    ) -> Result<bool, Cause> {
        let (mut kept, mut next) = (0, 0);
        let mut quiet = true;
        'clauses: while next < watches.len() {
            let watch = watches[next];
            next += 1;
            if self.assignment.is_true(watch.other) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if clauses.is_deleted(watch.position) {
                continue;
            }
            let literals = clauses.literals_mut(watch.position);
            if literals[0] == code {
                literals.swap(0, 1);
            }
            let first = literals[0];
            if !self.assignment.is_true(first) {
                for i in 2..literals.len() {
                    if !self.assignment.is_false(literals[i]) {
                        literals.swap(1, i);
                        let found = literals[1];
                        self.watch(
                            found,
                            Watch { position: watch.position, other: first },
                            budget,
                        )?;
                        continue 'clauses;
                    }
                }
            }
            watches[kept] = Watch { position: watch.position, other: first };
            kept += 1;
            if self.assignment.is_false(first) {
                quiet = false;
                break;
            }
            if !self.assignment.is_true(first) {
                self.assignment.falsify(first ^ 1);
                self.propagations += 1;
            }
        }
        watches.copy_within(next.., kept);
        let removed = next - kept;
        watches.truncate(watches.len() - removed);
        Ok(quiet)
    }
}
