//! Sinks: the interface between encoders and the users of clauses.
//!
//! An encoder does not depend on the use of its clauses, and a sink does not depend on their source. Solvers, files,
//! counters and stores are all sinks. A formula is therefore made as often as it is needed, and stored only where
//! storage is needed.

use rustsat::types::{Lit, Var};

/// The largest number of variables that a formula can have.
///
/// DIMACS tools and solvers number variables by positive 32-bit integers.
pub const MAX_VARIABLES: u32 = i32::MAX as u32;

/// A receiver of clauses.
pub trait ClauseSink {
    /// Makes `count` new variables, numbered on from the last ones made, and returns their range.
    ///
    /// The first call of an encoding makes the primary variables, which encode the chosen candidates; later calls
    /// make auxiliary ones. There is no other way to get a variable, so no two parts of a formula can use the same one
    /// by accident.
    fn fresh(&mut self, count: u32) -> VarRange;

    /// Takes one clause, a disjunction of `lits`.
    ///
    /// The call cannot fail: a sink that can (a full disk, a solver out of memory) keeps its first error and reports it
    /// when it is finished.
    fn clause(&mut self, lits: &[Lit]);

    /// Begins the part `name` of the formula, for the variables and clauses from here on.
    fn section(&mut self, _name: &str) {}

    /// Begins line `number` of the section, counted from 1, for the variables and clauses from here on. A section
    /// begins outside of its lines.
    fn line(&mut self, _number: u32) {}

    /// True if [`at_most`](Self::at_most) may be called, as for file formats and solvers that take more than clauses.
    fn takes_cardinality(&self) -> bool {
        false
    }

    /// Takes the constraint that at most `k` of `xs` hold, whole. A literal that stands several times counts as often.
    ///
    /// # Panics
    ///
    /// When the sink does not take such constraints.
    fn at_most(&mut self, _xs: &[Lit], _k: u64) {
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

    /// True if the range holds no variable.
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

/// Passes every clause to two sinks.
///
/// Both number variables on from 0, so that a range made by one is a range of the other too.
#[derive(Debug)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: ClauseSink, B: ClauseSink> ClauseSink for Tee<A, B> {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = self.0.fresh(count);
        let other = self.1.fresh(count);
        assert_eq!(range, other, "both sinks of a tee start empty");
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

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        self.0.at_most(xs, k);
        self.1.at_most(xs, k);
    }
}

/// Has clauses written that need not hold without a condition: each gets the literal `guard`, the negation of the condition.
/// A clause that has the condition itself holds without it, and is left out.
pub fn with_guard(
    guard: Option<Lit>,
    out: &mut dyn ClauseSink,
    write: impl FnOnce(&mut dyn ClauseSink),
) {
    match guard {
        Some(guard) => write(&mut Guarded { guard, clause: Vec::new(), out }),
        None => write(out),
    }
}

struct Guarded<'a> {
    guard: Lit,
    /// The last clause with the guard.
    clause: Vec<Lit>,
    out: &'a mut dyn ClauseSink,
}

impl ClauseSink for Guarded<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.out.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&self.guard) {
            self.out.clause(lits);
        } else if !lits.contains(&!self.guard) {
            self.clause.clear();
            self.clause.push(self.guard);
            self.clause.extend_from_slice(lits);
            self.out.clause(&self.clause);
        }
    }

    fn takes_cardinality(&self) -> bool {
        self.out.takes_cardinality()
    }

    /// The condition stands n − k times beside the n literals: of these at most n hold, so at most k of the others if it
    /// holds, and any number if it does not.
    fn at_most(&mut self, xs: &[Lit], k: u64) {
        let n = xs.len() as u64;
        let conditions = (k..n).map(|_| !self.guard);
        let xs: Vec<Lit> = xs.iter().copied().chain(conditions).collect();
        self.out.at_most(&xs, n);
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

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        (**self).at_most(xs, k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::formula_stats::FormulaStats;

    #[test]
    fn a_tee_tells_both_sinks_everything() {
        let mut tee = Tee(FormulaStats::new(), Tee(Formula::new(), FormulaStats::new()));
        let out: &mut dyn ClauseSink = &mut tee;
        out.section("rows");
        let first = out.fresh(2);
        out.clause(&[first.lit(0), !first.lit(1)]);
        out.section("columns");
        let second = out.fresh(3);
        out.clause(&[second.lit(2)]);
        out.clause(&[]);
        let Tee(stats, Tee(formula, other)) = tee;
        assert_eq!(stats, other);
        assert_eq!(stats.size(), formula.size());
        let names: Vec<_> = stats.into_sections().into_iter().map(|part| part.name).collect();
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
        Tee(used, FormulaStats::new()).fresh(1);
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
