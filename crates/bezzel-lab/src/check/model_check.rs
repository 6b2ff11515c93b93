//! A model held against the clauses that it is to satisfy.

use bezzel_encode::{ClauseSink, Lit, VarRange};

/// A value for each variable, as the solver numbers them.
pub struct Model(Vec<u64>);

impl Model {
    /// Asks for the value of each of the first variables.
    pub fn of(variables: u32, mut holds: impl FnMut(Lit) -> bool) -> Self {
        let mut words = vec![0; variables.div_ceil(64) as usize];
        for variable in (0..variables).filter(|&variable| holds(Lit::positive(variable))) {
            words[variable as usize / 64] |= 1 << (variable % 64);
        }
        Self(words)
    }

    fn satisfies(&self, lit: Lit) -> bool {
        let word = self.0.get(lit.vidx() / 64).copied().unwrap_or(0);
        (word >> (lit.vidx() % 64) & 1 == 1) == lit.is_pos()
    }
}

/// Takes the clauses of the formula, and keeps the first that the model does not satisfy.
pub struct Trial {
    model: Model,
    variables: u32,
    violated: Option<Vec<i32>>,
}

impl Trial {
    /// Nothing has been tried yet.
    pub fn new(model: Model) -> Self {
        Self { model, variables: 0, violated: None }
    }

    /// The first clause that is not satisfied, if there is one.
    pub fn finish(self) -> Option<Vec<i32>> {
        self.violated
    }
}

impl ClauseSink for Trial {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if !lits.iter().any(|&lit| self.model.satisfies(lit)) {
            let clause = || lits.iter().map(|lit| lit.to_ipasir()).collect();
            self.violated.get_or_insert_with(clause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_clause_that_a_model_falsifies_is_found() {
        // Only the variable 70 is true.
        let mut trial = Trial::new(Model::of(100, |lit| lit.vidx() == 70));
        let xs = trial.fresh(100);
        trial.clause(&[!xs.lit(3), xs.lit(4)]);
        trial.clause(&[xs.lit(70)]);
        assert_eq!(trial.violated, None);
        trial.clause(&[xs.lit(69), !xs.lit(70)]);
        trial.clause(&[]);
        assert_eq!(trial.finish(), Some(vec![70, -71]));
    }
}
