//! A formula kept in memory, flat: one buffer of literals and the lengths of its clauses in runs.

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// A formula kept in memory.
///
/// All literals are in one buffer. Clauses of equal length tend to follow each other, so their lengths are kept as
/// runs: a pairwise formula needs 8 bytes a clause and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    variables: u32,
    literals: Vec<Lit>,
    /// The runs before the last one.
    runs: Vec<Run>,
    /// The run that the next clause may belong to; of no clause at the start only.
    last: Run,
}

/// A number of clauses of one length, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    length: usize,
    clauses: usize,
}

/// The length up to which clauses are copied one literal at a time. They were stored a moment ago, and a processor
/// stalls when it loads together what it has just stored separately.
const SHORT: usize = 8;

impl Formula {
    /// An empty formula.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty formula with capacity for one of the given size.
    pub fn with_capacity(size: Size) -> Self {
        Self {
            literals: Vec::with_capacity(usize::try_from(size.literals).unwrap_or(0)),
            ..Self::default()
        }
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.runs().map(|run| run.clauses).sum()
    }

    /// True if there is no clause.
    pub fn is_empty(&self) -> bool {
        self.last.clauses == 0
    }

    /// Variables, clauses and literals.
    pub fn size(&self) -> Size {
        Size::new(self.variables.into(), self.len() as u128, self.literals.len() as u128)
    }

    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut rest = self.literals.as_slice();
        let lengths = self.runs().flat_map(|run| std::iter::repeat_n(run.length, run.clauses));
        lengths.map(move |length| {
            let (clause, after) = rest.split_at(length);
            rest = after;
            clause
        })
    }

    /// Empties the formula and keeps its memory for the next one.
    pub fn clear(&mut self) {
        self.variables = 0;
        self.literals.clear();
        self.runs.clear();
        self.last = Run::default();
    }

    fn runs(&self) -> impl Iterator<Item = Run> {
        self.runs.iter().copied().chain(std::iter::once(self.last))
    }

    /// Begins a run of clauses of another length.
    fn begin_run(&mut self, length: usize) {
        if self.last.clauses > 0 {
            self.runs.push(self.last);
        }
        self.last = Run { length, clauses: 0 };
    }
}

impl ClauseSink for Formula {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        if lits.len() != self.last.length {
            self.begin_run(lits.len());
        }
        self.last.clauses += 1;
        if lits.len() <= SHORT {
            for &lit in lits {
                self.literals.push(lit);
            }
        } else {
            self.literals.extend_from_slice(lits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula of clauses in the form of DIMACS.
    fn formula(clauses: &[&[i32]]) -> Formula {
        let mut formula = Formula::new();
        add(&mut formula, clauses);
        formula
    }

    fn add(formula: &mut Formula, clauses: &[&[i32]]) {
        for clause in clauses {
            let lits: Vec<_> = clause.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
            formula.clause(&lits);
        }
    }

    fn clauses(formula: &Formula) -> Vec<Vec<i32>> {
        let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_ipasir()).collect();
        formula.clauses().map(numbers).collect()
    }

    /// Runs of one and of several clauses, of every length from 0 to 4, empty ones at both ends.
    const MIXED: [&[i32]; 10] =
        [&[], &[1, -2], &[3, 4], &[-5], &[1, 2, 3], &[], &[], &[1, -1, 2, 2], &[7, 8], &[]];

    #[test]
    fn clauses_come_back_as_they_went_in_whatever_their_lengths() {
        assert_eq!(clauses(&formula(&MIXED)), MIXED);
        for end in 0..MIXED.len() {
            assert_eq!(clauses(&formula(&MIXED[..end])), MIXED[..end]);
            assert_eq!(formula(&MIXED[..end]).len(), end);
            assert_eq!(formula(&MIXED[..end]).is_empty(), end == 0);
        }
    }

    #[test]
    fn the_size_counts_variables_clauses_and_literals() {
        let mut formula = formula(&MIXED);
        formula.fresh(7);
        assert_eq!(formula.fresh(3).start(), 7);
        assert_eq!(formula.size(), Size::new(10, 10, 14));
        assert_eq!(formula.variables(), 10);
    }

    #[test]
    fn formulas_are_equal_when_their_clauses_are_equal_in_order() {
        assert_eq!(formula(&MIXED), formula(&MIXED));
        assert_ne!(formula(&[&[1, 2], &[3]]), formula(&[&[3], &[1, 2]]));
        // The same literals, cut otherwise.
        assert_ne!(formula(&[&[1, 2], &[3]]), formula(&[&[1], &[2, 3]]));
        assert_ne!(formula(&[]), formula(&[&[]]));
        let mut with_capacity = Formula::with_capacity(Size::new(0, 0, 100));
        add(&mut with_capacity, &MIXED);
        assert_eq!(with_capacity, formula(&MIXED));
    }

    #[test]
    fn a_cleared_formula_is_as_good_as_new() {
        for end in 0..MIXED.len() {
            let mut used = formula(&MIXED);
            used.fresh(10);
            used.clear();
            assert_eq!(used, Formula::new());
            add(&mut used, &MIXED[end..]);
            assert_eq!(used, formula(&MIXED[end..]));
        }
    }
}
