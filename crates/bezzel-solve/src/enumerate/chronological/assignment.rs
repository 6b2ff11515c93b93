//! The true literals, closed under unit propagation.
//!
//! For each longer clause, the assignment keeps the number of its open literals and the *exclusive or* of their
//! codes: when one is left, no search for it is needed. Both can be undone in any order.

use super::code::Code;
use super::network::Network;

/// All literals of a clause are false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

/// The value of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Open,
    True,
    False,
}

/// The amount that a true literal adds to the load of its clauses, larger than the length of any clause.
pub(super) const SATISFIED: u64 = 1 << 32;

/// The true literals, closed under unit propagation.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    values: Vec<Value>,
    trail: Vec<Code>,
    /// The number of literals of the trail whose binary clauses have been propagated.
    implied: usize,
    /// The number of literals of the trail that have been counted in the longer clauses.
    counted: usize,
    /// Per longer clause, the number of its literals that are not false, and [`SATISFIED`] for each true one.
    loads: Vec<u64>,
    /// Per longer clause, the exclusive or of its literals that are not false.
    left: Vec<u32>,
    pub(super) propagations: u64,
}

impl Assignment {
    /// Returns an assignment without true literals.
    pub(super) fn new(network: &Network) -> Self {
        let clauses = || (0..network.clauses()).map(|clause| network.clause(clause));
        Self {
            values: vec![Value::Open; 2 * network.variables],
            trail: Vec::with_capacity(network.variables),
            implied: 0,
            counted: 0,
            loads: clauses().map(|clause| clause.len() as u64).collect(),
            left: clauses().map(|clause| clause.iter().fold(0, |all, code| all ^ code.0)).collect(),
            propagations: 0,
        }
    }

    #[inline]
    pub(super) fn value(&self, code: Code) -> Value {
        self.values[code.index()]
    }

    /// Returns the number of true literals.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.trail.len()
    }

    /// Returns the true literals, in the order in which they were assigned.
    pub(super) fn trail(&self) -> &[Code] {
        &self.trail
    }

    /// Returns the true literals, in the order in which they were assigned.
    pub(super) fn into_trail(self) -> Vec<Code> {
        self.trail
    }

    /// Returns the number of open literals per longer clause; [`SATISFIED`] or more if a literal is true.
    #[inline]
    pub(super) fn loads(&self) -> &[u64] {
        &self.loads
    }

    /// Assigns true to an open literal.
    #[inline]
    pub(super) fn assign(&mut self, code: Code) {
        self.values[code.index()] = Value::True;
        self.values[(!code).index()] = Value::False;
        self.trail.push(code);
    }

    /// Assigns true to a literal unless it is false.
    #[inline]
    pub(super) fn imply(&mut self, code: Code) -> Result<(), Conflict> {
        match self.value(code) {
            Value::Open => self.assign(code),
            Value::True => {}
            Value::False => return Err(Conflict),
        }
        Ok(())
    }

    /// Performs unit propagation until no clause implies another literal.
    pub(super) fn propagate(&mut self, network: &Network) -> Result<(), Conflict> {
        loop {
            while let Some(&code) = self.trail.get(self.implied) {
                for &then in network.implied(code) {
                    self.imply(then)?;
                }
                self.implied += 1;
            }
            let Some(&code) = self.trail.get(self.counted) else {
                return Ok(());
            };
            self.counted += 1;
            self.propagations += 1;
            self.count(network, code)?;
        }
    }

    /// Counts the true literal `code` in the longer clauses, and assigns the literals that follow.
    #[inline]
    fn count(&mut self, network: &Network, code: Code) -> Result<(), Conflict> {
        for &clause in network.occurrences(code) {
            self.loads[clause as usize] += SATISFIED;
        }
        // A conflict is returned after all clauses are counted, so that undoing finds all of them counted.
        let mut outcome = Ok(());
        for &clause in network.occurrences(!code) {
            let clause = clause as usize;
            self.loads[clause] -= 1;
            self.left[clause] ^= (!code).0;
            if self.loads[clause] == 1 {
                outcome = outcome.and(self.imply(Code(self.left[clause])));
            }
        }
        outcome
    }

    /// Undoes all assignments after the first `length` literals of the trail.
    pub(super) fn undo(&mut self, network: &Network, length: usize) {
        for index in length..self.trail.len() {
            let code = self.trail[index];
            if index < self.counted {
                for &clause in network.occurrences(code) {
                    self.loads[clause as usize] -= SATISFIED;
                }
                for &clause in network.occurrences(!code) {
                    self.loads[clause as usize] += 1;
                    self.left[clause as usize] ^= (!code).0;
                }
            }
            self.values[code.index()] = Value::Open;
            self.values[(!code).index()] = Value::Open;
        }
        self.trail.truncate(length);
        self.implied = self.implied.min(length);
        self.counted = self.counted.min(length);
    }
}
