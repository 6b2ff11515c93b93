//! The narrow waist: where clauses go.
//!
//! An encoder knows nothing of what happens to its clauses; a sink knows nothing of where they
//! come from. Solvers, files, counters and stores are all sinks, so a formula is made as often as
//! it is needed and stored only where somebody wants it stored.

use rustsat::types::{Lit, Var};

/// The largest number of variables that a formula can have.
///
/// DIMACS tools and solvers number variables by positive 32-bit integers.
pub const MAX_VARIABLES: u32 = i32::MAX as u32;

/// Something that takes clauses.
pub trait ClauseSink {
    /// Makes `count` new variables, numbered on from the last ones made, and returns their range.
    ///
    /// The first call of an encoding makes the primary variables, the ones that say where the
    /// queens are; later calls make auxiliary ones. There is no other way to get a variable, so no
    /// two parts of a formula can use the same one by accident.
    fn fresh(&mut self, count: u32) -> VarRange;

    /// Takes one clause, a disjunction of `lits`.
    ///
    /// Cannot fail: a sink that can (a full disk, a solver out of memory) keeps its first error
    /// and reports it when it is finished.
    fn clause(&mut self, lits: &[Lit]);

    /// Says that the variables and clauses from here on belong to the part `name` of the formula.
    fn section(&mut self, _name: &str) {}

    /// Says that the variables and clauses from here on belong to line `number` of the section, counted
    /// from 1. A section begins outside of its lines.
    fn line(&mut self, _number: u32) {}

    /// Whether [`at_most_one`](Self::at_most_one) may be called: file formats and solvers that know
    /// more than clauses say so.
    fn takes_cardinality(&self) -> bool {
        false
    }

    /// Takes the constraint that at most one of `xs` holds, whole.
    ///
    /// # Panics
    ///
    /// When the sink does not take such constraints.
    fn at_most_one(&mut self, _xs: &[Lit]) {
        panic!("this sink takes clauses only");
    }
}

/// A contiguous range of variables, as made by one call of [`ClauseSink::fresh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarRange {
    start: u32,
    count: u32,
}

impl VarRange {
    /// The `count` variables that come after the first `made` ones.
    ///
    /// # Panics
    ///
    /// When the formula would have more than [`MAX_VARIABLES`]. Planners refuse such a formula
    /// by its [`Size`](crate::Size) long before it is made.
    pub fn after(made: u32, count: u32) -> Self {
        assert!(
            made.checked_add(count).is_some_and(|end| end <= MAX_VARIABLES),
            "a formula has at most {MAX_VARIABLES} variables"
        );
        Self { start: made, count }
    }

    /// The next `count` variables of a formula that has made `made` so far, which then counts them.
    ///
    /// # Panics
    ///
    /// As [`after`](Self::after).
    pub fn next(made: &mut u32, count: u32) -> Self {
        let range = Self::after(*made, count);
        *made += count;
        range
    }

    /// The number of variables in the range.
    #[inline]
    pub fn len(self) -> u32 {
        self.count
    }

    /// Whether the range holds no variable.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The number of the first variable of the range; variables are numbered from 0.
    #[inline]
    pub fn start(self) -> u32 {
        self.start
    }

    /// The positive literal of the range's variable number `index`, counted from 0.
    #[inline]
    pub fn lit(self, index: u32) -> Lit {
        assert!(index < self.count, "variable {index} of a range of {}", self.count);
        Lit::positive(self.start + index)
    }

    /// The positive literals of the range, in order.
    pub fn lits(self) -> impl ExactSizeIterator<Item = Lit> + Clone {
        (self.start..self.start + self.count).map(Lit::positive)
    }

    /// The variables of the range, in order.
    pub fn vars(self) -> impl ExactSizeIterator<Item = Var> + Clone {
        (self.start..self.start + self.count).map(Var::new)
    }
}

/// Hands every clause to two sinks.
///
/// Both number variables on from 0, so that a range made by one is a range of the other too.
#[derive(Debug)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: ClauseSink, B: ClauseSink> ClauseSink for Tee<A, B> {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = self.0.fresh(count);
        let twin = self.1.fresh(count);
        assert_eq!(range, twin, "both sinks of a tee start empty");
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.0.clause(lits);
        self.1.clause(lits);
    }

    fn section(&mut self, name: &str) {
        self.0.section(name);
        self.1.section(name);
    }

    fn line(&mut self, number: u32) {
        self.0.line(number);
        self.1.line(number);
    }

    fn takes_cardinality(&self) -> bool {
        self.0.takes_cardinality() && self.1.takes_cardinality()
    }

    fn at_most_one(&mut self, xs: &[Lit]) {
        self.0.at_most_one(xs);
        self.1.at_most_one(xs);
    }
}

impl<S: ClauseSink + ?Sized> ClauseSink for &mut S {
    fn fresh(&mut self, count: u32) -> VarRange {
        (**self).fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        (**self).clause(lits);
    }

    fn section(&mut self, name: &str) {
        (**self).section(name);
    }

    fn line(&mut self, number: u32) {
        (**self).line(number);
    }

    fn takes_cardinality(&self) -> bool {
        (**self).takes_cardinality()
    }

    fn at_most_one(&mut self, xs: &[Lit]) {
        (**self).at_most_one(xs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::tally::Tally;

    #[test]
    fn a_tee_tells_both_sinks_everything() {
        let mut tee = Tee(Tally::new(), Tee(Formula::new(), Tally::new()));
        let out: &mut dyn ClauseSink = &mut tee;
        out.section("rows");
        let first = out.fresh(2);
        out.clause(&[first.lit(0), !first.lit(1)]);
        out.section("columns");
        let second = out.fresh(3);
        out.clause(&[second.lit(2)]);
        out.clause(&[]);
        let Tee(tally, Tee(formula, twin)) = tee;
        assert_eq!(tally, twin);
        assert_eq!(tally.size(), formula.size());
        let names: Vec<_> = tally.into_sections().into_iter().map(|part| part.name).collect();
        assert_eq!(names, ["rows", "columns"]);
        let clauses: Vec<_> = formula.clauses().collect();
        assert_eq!(
            clauses,
            [[Lit::positive(0), Lit::negative(1)].as_slice(), &[Lit::positive(4)], &[]]
        );
    }

    #[test]
    #[should_panic(expected = "both sinks of a tee start empty")]
    fn a_tee_of_a_used_and_a_new_sink_is_refused() {
        let mut used = Formula::new();
        used.fresh(1);
        Tee(used, Tally::new()).fresh(1);
    }

    #[test]
    fn ranges_follow_each_other_and_hold_their_variables() {
        let range = VarRange::after(5, 3);
        assert_eq!((range.start(), range.len(), range.is_empty()), (5, 3, false));
        let lits: Vec<_> = range.lits().collect();
        assert_eq!(lits, [5, 6, 7].map(Lit::positive));
        assert_eq!(lits, [0, 1, 2].map(|index| range.lit(index)));
        assert!(range.vars().eq([5, 6, 7].map(Var::new)));
        assert!(VarRange::after(5, 0).is_empty());
    }

    #[test]
    #[should_panic(expected = "variable 3 of a range of 3")]
    fn a_range_gives_no_variable_beyond_its_end() {
        VarRange::after(5, 3).lit(3);
    }

    #[test]
    #[should_panic(expected = "a formula has at most 2147483647 variables")]
    fn a_formula_with_more_variables_than_solvers_can_number_is_refused() {
        VarRange::after(MAX_VARIABLES, 1);
    }
}
