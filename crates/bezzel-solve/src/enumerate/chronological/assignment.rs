//! What holds, and what follows from it by unit propagation.
//!
//! Of each longer clause there is known how many of its literals are open, and the *exclusive or* of
//! their numbers: when one is left, it need not be searched for. Both can be taken back without
//! knowing in which order they came about.

use super::code::Code;
use super::network::Network;

/// All literals of a clause are false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

/// What is known of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Open,
    True,
    False,
}

/// A literal that holds adds so much to the load of its clauses, more than any clause is long.
pub(super) const SATISFIED: u64 = 1 << 32;

/// The literals that hold, closed under unit propagation.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    values: Vec<Value>,
    trail: Vec<Code>,
    /// So many literals of the trail have been looked up among the clauses of two.
    implied: usize,
    /// So many literals of the trail have been counted in the longer clauses.
    counted: usize,
    /// Per longer clause, how many of its literals are not false, and [`SATISFIED`] for each that holds.
    loads: Vec<u64>,
    /// Per longer clause, the exclusive or of its literals that are not false.
    left: Vec<u32>,
    pub(super) propagations: u64,
}

impl Assignment {
    /// Nothing holds yet.
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

    /// How many literals hold.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.trail.len()
    }

    /// The literals that hold, in the order in which they came to.
    pub(super) fn trail(&self) -> &[Code] {
        &self.trail
    }

    /// The literals that hold, in the order in which they came to.
    pub(super) fn into_trail(self) -> Vec<Code> {
        self.trail
    }

    /// Per longer clause, how many of its literals are open; [`SATISFIED`] or more if one holds.
    #[inline]
    pub(super) fn loads(&self) -> &[u64] {
        &self.loads
    }

    /// Makes an open literal hold.
    #[inline]
    pub(super) fn assign(&mut self, code: Code) {
        self.values[code.index()] = Value::True;
        self.values[(!code).index()] = Value::False;
        self.trail.push(code);
    }

    /// Makes a literal hold, if nothing says that it does not.
    #[inline]
    pub(super) fn imply(&mut self, code: Code) -> Result<(), Conflict> {
        match self.value(code) {
            Value::Open => self.assign(code),
            Value::True => {}
            Value::False => return Err(Conflict),
        }
        Ok(())
    }

    /// Draws all conclusions that single clauses allow.
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

    /// Counts in the longer clauses that `code` holds, and concludes.
    #[inline]
    fn count(&mut self, network: &Network, code: Code) -> Result<(), Conflict> {
        for &clause in network.occurrences(code) {
            self.loads[clause as usize] += SATISFIED;
        }
        // A conflict is told after all clauses are counted, so that undoing finds all or none done.
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

    /// Takes back everything after the first `length` literals of the trail.
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
