//! Unit propagation: the literals that follow from some literals without any search.
//!
//! Each clause counts its false literals. A clause with one literal left gives that literal; one with none left is a
//! conflict. A clause is a set: a repeated literal counts once, as in every solver. The code is simple rather than
//! fast, and independent of solvers. Checks of properties use it to test encodings, [`models`](crate::models) searches
//! with it, and it shows the propagation of an encoding on an instance.

use rustsat::types::{Lit, Var};

use crate::formula::Formula;

/// A clause all of whose literals are false: the assumptions contradict the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// The result of a clause once all of its other literals were false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the clause in the formula, counted from 0.
    pub clause: u32,
    /// The literal that came to hold; none if the last one was false as well, a conflict.
    pub gives: Option<Lit>,
}

/// A formula under assumptions, closed under unit propagation.
#[derive(Clone, Debug)]
pub struct Propagator {
    /// All literals of all clauses, each once in its clause; `starts[c]..starts[c + 1]` are those of clause `c`.
    literals: Vec<Lit>,
    starts: Vec<usize>,
    /// The clauses in which a literal occurs, found in the same way by the literal's number.
    occurrences: Vec<u32>,
    occurrence_starts: Vec<usize>,
    /// Per clause, the number of its false literals.
    falsified: Vec<u32>,
    values: Vec<Option<bool>>,
    /// The literals that hold, in the order in which they became true.
    trail: Vec<Lit>,
    /// The number of literals of the trail that have been counted in their clauses.
    counted: usize,
    /// The clauses alone, without any assumption, contradict each other.
    refuted: bool,
}

impl Propagator {
    /// The formula without assumptions, its unit clauses propagated.
    pub fn new(formula: &Formula) -> Self {
        Self::observed(formula, |_| {})
    }

    /// The same, with a call of `observe` for every step: each literal that becomes true, with the clause that gave it,
    /// and the clause that ends in a conflict.
    pub fn observed(formula: &Formula, mut observe: impl FnMut(Step)) -> Self {
        // A variable that was never made is an error of the encoder, which a check reports.
        let mentioned = formula.clauses().flatten().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        let variables = mentioned.max(formula.variables() as usize);
        let mut literals: Vec<Lit> = Vec::new();
        let mut starts = vec![0];
        // Per literal, the end of the clauses before the last one that names it.
        let mut met = vec![usize::MAX; 2 * variables];
        for clause in formula.clauses() {
            let start = literals.len();
            let once = |lit: &&Lit| std::mem::replace(&mut met[lit.lidx()], start) != start;
            literals.extend(clause.iter().filter(once));
            starts.push(literals.len());
        }
        let mut occurrence_starts = vec![0; 2 * variables + 1];
        for lit in &literals {
            occurrence_starts[lit.lidx() + 1] += 1;
        }
        for index in 0..2 * variables {
            occurrence_starts[index + 1] += occurrence_starts[index];
        }
        let mut occurrences = vec![0; literals.len()];
        let mut next = occurrence_starts.clone();
        for (clause, bounds) in (0..).zip(starts.windows(2)) {
            for lit in &literals[bounds[0]..bounds[1]] {
                occurrences[next[lit.lidx()]] = clause;
                next[lit.lidx()] += 1;
            }
        }
        let clauses = starts.len() - 1;
        let mut propagator = Self {
            literals,
            starts,
            occurrences,
            occurrence_starts,
            falsified: vec![0; clauses],
            values: vec![None; variables],
            trail: Vec::new(),
            counted: 0,
            refuted: false,
        };
        propagator.refuted = propagator.propagate_units(&mut observe).is_err();
        propagator
    }

    /// True if the clauses contradict each other without any assumption.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// The number of variables, including those that occur in clauses but were never made.
    pub fn variables(&self) -> u32 {
        self.values.len() as u32
    }

    /// The value of a variable, where it has one.
    #[inline]
    pub fn value(&self, var: Var) -> Option<bool> {
        self.values[var.idx()]
    }

    /// True if the literal holds.
    #[inline]
    pub fn holds(&self, lit: Lit) -> bool {
        self.value(lit.var()) == Some(lit.is_pos())
    }

    /// True if the literal's negation holds.
    #[inline]
    pub fn fails(&self, lit: Lit) -> bool {
        self.holds(!lit)
    }

    /// The literals that hold, in the order in which they became true.
    pub fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// Assumes that a literal holds, and propagates.
    ///
    /// # Errors
    ///
    /// On a conflict. The formula keeps the literals propagated so far; [`undo`](Self::undo) removes them.
    pub fn assume(&mut self, lit: Lit) -> Result<(), Conflict> {
        if self.refuted {
            return Err(Conflict);
        }
        self.enqueue(lit)?;
        self.propagate(&mut |_| {})
    }

    /// Removes all literals after the first `length` literals of the trail.
    ///
    /// Undoing to a length taken between two calls of [`assume`](Self::assume) restores the state at that time.
    pub fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let lit = self.trail.pop().expect("the trail is longer than asked for");
            if self.trail.len() < self.counted {
                self.counted = self.trail.len();
                self.count(lit, |falsified| *falsified -= 1);
            }
            self.values[lit.vidx()] = None;
        }
    }

    /// The clauses in which `lit` occurs.
    pub(crate) fn occurrences(&self, lit: Lit) -> &[u32] {
        &self.occurrences
            [self.occurrence_starts[lit.lidx()]..self.occurrence_starts[lit.lidx() + 1]]
    }

    /// The literals of a clause, each once, by its number in the formula, counted from 0.
    pub fn clause(&self, clause: u32) -> &[Lit] {
        &self.literals[self.starts[clause as usize]..self.starts[clause as usize + 1]]
    }

    /// Makes a literal hold; a conflict if its negation holds.
    fn enqueue(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.value(lit.var()) {
            Some(value) if value == lit.is_pos() => Ok(()),
            Some(_) => Err(Conflict),
            None => {
                self.values[lit.vidx()] = Some(lit.is_pos());
                self.trail.push(lit);
                Ok(())
            }
        }
    }

    fn propagate_units(&mut self, observe: &mut impl FnMut(Step)) -> Result<(), Conflict> {
        for clause in 0..self.falsified.len() as u32 {
            if let [] | [_] = *self.clause(clause) {
                self.conclude(clause, observe)?;
            }
        }
        self.propagate(observe)
    }

    /// Concludes from a clause in which at most one literal is not false.
    fn conclude(&mut self, clause: u32, observe: &mut impl FnMut(Step)) -> Result<(), Conflict> {
        let Some(&left) = self.clause(clause).iter().find(|&&lit| !self.fails(lit)) else {
            observe(Step { clause, gives: None });
            return Err(Conflict);
        };
        if self.value(left.var()).is_none() {
            observe(Step { clause, gives: Some(left) });
            self.enqueue(left)?;
        }
        Ok(())
    }

    fn propagate(&mut self, observe: &mut impl FnMut(Step)) -> Result<(), Conflict> {
        while let Some(&lit) = self.trail.get(self.counted) {
            self.counted += 1;
            // Counts are changed in every clause before any conclusion, so that `undo` finds all or none changed.
            self.count(lit, |falsified| *falsified += 1);
            for index in
                self.occurrence_starts[(!lit).lidx()]..self.occurrence_starts[(!lit).lidx() + 1]
            {
                let clause = self.occurrences[index];
                if self.falsified[clause as usize] as usize + 1 >= self.clause(clause).len() {
                    self.conclude(clause, observe)?;
                }
            }
        }
        Ok(())
    }

    /// Changes the count of every clause with a literal that becomes false when `lit` holds.
    fn count(&mut self, lit: Lit, change: impl Fn(&mut u32)) {
        let falsified = (!lit).lidx();
        for index in self.occurrence_starts[falsified]..self.occurrence_starts[falsified + 1] {
            change(&mut self.falsified[self.occurrences[index] as usize]);
        }
    }
}
