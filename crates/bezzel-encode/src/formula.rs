//! A formula kept in memory, flat: one buffer of literals and the lengths of its clauses in runs.

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// A formula kept in memory.
///
/// All literals stand in one buffer. Clauses of equal length tend to follow each other, so their
/// lengths are kept as runs: a pairwise formula needs 8 bytes a clause and nothing besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    variables: u32,
    literals: Vec<Lit>,
    runs: Vec<Run>,
}

/// So many clauses of one length, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    length: usize,
    clauses: usize,
}

impl Formula {
    /// An empty formula.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty formula with room for one of the given size.
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
        self.runs.iter().map(|run| run.clauses).sum()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Variables, clauses and literals.
    pub fn size(&self) -> Size {
        Size::new(self.variables.into(), self.len() as u128, self.literals.len() as u128)
    }

    /// The clauses in the order in which they came.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut rest = self.literals.as_slice();
        self.runs.iter().flat_map(|run| std::iter::repeat_n(run.length, run.clauses)).map(
            move |length| {
                let (clause, after) = rest.split_at(length);
                rest = after;
                clause
            },
        )
    }

    /// Empties the formula and keeps its memory for the next one.
    pub fn clear(&mut self) {
        self.variables = 0;
        self.literals.clear();
        self.runs.clear();
    }
}

impl ClauseSink for Formula {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::after(self.variables, count);
        self.variables += count;
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.literals.extend_from_slice(lits);
        match self.runs.last_mut() {
            Some(run) if run.length == lits.len() => run.clauses += 1,
            _ => self.runs.push(Run { length: lits.len(), clauses: 1 }),
        }
    }
}
