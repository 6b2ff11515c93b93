//! A simple checker as reference: sets of numbers, with every definition written out.
//!
//! It follows the hints exactly. For every step that it accepts, it also checks by unit propagation over all clauses,
//! without hints, that the clause follows or may be added.

use std::collections::{BTreeMap, BTreeSet};

use crate::formulas::Formula;
use crate::proof::Step;

type Clause = BTreeSet<i64>;

/// The clauses of the formula and the proved ones that are not deleted.
#[derive(Clone)]
pub(crate) struct Judge {
    live: BTreeMap<i64, Clause>,
    greatest: i64,
}

impl Judge {
    pub(crate) fn new(formula: &Formula) -> Self {
        let clause = |clause: &Vec<i32>| clause.iter().map(|lit| i64::from(*lit)).collect();
        let live: BTreeMap<i64, Clause> = (1..).zip(formula.iter().map(clause)).collect();
        Self { greatest: formula.len() as i64, live }
    }

    /// True if the steps prove the formula unsatisfiable, up to the first empty clause.
    pub(crate) fn accepts(mut self, steps: &[Step]) -> bool {
        for step in steps {
            if !self.take(step) {
                return false;
            }
            if matches!(step, Step::Add { literals, .. } if literals.is_empty()) {
                return true;
            }
        }
        false
    }

    /// Processes a step. False if it does not follow.
    pub(crate) fn take(&mut self, step: &Step) -> bool {
        match step {
            Step::Delete { id, ids } => {
                if *id < 0 || ids.iter().any(|id| *id < 0) {
                    return false;
                }
                self.live.retain(|id, _| !ids.contains(id));
            }
            Step::Add { id, literals, hints } => {
                let large = |literal: &i64| literal.unsigned_abs() > i32::MAX as u64;
                if *id <= self.greatest || literals.iter().any(large) {
                    return false;
                }
                let clause: Clause = literals.iter().copied().collect();
                if !self.follows_by(&clause, literals.first(), hints) {
                    return false;
                }
                assert!(
                    self.follows(&clause, literals.first()),
                    "hints prove what does not follow"
                );
                self.greatest = *id;
                self.live.insert(*id, clause);
            }
        }
        true
    }

    fn follows_by(&self, clause: &Clause, pivot: Option<&i64>, hints: &[i64]) -> bool {
        if is_tautology(clause) {
            return true;
        }
        let mut falsified = clause.clone();
        let positive = hints.iter().position(|hint| *hint < 0).unwrap_or(hints.len());
        match self.run(&mut falsified, &hints[..positive]) {
            None => return false,
            Some(true) => return true,
            Some(false) => {}
        }
        let Some(pivot) = pivot else { return false };
        // The clauses that the negative hints name, each with the hints after it.
        let mut groups: Vec<(i64, Vec<i64>)> = Vec::new();
        for hint in &hints[positive..] {
            match groups.last_mut() {
                Some((_, own)) if *hint > 0 => own.push(*hint),
                _ => groups.push((hint.wrapping_neg(), Vec::new())),
            }
        }
        let candidates = || {
            let contains = |clause: &Clause| clause.contains(&-pivot) && !is_tautology(clause);
            self.live.iter().filter(move |(_, clause)| contains(clause))
        };
        let true_but = |falsified: &Clause, clause: &Clause| {
            clause.iter().any(|lit| *lit != -pivot && falsified.contains(&-lit))
        };
        for (id, own) in &groups {
            let Some(candidate) = self.live.get(id) else { return false };
            if !candidate.contains(&-pivot) {
                return false;
            }
            if is_tautology(candidate) || true_but(&falsified, candidate) {
                continue;
            }
            let mut resolvent = falsified.clone();
            resolvent.extend(candidate.iter().filter(|lit| **lit != -pivot));
            if self.run(&mut resolvent, own) != Some(true) {
                return false;
            }
        }
        candidates().all(|(id, _)| groups.iter().any(|(listed, _)| listed == id))
    }

    /// True if the hints end in a conflict; `None` if one of them does not propagate.
    fn run(&self, falsified: &mut Clause, hints: &[i64]) -> Option<bool> {
        for hint in hints {
            let left: Vec<i64> = self.live.get(hint)?.difference(falsified).copied().collect();
            match left[..] {
                [] => return Some(true),
                [lit] => drop(falsified.insert(-lit)),
                _ => return None,
            }
        }
        Some(false)
    }

    /// True if the clause follows by unit propagation, or by its pivot.
    fn follows(&self, clause: &Clause, pivot: Option<&i64>) -> bool {
        if self.propagates(clause.clone()) {
            return true;
        }
        let Some(pivot) = pivot else { return false };
        self.live.values().filter(|other| other.contains(&-pivot)).all(|other| {
            let rest = other.iter().filter(|lit| **lit != -pivot);
            is_tautology(other) || self.propagates(clause.iter().chain(rest).copied().collect())
        })
    }

    /// True if unit propagation over all clauses finds a conflict where these literals are false.
    fn propagates(&self, mut falsified: Clause) -> bool {
        loop {
            if is_tautology(&falsified) {
                return true;
            }
            let before = falsified.len();
            for clause in self.live.values() {
                let left: Vec<i64> = clause.difference(&falsified).copied().collect();
                match left[..] {
                    [] => return true,
                    [lit] => drop(falsified.insert(-lit)),
                    _ => {}
                }
            }
            if falsified.len() == before {
                return false;
            }
        }
    }

    /// True if the live clauses have a model: every assignment of few variables is tried.
    pub(crate) fn has_model(&self) -> bool {
        let clauses: Vec<&Clause> = self.live.values().collect();
        let variables: BTreeSet<i64> =
            clauses.iter().copied().flatten().map(|lit| lit.abs()).collect();
        extend(&clauses, &variables.into_iter().collect::<Vec<_>>(), &mut Clause::new())
    }
}

fn is_tautology(clause: &Clause) -> bool {
    clause.iter().any(|lit| clause.contains(&-lit))
}

/// True if these true literals can be extended to a model.
fn extend(clauses: &[&Clause], variables: &[i64], chosen: &mut Clause) -> bool {
    if clauses.iter().any(|clause| clause.iter().all(|lit| chosen.contains(&-lit))) {
        return false;
    }
    let Some((first, rest)) = variables.split_first() else { return true };
    [*first, -first].into_iter().any(|literal| {
        chosen.insert(literal);
        let found = extend(clauses, rest, chosen);
        chosen.remove(&literal);
        found
    })
}
