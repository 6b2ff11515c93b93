//! The search: chronological backtracking over the projected variables.

use std::ops::ControlFlow;

use super::assignment::{Assignment, Value};
use super::code::Code;
use super::heuristic;
use super::network::Network;
use crate::enumerate::Reach;

/// Between two looks at the interrupt come so many propagated literals, and what follows at once.
const PATIENCE: u64 = 1 << 13;

/// A search through all projected models.
#[derive(Clone, Debug)]
pub(super) struct Search<'a> {
    network: &'a Network,
    assignment: Assignment,
    /// The length of the trail before each decision.
    levels: Vec<usize>,
    /// The values that auxiliary variables had in the last extension.
    phases: Vec<Code>,
    /// So many literals are propagated before it looks at the interrupt.
    next_look: u64,
    pub(super) decisions: u64,
    pub(super) conflicts: u64,
}

impl<'a> Search<'a> {
    /// A search in which some variables have their values already; no clause names them.
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
            next_look: 0,
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
    ) -> Reach {
        loop {
            if self.is_impatient() && is_interrupted() {
                return Reach::Interrupted;
            }
            if let Some(code) = heuristic::choose(self.network, &self.assignment) {
                self.decide(code);
            } else {
                match self.extend(is_interrupted) {
                    None => return Reach::Interrupted,
                    Some(true) if show(&self.assignment).is_break() => return Reach::Enough,
                    Some(true) if is_interrupted() => return Reach::Interrupted,
                    Some(_) => {}
                }
                if !self.flip(0) {
                    return Reach::All;
                }
            }
            if !self.settle(0) {
                return Reach::All;
            }
        }
    }

    /// Whether it is time to look at the interrupt again.
    fn is_impatient(&mut self) -> bool {
        let is_time = self.propagations() >= self.next_look;
        if is_time {
            self.next_look = self.propagations() + PATIENCE;
        }
        is_time
    }

    fn decide(&mut self, code: Code) {
        self.decisions += 1;
        self.levels.push(self.assignment.len());
        self.assignment.assign(code);
    }

    /// Takes back the last decision and decides the contrary, which belongs to the level below;
    /// `false` if there are but `base` decisions.
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
            if self.is_impatient() && is_interrupted() {
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
