//! The search: chronological backtracking over the projected variables.

use std::ops::ControlFlow;

use super::assignment::{Assignment, Value};
use super::code::Code;
use super::heuristic;
use super::network::Network;
use crate::enumerate::EnumerationEnd;

/// The number of propagated literals between two checks of the interrupt.
const CHECK_INTERVAL: u64 = 1 << 13;

/// A search through all projected models.
#[derive(Clone, Debug)]
pub(super) struct Search<'a> {
    network: &'a Network,
    assignment: Assignment,
    /// The length of the trail before each decision.
    levels: Vec<usize>,
    /// The values of the auxiliary variables in the last extension.
    phases: Vec<Code>,
    /// The number of propagated literals at which the interrupt is checked again.
    next_check: u64,
    pub(super) decisions: u64,
    pub(super) conflicts: u64,
}

impl<'a> Search<'a> {
    /// Returns a search in which the variables of `fixed` have values; no clause contains them.
    pub(super) fn new(network: &'a Network, fixed: &[Code]) -> Self {
        let mut assignment = Assignment::new(network);
        for &code in fixed {
            assignment.assign(code);
        }
        Self {
            network,
            assignment,
            levels: Vec::with_capacity(network.variables),
            phases: (0..network.variables).map(|variable| !Code::positive(variable)).collect(),
            next_check: 0,
            decisions: 0,
            conflicts: 0,
        }
    }

    pub(super) fn propagations(&self) -> u64 {
        self.assignment.propagations
    }

    /// Shows every projected model once.
    pub(super) fn run(
        &mut self,
        is_interrupted: &mut dyn FnMut() -> bool,
        show: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> EnumerationEnd {
        loop {
            if self.is_check_due() && is_interrupted() {
                return EnumerationEnd::Interrupted;
            }
            if let Some(code) = heuristic::choose(self.network, &self.assignment) {
                self.decide(code);
            } else {
                match self.extend(is_interrupted) {
                    None => return EnumerationEnd::Interrupted,
                    Some(true) if show(&self.assignment).is_break() => {
                        return EnumerationEnd::Enough;
                    }
                    Some(true) if is_interrupted() => return EnumerationEnd::Interrupted,
                    Some(_) => {}
                }
                if !self.flip(0) {
                    return EnumerationEnd::All;
                }
            }
            if !self.settle(0) {
                return EnumerationEnd::All;
            }
        }
    }

    /// Returns true if the interrupt must be checked again.
    fn is_check_due(&mut self) -> bool {
        let is_due = self.propagations() >= self.next_check;
        if is_due {
            self.next_check = self.propagations() + CHECK_INTERVAL;
        }
        is_due
    }

    fn decide(&mut self, code: Code) {
        self.decisions += 1;
        self.levels.push(self.assignment.len());
        self.assignment.assign(code);
    }

    /// Undoes the last decision and decides its negation, which belongs to the level below; `false` if there are
    /// only `base` decisions.
    fn flip(&mut self, base: usize) -> bool {
        if self.levels.len() == base {
            return false;
        }
        let start = self.levels.pop().expect("there is a decision");
        let decision = self.assignment.trail()[start];
        self.assignment.undo(self.network, start);
        self.assignment.assign(!decision);
        true
    }

    /// Propagates, flipping decisions until there is no conflict; `false` if no decision is left.
    fn settle(&mut self, base: usize) -> bool {
        while self.assignment.propagate(self.network).is_err() {
            self.conflicts += 1;
            if !self.flip(base) {
                return false;
            }
        }
        true
    }

    /// Looks for values of the auxiliary variables; `None` if interrupted.
    fn extend(&mut self, is_interrupted: &mut dyn FnMut() -> bool) -> Option<bool> {
        let base = self.levels.len();
        let mut found = true;
        while found && self.assignment.len() < self.network.variables {
            if self.is_check_due() && is_interrupted() {
                return None;
            }
            let next = self.phases[self.network.projected..]
                .iter()
                .find(|&&code| self.assignment.value(code) == Value::Open);
            let &code = next.expect("a variable is open");
            self.decide(code);
            found = self.settle(base);
        }
        if found && self.levels.len() > base {
            for &code in self.assignment.trail() {
                self.phases[code.variable()] = code;
            }
        }
        self.levels.truncate(base);
        Some(found)
    }
}
