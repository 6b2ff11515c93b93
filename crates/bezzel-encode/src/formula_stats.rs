//! Measures a formula without keeping it: the first pass of every job.

use std::collections::BTreeMap;

use rustsat::types::Lit;
use serde::{Deserialize, Serialize};

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The name of the section before the first named one.
pub const UNNAMED: &str = "rules";

/// Counts variables, clauses and literals, in all and per section.
///
/// Two statistics are equal when they have counted the same in the same sections.
#[derive(Clone, Debug, Default)]
pub struct FormulaStats {
    variables: u32,
    primary: Option<u32>,
    parts: Vec<SectionCounts>,
    /// The index of the part that is being counted.
    current: usize,
    /// The clauses of each length in the part that is being counted: they are here, so that a clause costs one
    /// addition.
    lengths: Vec<u64>,
    cardinality: bool,
}

/// The counts of one section; those of the current one are in `FormulaStats::lengths`.
#[derive(Clone, Debug)]
struct SectionCounts {
    name: String,
    variables: u64,
    lengths: Vec<u64>,
}

/// The size of one section of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The name of the section in the encoding: `rows`, `diagonals`, `CONFLICT`.
    pub name: String,
    /// Variables first made in the section.
    pub variables: u64,
    /// The number of clauses of each length, length 0 included.
    pub lengths: BTreeMap<usize, u64>,
}

impl Section {
    /// The section's variables, clauses and literals.
    pub fn size(&self) -> Size {
        Size {
            variables: self.variables.into(),
            clauses: self.lengths.values().map(|&count| u128::from(count)).sum(),
            literals: self
                .lengths
                .iter()
                .map(|(&length, &count)| length as u128 * u128::from(count))
                .sum(),
        }
    }
}

impl FormulaStats {
    /// Empty statistics, which take clauses only, like solvers and most formats.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty statistics that take at-most-one constraints whole, like the formats that have them. Such a constraint
    /// counts as one clause of its length.
    pub fn with_cardinality() -> Self {
        Self { cardinality: true, ..Self::default() }
    }

    /// Variables, clauses and literals counted so far.
    pub fn size(&self) -> Size {
        self.clone().into_sections().iter().map(Section::size).sum()
    }

    /// The number of variables made by the first call of `fresh`: the primary ones.
    pub fn primary(&self) -> u32 {
        self.primary.unwrap_or(0)
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The sections in the order in which they began.
    ///
    /// Variables and clauses before the first named section are in one called `rules`.
    pub fn into_sections(mut self) -> Vec<Section> {
        self.close();
        let sections = self.parts.into_iter().map(|part| Section {
            name: part.name,
            variables: part.variables,
            lengths: part.lengths.into_iter().enumerate().filter(|&(_, count)| count > 0).collect(),
        });
        sections.collect()
    }

    /// Continues counting in the part of this name.
    fn open(&mut self, name: &str) {
        self.current = self.parts.iter().position(|part| part.name == name).unwrap_or_else(|| {
            self.parts.push(SectionCounts {
                name: name.to_owned(),
                variables: 0,
                lengths: Vec::new(),
            });
            self.parts.len() - 1
        });
        self.lengths = std::mem::take(&mut self.parts[self.current].lengths);
    }

    /// Puts the counts of the current part back into their place.
    fn close(&mut self) {
        if self.parts.is_empty() && !self.lengths.is_empty() {
            self.parts.push(SectionCounts {
                name: UNNAMED.to_owned(),
                variables: 0,
                lengths: Vec::new(),
            });
        }
        if let Some(part) = self.parts.get_mut(self.current) {
            part.lengths = std::mem::take(&mut self.lengths);
        }
    }

    /// Counts a clause longer than all before it in the section.
    #[cold]
    fn first_of_length(&mut self, length: usize) {
        self.lengths.resize(length + 1, 0);
        self.lengths[length] = 1;
    }
}

impl ClauseSink for FormulaStats {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        self.primary.get_or_insert(count);
        if self.parts.is_empty() {
            self.close();
            self.open(UNNAMED);
        }
        self.parts[self.current].variables += u64::from(count);
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        match self.lengths.get_mut(lits.len()) {
            Some(count) => *count += 1,
            None => self.first_of_length(lits.len()),
        }
    }

    fn section(&mut self, name: &str) {
        self.close();
        self.open(name);
    }

    fn takes_cardinality(&self) -> bool {
        self.cardinality
    }

    fn at_most(&mut self, xs: &[Lit], _k: u64) {
        assert!(self.cardinality, "this tally takes clauses only");
        self.clause(xs);
    }
}

impl PartialEq for FormulaStats {
    fn eq(&self, other: &Self) -> bool {
        self.primary == other.primary
            && self.clone().into_sections() == other.clone().into_sections()
    }
}

impl Eq for FormulaStats {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes a clause of `length` literals; the statistics ignore which ones.
    fn clause(out: &mut FormulaStats, length: usize) {
        out.clause(&vec![Lit::positive(0); length]);
    }

    fn section(name: &str, variables: u64, lengths: &[(usize, u64)]) -> Section {
        Section { name: name.to_owned(), variables, lengths: lengths.iter().copied().collect() }
    }

    #[test]
    fn clauses_are_counted_by_section_and_length() {
        let mut stats = FormulaStats::new();
        stats.section("rows");
        stats.fresh(4);
        for length in [2, 2, 3, 2] {
            clause(&mut stats, length);
        }
        stats.section("columns");
        stats.fresh(3);
        for length in [0, 4] {
            clause(&mut stats, length);
        }
        assert_eq!(stats.size(), Size::new(7, 6, 13));
        assert_eq!((stats.primary(), stats.variables()), (4, 7));
        assert_eq!(
            stats.into_sections(),
            [section("rows", 4, &[(2, 3), (3, 1)]), section("columns", 3, &[(0, 1), (4, 1)])]
        );
    }

    #[test]
    fn a_constraint_that_is_taken_whole_counts_as_one_clause_of_its_length() {
        let mut stats = FormulaStats::with_cardinality();
        assert!(stats.takes_cardinality() && !FormulaStats::new().takes_cardinality());
        stats.section("rows");
        let xs: Vec<_> = stats.fresh(5).lits().collect();
        stats.at_most(&xs, 1);
        stats.clause(&xs);
        stats.at_most(&xs[..3], 2);
        assert_eq!(stats.into_sections(), [section("rows", 5, &[(3, 1), (5, 2)])]);
    }

    #[test]
    #[should_panic(expected = "this tally takes clauses only")]
    fn a_tally_of_clauses_takes_nothing_else() {
        FormulaStats::new().at_most(&[Lit::positive(0)], 1);
    }

    #[test]
    fn a_section_taken_up_again_goes_on_where_it_stopped_and_keeps_its_place() {
        let mut stats = FormulaStats::new();
        for name in ["gates", "rows", "gates", "rows", "gates"] {
            stats.section(name);
            stats.fresh(1);
            clause(&mut stats, 2);
        }
        assert_eq!(
            stats.into_sections(),
            [section("gates", 3, &[(2, 3)]), section("rows", 2, &[(2, 2)])]
        );
    }

    #[test]
    fn clauses_before_any_section_are_counted_among_the_rules() {
        let rules = |begin: fn(&mut FormulaStats)| {
            let mut stats = FormulaStats::new();
            begin(&mut stats);
            stats.section("given");
            clause(&mut stats, 1);
            stats.into_sections()
        };
        let given = section("given", 0, &[(1, 1)]);
        assert_eq!(rules(|_| ()), std::slice::from_ref(&given));
        let clause_first: fn(&mut FormulaStats) = |stats| {
            clause(stats, 0);
            stats.fresh(2);
            clause(stats, 2);
        };
        let expected = [section("rules", 2, &[(0, 1), (2, 1)]), given.clone()];
        assert_eq!(rules(clause_first), expected);
        let variables_only: fn(&mut FormulaStats) = |stats| {
            stats.fresh(2);
        };
        assert_eq!(rules(variables_only), [section("rules", 2, &[]), given]);
    }
}
