//! Measuring a formula without keeping it: the first pass of every job.

use std::collections::BTreeMap;

use rustsat::types::Lit;
use serde::{Deserialize, Serialize};

use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

/// The name of what comes before any section is named.
pub const UNNAMED: &str = "rules";

/// Counts variables, clauses and literals, in all and per section.
///
/// Two tallies are equal when they have counted the same in the same sections.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    variables: u32,
    primary: Option<u32>,
    parts: Vec<Part>,
    /// The index of the part that is being counted.
    current: usize,
    /// The clauses of each length in the part that is being counted: at hand here, so that a
    /// clause costs one addition.
    lengths: Vec<u64>,
    cardinality: bool,
}

/// The counts of one section; those of the current one are in `Tally::lengths`.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    variables: u64,
    lengths: Vec<u64>,
}

/// The size of one section of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// What the encoding calls the section: `rows`, `diagonals`, `CONFLICT`.
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

impl Tally {
    /// An empty tally, which takes clauses only: as solvers do, and most formats.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty tally that takes at-most-one constraints whole, as the formats do that know them.
    /// Such a constraint counts as one clause of its length.
    pub fn with_cardinality() -> Self {
        Self { cardinality: true, ..Self::default() }
    }

    /// Variables, clauses and literals seen so far.
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
    /// What came before any section was named is in one called `rules`.
    pub fn into_sections(mut self) -> Vec<Section> {
        self.close();
        let sections = self.parts.into_iter().map(|part| Section {
            name: part.name,
            variables: part.variables,
            lengths: part.lengths.into_iter().enumerate().filter(|&(_, count)| count > 0).collect(),
        });
        sections.collect()
    }

    /// Goes on counting in the part of this name.
    fn open(&mut self, name: &str) {
        self.current = self.parts.iter().position(|part| part.name == name).unwrap_or_else(|| {
            self.parts.push(Part { name: name.to_owned(), variables: 0, lengths: Vec::new() });
            self.parts.len() - 1
        });
        self.lengths = std::mem::take(&mut self.parts[self.current].lengths);
    }

    /// Puts the counts of the current part back into their place.
    fn close(&mut self) {
        if self.parts.is_empty() && !self.lengths.is_empty() {
            self.parts.push(Part { name: UNNAMED.to_owned(), variables: 0, lengths: Vec::new() });
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

impl ClauseSink for Tally {
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

    fn at_most_one(&mut self, xs: &[Lit]) {
        assert!(self.cardinality, "this tally takes clauses only");
        self.clause(xs);
    }
}

impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.primary == other.primary
            && self.clone().into_sections() == other.clone().into_sections()
    }
}

impl Eq for Tally {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clause of so many literals; which ones is all the same to a tally.
    fn clause(out: &mut Tally, length: usize) {
        out.clause(&vec![Lit::positive(0); length]);
    }

    fn section(name: &str, variables: u64, lengths: &[(usize, u64)]) -> Section {
        Section { name: name.to_owned(), variables, lengths: lengths.iter().copied().collect() }
    }

    #[test]
    fn clauses_are_counted_by_section_and_length() {
        let mut tally = Tally::new();
        tally.section("rows");
        tally.fresh(4);
        for length in [2, 2, 3, 2] {
            clause(&mut tally, length);
        }
        tally.section("columns");
        tally.fresh(3);
        for length in [0, 4] {
            clause(&mut tally, length);
        }
        assert_eq!(tally.size(), Size::new(7, 6, 13));
        assert_eq!((tally.primary(), tally.variables()), (4, 7));
        assert_eq!(
            tally.into_sections(),
            [section("rows", 4, &[(2, 3), (3, 1)]), section("columns", 3, &[(0, 1), (4, 1)])]
        );
    }

    #[test]
    fn a_constraint_that_is_taken_whole_counts_as_one_clause_of_its_length() {
        let mut tally = Tally::with_cardinality();
        assert!(tally.takes_cardinality() && !Tally::new().takes_cardinality());
        tally.section("rows");
        let xs: Vec<_> = tally.fresh(5).lits().collect();
        tally.at_most_one(&xs);
        tally.clause(&xs);
        tally.at_most_one(&xs[..3]);
        assert_eq!(tally.into_sections(), [section("rows", 5, &[(3, 1), (5, 2)])]);
    }

    #[test]
    #[should_panic(expected = "this tally takes clauses only")]
    fn a_tally_of_clauses_takes_nothing_else() {
        Tally::new().at_most_one(&[Lit::positive(0)]);
    }

    #[test]
    fn a_section_taken_up_again_goes_on_where_it_stopped_and_keeps_its_place() {
        let mut tally = Tally::new();
        for name in ["gates", "rows", "gates", "rows", "gates"] {
            tally.section(name);
            tally.fresh(1);
            clause(&mut tally, 2);
        }
        assert_eq!(
            tally.into_sections(),
            [section("gates", 3, &[(2, 3)]), section("rows", 2, &[(2, 2)])]
        );
    }

    #[test]
    fn what_comes_before_any_section_is_counted_among_the_rules() {
        let rules = |begin: fn(&mut Tally)| {
            let mut tally = Tally::new();
            begin(&mut tally);
            tally.section("queens");
            clause(&mut tally, 1);
            tally.into_sections()
        };
        let queens = section("queens", 0, &[(1, 1)]);
        assert_eq!(rules(|_| ()), std::slice::from_ref(&queens));
        let clause_first: fn(&mut Tally) = |tally| {
            clause(tally, 0);
            tally.fresh(2);
            clause(tally, 2);
        };
        let expected = [section("rules", 2, &[(0, 1), (2, 1)]), queens.clone()];
        assert_eq!(rules(clause_first), expected);
        let variables_only: fn(&mut Tally) = |tally| {
            tally.fresh(2);
        };
        assert_eq!(rules(variables_only), [section("rules", 2, &[]), queens]);
    }

    #[test]
    fn the_first_variables_are_the_primary_ones_even_if_there_are_none() {
        let mut tally = Tally::new();
        tally.fresh(0);
        tally.fresh(5);
        assert_eq!((tally.primary(), tally.variables()), (0, 5));
    }

    #[test]
    fn the_order_within_a_section_makes_no_difference_but_the_counts_do() {
        let count = |lengths: &[usize]| {
            let mut tally = Tally::new();
            tally.section("rows");
            for &length in lengths {
                clause(&mut tally, length);
            }
            tally
        };
        assert_eq!(count(&[2, 3, 2]), count(&[3, 2, 2]));
        assert_ne!(count(&[2, 3, 2]), count(&[3, 2, 3]));
        assert_ne!(count(&[]), count(&[0]));
    }
}
