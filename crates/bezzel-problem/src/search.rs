//! Exhaustive search for the solutions of a problem.
//!
//! The search checks answers for all kinds of problems. It shares no code with encodings.
//!
//! *Method.* Every constraint keeps two sums: of the weights of its literals that hold, and of those that are open.
//! A literal is forced where one of the bounds could not be kept without it. The search branches on the first open
//! literal of the constraint with the least slack: of the lower bounds that are not reached yet, the one with the
//! least left beyond what it needs. Where all lower bounds are reached, it branches on the first open candidate.
//! Bounds with a condition are kept where it holds. An open condition is falsified where they cannot be kept.
//!
//! *Budget.* A step reads one constraint or one literal of a constraint. Steps take about the same time on all
//! problems; decisions do not.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

#[cfg(test)]
mod tests;

/// A search that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSpent {
    /// The number of steps that were allowed.
    pub steps: u64,
}

impl fmt::Display for BudgetSpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the search was given up after {} steps", self.steps)
    }
}

impl Error for BudgetSpent {}

/// A group or a clause: its literals from `start` to `end`, and its bounds.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    start: u32,
    end: u32,
    at_least: u128,
    at_most: u128,
    /// The largest weight of a literal.
    heaviest: u128,
    /// The literal without which the bounds need not be kept.
    condition: Option<Literal>,
}

/// The value of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Open,
    Chosen,
    Excluded,
}

/// A problem, ready to be searched.
#[derive(Clone, Debug)]
pub struct Search {
    constraints: Vec<Constraint>,
    /// The literals of all constraints, each with its weight.
    members: Vec<(Literal, u64)>,
    /// The constraints in which each literal is, with its weight: those of literal i end at `ends[i]`.
    occurrences: Vec<(u32, u64)>,
    ends: Vec<usize>,
    /// The constraints with a lower bound.
    lower: Vec<u32>,
    values: Vec<Value>,
    /// Of each constraint, the sums of the weights of the literals that hold, and of those that are open.
    held: Vec<u128>,
    open: Vec<u128>,
    /// The literals that were made to hold, in order.
    trail: Vec<Literal>,
    /// The number of literals of the trail whose constraints were looked at.
    propagated: usize,
    /// True if the problem has no solution, which was found before any decision.
    is_refuted: bool,
    /// The steps of the present search.
    steps: u64,
}

/// A decision: the length of the trail before it, the literal, and true if its negation was tried too.
struct Decision {
    before: usize,
    literal: Literal,
    is_second: bool,
}

impl Search {
    /// Prepares the search of a problem.
    pub fn new(problem: &Problem) -> Self {
        let mut search = Self {
            constraints: Vec::new(),
            members: Vec::new(),
            occurrences: Vec::new(),
            ends: Vec::new(),
            lower: Vec::new(),
            values: vec![Value::Open; problem.candidates() as usize],
            held: Vec::new(),
            open: Vec::new(),
            trail: Vec::with_capacity(problem.candidates() as usize),
            propagated: 0,
            is_refuted: false,
            steps: 0,
        };
        for family in problem.families() {
            let bounds = family.bounds();
            let (at_least, at_most) =
                (bounds.at_least.unwrap_or(0).into(), bounds.at_most.map_or(u128::MAX, u128::from));
            let mut number = 0;
            family.for_each(|group| {
                let weights = family.weights().map(|weights| weights.get(number));
                let weight = |place: usize| weights.map_or(1, |weights| weights[place]);
                let members =
                    group.iter().enumerate().map(|(place, &literal)| (literal, weight(place)));
                let condition = family.conditions().get(number).copied();
                search.add(members, at_least, at_most, condition);
                number += 1;
            });
        }
        for clause in problem.clauses().iter() {
            search.add(clause.iter().map(|&literal| (literal, 1)), 1, u128::MAX, None);
        }
        search.index();
        let given = problem.given().iter().map(|&candidate| Literal::new(candidate, false));
        let excluded = problem.excluded().iter().map(|&candidate| Literal::new(candidate, true));
        let all: Vec<Literal> = given.chain(excluded).collect();
        search.assume(&all);
        search
    }

    fn add(
        &mut self,
        members: impl Iterator<Item = (Literal, u64)>,
        at_least: u128,
        at_most: u128,
        condition: Option<Literal>,
    ) {
        let start = self.members.len();
        // The condition weighs nothing. As a member it makes the search look at the constraint.
        self.members.extend(members.chain(condition.map(|literal| (literal, 0))));
        let weights = self.members[start..].iter().map(|&(_, weight)| u128::from(weight));
        let (sum, heaviest) = (weights.clone().sum(), weights.max().unwrap_or(0));
        let (start, end) = (start as u32, self.members.len() as u32);
        if at_least > 0 {
            self.lower.push(self.constraints.len() as u32);
        }
        self.constraints.push(Constraint { start, end, at_least, at_most, heaviest, condition });
        self.held.push(0);
        self.open.push(sum);
    }

    /// Makes the lists of occurrences, and examines every constraint once.
    fn index(&mut self) {
        let mut starts = vec![0_usize; 2 * self.values.len() + 1];
        for (literal, _) in &self.members {
            starts[literal.index() + 1] += 1;
        }
        for literal in 1..starts.len() {
            starts[literal] += starts[literal - 1];
        }
        self.ends = starts[1..].to_vec();
        self.occurrences = vec![(0, 0); self.members.len()];
        for (number, constraint) in (0..).zip(&self.constraints) {
            for &(literal, weight) in
                &self.members[constraint.start as usize..constraint.end as usize]
            {
                let place = &mut starts[literal.index()];
                self.occurrences[*place] = (number, weight);
                *place += 1;
            }
        }
        for constraint in 0..self.constraints.len() as u32 {
            self.is_refuted |= !self.force(constraint);
        }
        self.is_refuted |= !self.propagate();
    }

    /// Makes these literals hold in every later search.
    pub fn assume(&mut self, literals: &[Literal]) {
        for &literal in literals {
            self.is_refuted |= !self.hold(literal);
        }
        self.is_refuted |= !self.propagate();
    }

    fn occurrences(&self, literal: Literal) -> std::ops::Range<usize> {
        let start = literal.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[literal.index()]
    }

    fn occurrence(&self, place: usize) -> (u32, u128) {
        let (constraint, weight) = self.occurrences[place];
        (constraint, weight.into())
    }

    /// True if the literal holds; none if it is open.
    fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[literal.candidate() as usize] {
            Value::Open => None,
            value => Some((value == Value::Chosen) != literal.is_negated()),
        }
    }

    /// Makes a literal hold. False if its negation does.
    fn hold(&mut self, literal: Literal) -> bool {
        if let Some(holds) = self.value(literal) {
            return holds;
        }
        self.values[literal.candidate() as usize] =
            if literal.is_negated() { Value::Excluded } else { Value::Chosen };
        let (these, negations) = (self.occurrences(literal), self.occurrences(!literal));
        self.steps += (these.len() + negations.len()) as u64;
        for place in these {
            let (constraint, weight) = self.occurrence(place);
            self.open[constraint as usize] -= weight;
            self.held[constraint as usize] += weight;
        }
        for place in negations {
            let (constraint, weight) = self.occurrence(place);
            self.open[constraint as usize] -= weight;
        }
        self.trail.push(literal);
        true
    }

    /// Removes the literals after the first `length` literals of the trail.
    fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let literal = self.trail.pop().expect("longer than the length");
            for place in self.occurrences(literal) {
                let (constraint, weight) = self.occurrence(place);
                self.open[constraint as usize] += weight;
                self.held[constraint as usize] -= weight;
            }
            for place in self.occurrences(!literal) {
                let (constraint, weight) = self.occurrence(place);
                self.open[constraint as usize] += weight;
            }
            self.values[literal.candidate() as usize] = Value::Open;
        }
        self.propagated = self.propagated.min(length);
    }

    /// Makes the literals hold that a constraint forces. False if it is violated.
    fn force(&mut self, number: u32) -> bool {
        let Constraint { start, end, at_least, at_most, heaviest, condition } =
            self.constraints[number as usize];
        let (held, open) = (self.held[number as usize], self.open[number as usize]);
        let is_kept = held <= at_most && held + open >= at_least;
        if let Some(condition) = condition.filter(|&literal| self.value(literal) != Some(true)) {
            return is_kept || self.hold(!condition);
        }
        if !is_kept {
            return false;
        }
        let (below, above) = (held + open - at_least, at_most - held);
        if open == 0 || heaviest <= below.min(above) {
            return true;
        }
        self.steps += u64::from(end - start);
        for place in start..end {
            let (literal, weight) = self.members[place as usize];
            if self.value(literal).is_some() {
                continue;
            }
            let weight = u128::from(weight);
            if weight > below && !self.hold(literal) || weight > above && !self.hold(!literal) {
                return false;
            }
        }
        true
    }

    /// Examines the constraints of all literals that were made to hold. False if one is violated.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            for literal in [literal, !literal] {
                for place in self.occurrences(literal) {
                    let (constraint, _) = self.occurrences[place];
                    if !self.force(constraint) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The literals to branch on: the open ones of the constraint with the least slack, or any.
    fn branch(&mut self, random: Option<&mut ChaCha8Rng>) -> Option<Literal> {
        self.steps += 1 + self.lower.len() as u64;
        let needy = self.lower.iter().copied().filter_map(|number| {
            let Constraint { at_least, condition, .. } = self.constraints[number as usize];
            let (held, open) = (self.held[number as usize], self.open[number as usize]);
            let is_stated = condition.is_none_or(|literal| self.value(literal) == Some(true));
            (is_stated && held < at_least).then(|| (held + open - at_least, number))
        });
        if let Some((_, number)) = needy.min() {
            let Constraint { start, end, .. } = self.constraints[number as usize];
            let members = self.members[start as usize..end as usize].iter();
            let mut open = members
                .map(|&(literal, _)| literal)
                .filter(|&literal| self.value(literal).is_none());
            return match random {
                None => open.next(),
                Some(random) => {
                    let number = open.clone().count();
                    open.nth(random.random_range(0..number.max(1)))
                }
            };
        }
        let mut open = (0..).zip(&self.values).filter(|(_, value)| **value == Value::Open);
        open.next().map(|(candidate, _)| Literal::chosen(candidate))
    }

    /// Calls `found` with each solution once.
    ///
    /// # Errors
    ///
    /// When it takes more steps than `budget`.
    pub fn each(
        &mut self,
        budget: u64,
        found: impl FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<(), BudgetSpent> {
        self.run(budget, None, found)
    }

    fn run(
        &mut self,
        budget: u64,
        mut random: Option<&mut ChaCha8Rng>,
        mut found: impl FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<(), BudgetSpent> {
        if self.is_refuted {
            return Ok(());
        }
        let start = self.trail.len();
        let mut decisions: Vec<Decision> = Vec::new();
        self.steps = 0;
        let mut is_open = true;
        loop {
            if is_open {
                if let Some(literal) = self.branch(random.as_deref_mut()) {
                    if self.steps > budget {
                        self.undo(start);
                        return Err(BudgetSpent { steps: budget });
                    }
                    decisions.push(Decision {
                        before: self.trail.len(),
                        literal,
                        is_second: false,
                    });
                    is_open = self.hold(literal) && self.propagate();
                    continue;
                }
                if found(&self.solution()).is_break() {
                    break;
                }
            }
            // Back to the last decision whose negation was not tried.
            while decisions.pop_if(|last| last.is_second).is_some() {}
            let Some(last) = decisions.last_mut() else { break };
            last.is_second = true;
            let (before, literal) = (last.before, last.literal);
            self.undo(before);
            is_open = self.hold(!literal) && self.propagate();
        }
        self.undo(start);
        Ok(())
    }

    /// The candidates that are chosen at present.
    fn solution(&self) -> Solution {
        let chosen = (0..).zip(&self.values).filter(|(_, value)| **value == Value::Chosen);
        chosen.map(|(candidate, _): (Candidate, _)| candidate).collect()
    }

    /// Finds one solution, or proves that there is none.
    ///
    /// # Errors
    ///
    /// When it takes more steps than `budget`.
    pub fn first(&mut self, budget: u64) -> Result<Option<Solution>, BudgetSpent> {
        self.first_of(budget, None)
    }

    /// The same with the literals of a constraint in random order.
    ///
    /// # Errors
    ///
    /// When it takes more steps than `budget`.
    pub fn random(
        &mut self,
        budget: u64,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Solution>, BudgetSpent> {
        self.first_of(budget, Some(random))
    }

    fn first_of(
        &mut self,
        budget: u64,
        random: Option<&mut ChaCha8Rng>,
    ) -> Result<Option<Solution>, BudgetSpent> {
        let mut first = None;
        self.run(budget, random, |solution| {
            first = Some(solution.clone());
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// The number of solutions.
    ///
    /// # Errors
    ///
    /// When it takes more steps than `budget`.
    pub fn count(&mut self, budget: u64) -> Result<u64, BudgetSpent> {
        let mut count = 0;
        self.run(budget, None, |_| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }
}
