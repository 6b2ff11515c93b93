//! Checks of a model against the clauses of the formula.

use bezzel_encode::{ClauseSink, Lit, VarRange};

/// A value for each variable, in the solver's numbering.
pub struct VariableValues(Vec<u64>);

impl VariableValues {
    /// Returns the model with the value of each of the first `variables` variables, given by `holds`.
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

/// Receives the clauses of the formula, and stores the first that the model does not satisfy.
pub struct ClauseCheck {
    model: VariableValues,
    variables: u32,
    violated: Option<Vec<i32>>,
}

impl ClauseCheck {
    /// Returns a check that has received no clause.
    pub fn new(model: VariableValues) -> Self {
        Self { model, variables: 0, violated: None }
    }

    /// The first clause that is not satisfied, if there is one.
    pub fn finish(self) -> Option<Vec<i32>> {
        self.violated
    }
}

impl ClauseSink for ClauseCheck {
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
        let mut clause_check = ClauseCheck::new(VariableValues::of(100, |lit| lit.vidx() == 70));
        let xs = clause_check.fresh(100);
        clause_check.clause(&[!xs.lit(3), xs.lit(4)]);
        clause_check.clause(&[xs.lit(70)]);
        assert_eq!(clause_check.violated, None);
        clause_check.clause(&[xs.lit(69), !xs.lit(70)]);
        clause_check.clause(&[]);
        assert_eq!(clause_check.finish(), Some(vec![70, -71]));
    }
}
